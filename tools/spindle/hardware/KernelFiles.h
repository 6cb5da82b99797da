// The folder that `synth` writes.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "dialects/hls/Hls.h"
#include "hw/hls/prepare/Bindings.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// How a scheduled kernel is started, fed and read; without predicted cycles.
hls::KernelInterface interfaceOf(hls::KernelOp kernel, const std::string &top,
                                 const hls::Bindings &bind);

/// Writes <top>.sv, units/, original.mlir, scheduled.mlir and kernel.json; `interface` gets its
/// sources.
llvm::Error writeKernelFiles(const std::string &folder, hls::KernelOp kernel, mlir::ModuleOp design,
                             hls::KernelInterface interface, const std::string &program);

} // namespace spindle
