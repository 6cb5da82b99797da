# One include root: the repository and, for generated headers, the build tree.
set(SPINDLE_GENERATED_ROOT "${CMAKE_BINARY_DIR}/generated")
file(MAKE_DIRECTORY "${SPINDLE_GENERATED_ROOT}")

# spindle_add_library(NAME SOURCES a.cpp … LINK lib …)
function(spindle_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  if(NOT ARG_SOURCES)
    return()
  endif()
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  target_include_directories(${name} SYSTEM PUBLIC "${SPINDLE_GENERATED_ROOT}")
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE spindle_options)
endfunction()

# spindle_add_test(NAME SOURCES ATest.cpp … LINK lib … [LABEL label]): one GoogleTest program, one ctest entry per test.
# Built by the target spindle-tests only.
add_custom_target(spindle-tests)
function(spindle_add_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES;LINK" ${ARGN})
  if(NOT ARG_SOURCES)
    return()
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES} "${CMAKE_SOURCE_DIR}/tests/support/Main.cpp")
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${ARG_LINK} spindle_options GTest::gmock)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests")
  add_dependencies(spindle-tests ${name})
  set(labels)
  if(ARG_LABEL)
    set(labels LABELS "${ARG_LABEL}")
  endif()
  gtest_discover_tests(${name}
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 300 ${labels})
endfunction()
include(GoogleTest)
