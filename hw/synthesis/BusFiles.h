// A kernel behind buses, beside its own files.
#pragma once

#include "core/kernel/HostDriver.h"
#include "hw/hls/axi/AxiWrapper.h"
#include "hw/synthesis/Synthesis.h"

namespace spindle::hls {

/// Writes <top>_axi.sv with the wrapper and all of the design, which grows by it, the modules it
/// instantiates to units/, a driver (core/kernel/HostDriver.h), and axi.json (docs/formats/axi.md).
/// The files of the kernel, or of the system, are written. `meanings` are for people who read the
/// driver.
llvm::Error writeBusFiles(const std::string &folder, mlir::ModuleOp design,
                          const KernelInterface &kernel, const AxiOptions &options,
                          const ArgumentMeanings &meanings = {});

} // namespace spindle::hls
