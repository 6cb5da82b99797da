# LLVM and MLIR as archives. A program with the property SPINDLE_ARCHIVES takes from them what it uses: a tenth of what the shared libraries map into its memory,
# and it starts in a fifth of the time. Other programs (tests) share the libraries, since each of them would be as large. SPINDLE_LLVM_ARCHIVES=OFF shares them, too.
option(SPINDLE_LLVM_ARCHIVES "Link the tool with the archives of LLVM and MLIR where they are found" ON)

file(GLOB _archives CONFIGURE_DEPENDS "${LLVM_LIBRARY_DIR}/libMLIR*.a" "${LLVM_LIBRARY_DIR}/libLLVM*.a")
list(FILTER _archives EXCLUDE REGEX "libMLIRCAPI")
set(_found ${SPINDLE_LLVM_ARCHIVES})
foreach(library LLVMX86CodeGen LLVMAArch64CodeGen MLIRIR)
  if(NOT EXISTS "${LLVM_LIBRARY_DIR}/lib${library}.a")
    set(_found OFF)
  endif()
endforeach()
set(_system)
foreach(library z "zstd;libzstd.so.1" "xml2;libxml2.so.2" "z3;libz3.so.4") # of which LLVM's own archives use some
  list(GET library 0 name)
  find_library(SPINDLE_LLVM_${name} NAMES ${library})
  mark_as_advanced(SPINDLE_LLVM_${name})
  if(NOT SPINDLE_LLVM_${name})
    set(_found OFF)
  endif()
  list(APPEND _system "${SPINDLE_LLVM_${name}}")
endforeach()

# lld reads the six hundred archives in two seconds, in any order. Without it the libraries stay shared.
if(_found AND SPINDLE_LLD_FOLDER)
  add_library(spindle_llvm_archives INTERFACE)
  target_link_libraries(spindle_llvm_archives INTERFACE ${_archives} -Wl,--as-needed ${_system} rt dl m)
  target_link_options(spindle_llvm_archives INTERFACE "-B${SPINDLE_LLD_FOLDER}" -fuse-ld=lld -Wl,--gc-sections
    -Wl,-z,keep-text-section-prefix) # what runs at the start stands together
endif()

# spindle_link_llvm(TARGET LIBRARY): the archives for programs that want them, else a shared library.
function(spindle_link_llvm target library)
  if(TARGET spindle_llvm_archives)
    target_link_libraries(${target} INTERFACE
      "$<IF:$<BOOL:$<TARGET_PROPERTY:SPINDLE_ARCHIVES>>,spindle_llvm_archives,${library}>")
  else()
    target_link_libraries(${target} INTERFACE ${library})
  endif()
endfunction()
