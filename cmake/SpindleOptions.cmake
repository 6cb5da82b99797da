# Language, warnings and build speed, for every target of ours.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

option(SPINDLE_SANITIZE "Build with the address and undefined behaviour sanitizers" OFF)
option(SPINDLE_COVERAGE "Build with coverage counters" OFF)
option(SPINDLE_FUZZ "Build the fuzzers of tests/fuzz, with the sanitizers; needs Clang" OFF)
set(SPINDLE_MPI AUTO CACHE STRING "Offer the target spindle-mpi, the tool whose emulations mpirun divides: ON, OFF, AUTO (where MPI is found)")

find_program(SPINDLE_CCACHE ccache)
if(SPINDLE_CCACHE)
  # Compiled files are found again from another clone, too; of precompiled headers it looks at a sum of ours (cmake/SpindleHeaders.cmake).
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=true
    CCACHE_PCH_EXTSUM=true CCACHE_SLOPPINESS=pch_defines,time_macros "${SPINDLE_CCACHE}")
endif()

find_program(SPINDLE_LLD NAMES ld.lld-22 ld.lld)
# GCC 12 takes it by the name ld.lld, from a folder that it is told.
set(SPINDLE_LLD_FOLDER)
if(SPINDLE_LLD)
  get_filename_component(_folder "${SPINDLE_LLD}" REALPATH)
  get_filename_component(_folder "${_folder}" DIRECTORY)
  if(EXISTS "${_folder}/ld.lld")
    set(SPINDLE_LLD_FOLDER "${_folder}")
  endif()
endif()
add_library(spindle_options INTERFACE)
# -ffp-contract=off: the order and rounding of float sums is part of the semantics.
# -fmacro-prefix-map: what a build makes does not depend on the folder it stands in, so that the compiler cache serves every checkout.
target_compile_options(spindle_options INTERFACE -Wall -Wextra -Wshadow -Werror -ffp-contract=off
  "-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC collects garbage again and again while it reads MLIR's headers, for a sixth of its time: not below half a gigabyte.
  target_compile_options(spindle_options INTERFACE "SHELL:--param ggc-min-heapsize=524288")
  # GCC 12 takes the storage of a moved llvm::Expected for uninitialised; Clang and the sanitizers watch over it.
  target_compile_options(spindle_options INTERFACE -Wno-maybe-uninitialized)
  # Unity files with MLIR's headers are so long that GCC says where it stops looking at indentation; Clang looks.
  target_compile_options(spindle_options INTERFACE -Wno-misleading-indentation)
  # lld links a test program in a third of a second, where GNU ld takes three.
  if(SPINDLE_LLD_FOLDER)
    target_link_options(spindle_options INTERFACE "-B${SPINDLE_LLD_FOLDER}" -fuse-ld=lld)
  endif()
  if(CMAKE_UNITY_BUILD) # a fixture in an unnamed namespace looks to GCC as if it stood in a header
    target_compile_options(spindle_options INTERFACE -Wno-subobject-linkage)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # std::stable_sort of GCC 12's library calls a function of its own that C++17 deprecates, and Clang blames the caller.
  target_compile_options(spindle_options INTERFACE -Wno-deprecated-declarations)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Clang would refuse a precompiled header whose headers have another time, as in a new installation of the same ones.
  target_compile_options(spindle_options INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND SPINDLE_LLD)
  target_link_options(spindle_options INTERFACE "--ld-path=${SPINDLE_LLD}")
endif()
if(SPINDLE_SANITIZE)
  target_compile_options(spindle_options INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(spindle_options INTERFACE -fsanitize=address,undefined)
endif()
if(SPINDLE_FUZZ)
  target_compile_options(spindle_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined)
  target_link_options(spindle_options INTERFACE -fsanitize=address,undefined)
endif()
if(SPINDLE_COVERAGE)
  target_compile_options(spindle_options INTERFACE --coverage)
  target_link_options(spindle_options INTERFACE --coverage)
endif()
