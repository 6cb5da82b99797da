// The circuit of a layer behind a network interface, beside its own files.
#pragma once

#include "core/network/HardwareNetwork.h"
#include "hw/synthesis/Synthesis.h"

namespace spindle::hls {

/// Writes <tile>.sv with the wrapper (hw/hls/tile) and all of the design, which grows by it, and
/// the modules that it instantiates to units/. The files of the kernel are written. Errors: those
/// of addTileWrapper.
llvm::Error writeTileFiles(const std::string &folder, mlir::ModuleOp design,
                           const KernelInterface &kernel, const HardwareNetwork &network);

} // namespace spindle::hls
