// The rtl dialect as SystemVerilog text.
#pragma once

#include "dialects/rtl/Rtl.h"

#include "llvm/Support/Error.h"

namespace spindle::rtl {

/// Prints every `rtl.module` of a design, in its order; those of `rtl.extern` come from their
/// sources. The text stays within what Verilator 5 (`--lint-only -Wall` finds nothing) and Yosys
/// 0.23 (`read_verilog -sv`) read. A design that fails verification is an error of ours (Check)
/// with its diagnostics.
llvm::Error emitSystemVerilog(mlir::ModuleOp design, llvm::raw_ostream &os);

} // namespace spindle::rtl
