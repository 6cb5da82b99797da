// A kernel as SystemVerilog modules.
#pragma once

#include "dialects/hls/Hls.h"
#include "dialects/rtl/Rtl.h"

#include "llvm/Support/Error.h"

namespace spindle::hls {

/// A design whose last module, of the name `top`, is the kernel: clk, rst, start, idle, done,
/// scalars arg<i>, results result<k>, and for each port p of each bank b of an array argument
/// arg<i>_b<b>_p<p>_en, _we, _addr, _wdata, _rdata. The kernel is scheduled and verified.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> buildKernelModule(KernelOp kernel,
                                                                    const std::string &top);

} // namespace spindle::hls
