# What most tests take is spent in what they test: optimising their own lines costs more than it gains.
set(SPINDLE_TEST_OPTIONS $<$<CONFIG:Release>:-O0>)

# Where the files of a folder are compiled together and the compiler is Clang, the headers that most of them read are read once:
# nearly all of the time of a source goes into MLIR's. GCC's precompiled headers cost what they save (docs/decisions/0006-unity-builds.md).
# What a file includes is still what it needs: the preset dev and the test build.single-files compile without them.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(_precompile ON)
endif()
option(SPINDLE_PRECOMPILE "Read common headers once; for Clang" ${_precompile})

# spindle_precompile(NAME HEADER LINK lib …): a target whose object is the precompiled HEADER. Those who take it are
# compiled with the same options, or Clang refuses it. CMake's own target_precompile_headers names it where the compiler cache sees an absolute path,
# so that no other checkout would find what was compiled.
function(spindle_precompile name header)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  set(source "${PROJECT_SOURCE_DIR}/cmake/headers/${header}")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL "${source}")
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF CXX_COMPILER_LAUNCHER "")
  set_source_files_properties("${source}" PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-xc++-header")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${ARG_LINK} spindle_options)
  target_compile_options(${name} PRIVATE -fpch-instantiate-templates)
  # A compiler cache takes this sum for it: two makings differ, and each names its checkout, for which none is taken from the cache.
  file(SHA256 "${source}" sum)
  file(GENERATE OUTPUT "$<TARGET_OBJECTS:${name}>.sum"
    CONTENT "${sum} ${CMAKE_CXX_COMPILER_VERSION} ${LLVM_PACKAGE_VERSION} ${fmt_VERSION} ${GTest_VERSION} ${CMAKE_SYSTEM_PROCESSOR}\n")
  add_custom_target(${name}_made DEPENDS "$<TARGET_OBJECTS:${name}>") # which sources wait for; for an object library they would not
endfunction()

if(SPINDLE_PRECOMPILE)
  spindle_precompile(spindle_headers Sources.h LINK fmt::fmt spindle_mlir)
  spindle_precompile(spindle_test_headers Tests.h LINK fmt::fmt spindle_mlir GTest::gmock)
  target_compile_options(spindle_test_headers PRIVATE ${SPINDLE_TEST_OPTIONS})
endif()

# spindle_take_headers(TARGET HEADERS LIB …): if one of the libraries that it links is MLIR's, of which else it would lack the symbols.
function(spindle_take_headers target headers)
  set(open ${ARGN})
  set(seen)
  while(SPINDLE_PRECOMPILE AND open)
    list(POP_FRONT open library)
    if(library STREQUAL "spindle_mlir")
      target_compile_options(${target} PRIVATE "SHELL:-include-pch $<TARGET_OBJECTS:${headers}>")
      add_dependencies(${target} ${headers}_made)
      return()
    endif()
    if(TARGET "${library}" AND NOT library IN_LIST seen)
      list(APPEND seen "${library}")
      get_target_property(linked "${library}" INTERFACE_LINK_LIBRARIES)
      if(linked)
        list(APPEND open ${linked})
      endif()
    endif()
  endwhile()
endfunction()
