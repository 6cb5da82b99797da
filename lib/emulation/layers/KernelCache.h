// Compiled kernels, kept for the next network of the same shapes.
#pragma once

#include "lib/emulation/lanes/MachineCode.h"

namespace spindle::layers {

/// Kernels of a module; they stay as long as somebody holds them.
using CompiledKernels = lanes::MachineCode;

/// Compiles a module for this processor, which lowers it, or gives the kernels of an equal one:
/// networks whose layers differ in weights alone have equal modules. The last ones are kept. May be
/// called from several threads; the context of the module must be one for several threads.
llvm::Expected<std::shared_ptr<CompiledKernels>> compileKernels(mlir::ModuleOp module);

} // namespace spindle::layers
