# Writes SpindleCommit.h, which says what is being built.
#   cmake -D SOURCE=… -D OUTPUT=… -P cmake/SpindleCommit.cmake
set(commit unknown)
find_program(git git)
if(git)
  execute_process(COMMAND "${git}" rev-parse --short=12 HEAD WORKING_DIRECTORY "${SOURCE}"
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit "${head}")
    execute_process(COMMAND "${git}" diff HEAD --no-ext-diff -- . ":(exclude)docs" ":(exclude)tests" WORKING_DIRECTORY "${SOURCE}"
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(NOT changes STREQUAL "")
      string(SHA256 hash "${changes}")
      string(SUBSTRING "${hash}" 0 8 hash)
      string(APPEND commit "+${hash}")
    endif()
  endif()
endif()
set(text "#define SPINDLE_COMMIT \"${commit}\"\n")
file(WRITE "${OUTPUT}" "${text}")
