// The folder that `synth --system` writes.
#pragma once

#include "hw/hls/axi/AxiWrapper.h"
#include "hw/system/System.h"

namespace spindle::hls {

/// Writes what `cosim` and `area` read, as of a kernel: <top>.sv, units/, contents/, original.mlir,
/// kernel.json; and of the system: system.json and system.dot with its tasks
/// (docs/formats/system.md), system.mlir in the system dialect, and for each kernel
/// kernels/NAME/scheduled.mlir and schedule.json. Files of an earlier kernel that say something
/// else are removed.
llvm::Error writeSystemFiles(const std::string &folder, SystemSynthesis &made, const Target &target,
                             const std::string &program);

/// Puts it behind buses (hw/synthesis/BusFiles.h). A stream has a packet for each input, of as many
/// beats as one input has elements.
llvm::Error writeSystemBus(const std::string &folder, SystemSynthesis &made,
                           const AxiOptions &options);

} // namespace spindle::hls
