# What is installed, and the Debian package of it. ./spindle package makes it: tools/package/make.sh.
set(SPINDLE_PACKAGE_FILES "${CMAKE_BINARY_DIR}/package/files") # pages and completions, which the programs write
set(_scripts "${CMAKE_SOURCE_DIR}/tools/package")
set(_programs spindle spindle-opt spindle-translate)

set(_pages spindle.1.gz spindle-opt.1.gz spindle-translate.1.gz)
set(_completions spindle.bash _spindle spindle.fish)
set(_changelogs changelog.gz changelog.Debian.gz)
list(TRANSFORM _pages PREPEND "${SPINDLE_PACKAGE_FILES}/")
list(TRANSFORM _completions PREPEND "${SPINDLE_PACKAGE_FILES}/")
list(TRANSFORM _changelogs PREPEND "${SPINDLE_PACKAGE_FILES}/")
add_custom_command(
  OUTPUT ${_pages} ${_completions} ${_changelogs}
  COMMAND "${_scripts}/write-files.sh" "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "${SPINDLE_PACKAGE_FILES}" "${PROJECT_VERSION}-1"
  DEPENDS ${_programs} "${_scripts}/write-files.sh" "${_scripts}/passes.awk" "${_scripts}/release-time.sh"
          "${_scripts}/spindle-opt.1" "${_scripts}/spindle-translate.1" "${CMAKE_SOURCE_DIR}/CHANGELOG.md"
  COMMENT "Writing man pages and completions" VERBATIM)
add_custom_target(spindle-package-files DEPENDS ${_pages} ${_completions} ${_changelogs})

# Relative to the prefix; core/support/files/DataPath.h looks for share/spindle beside the folder of the program.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME spindle)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
list(GET _completions 0 _bash)
list(GET _completions 1 _zsh)
list(GET _completions 2 _fish)
install(TARGETS ${_programs} DESTINATION bin)
install(FILES ${_pages} DESTINATION share/man/man1)
install(FILES "${_bash}" DESTINATION share/bash-completion/completions RENAME spindle)
install(FILES "${_zsh}" DESTINATION share/zsh/vendor-completions)
install(FILES "${_fish}" DESTINATION share/fish/vendor_completions.d)
install(DIRECTORY configs DESTINATION share/spindle PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY tests/kernels/styles tests/kernels/layers DESTINATION share/spindle/examples)
install(DIRECTORY tests/kernels/polybench/mini-f64/ DESTINATION share/spindle/examples/polybench)
install(FILES ${_changelogs} README.md CONTRIBUTING.md CHANGELOG.md "${_scripts}/copyright" DESTINATION share/doc/spindle)
install(DIRECTORY docs DESTINATION share/doc/spindle PATTERN "*.py" EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME spindle)
set(CPACK_PACKAGE_CONTACT "Spindle developers <spindle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler of neural networks to spiking hardware")
set(CPACK_PACKAGE_DESCRIPTION
"Spindle reads a trained network (ONNX, Keras, MLIR) or a spiking one (NIR,
YAML), converts it to a spiking network, emulates it on data, packs it into
the crossbars of a modelled neuromorphic chip, analyses its throughput,
places it on the mesh, simulates the chip cycle by cycle and writes a report.
.
It also compiles loops over arrays to pipelined SystemVerilog (spindle
synth). Simulating circuits beside their programs needs verilator, make and
g++, counting their area needs yosys.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/package")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS ${CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "verilator, make, g++, yosys")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "opensta")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
include(CPack)
