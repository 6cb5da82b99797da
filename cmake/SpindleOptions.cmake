# Language, warnings and build speed, for every target of ours.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

option(SPINDLE_SANITIZE "Build with the address and undefined behaviour sanitizers" OFF)
option(SPINDLE_COVERAGE "Build with coverage counters" OFF)

find_program(SPINDLE_CCACHE ccache)
if(SPINDLE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${SPINDLE_CCACHE}")
endif()

find_program(SPINDLE_LLD NAMES ld.lld-22 ld.lld)
add_library(spindle_options INTERFACE)
# -ffp-contract=off: the order and rounding of float sums is part of the semantics.
target_compile_options(spindle_options INTERFACE -Wall -Wextra -Wshadow -Werror -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 takes the storage of a moved llvm::Expected for uninitialised; Clang and the sanitizers watch over it.
  target_compile_options(spindle_options INTERFACE -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND SPINDLE_LLD)
  target_link_options(spindle_options INTERFACE "--ld-path=${SPINDLE_LLD}")
endif()
if(SPINDLE_SANITIZE)
  target_compile_options(spindle_options INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(spindle_options INTERFACE -fsanitize=address,undefined)
endif()
if(SPINDLE_COVERAGE)
  target_compile_options(spindle_options INTERFACE --coverage)
  target_link_options(spindle_options INTERFACE --coverage)
endif()
