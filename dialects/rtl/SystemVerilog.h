// The rtl dialect as SystemVerilog text.
#pragma once

#include "dialects/rtl/Rtl.h"

#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace spindle::rtl {

/// Prints every `rtl.module` of a design, in its order; those of `rtl.extern` come from their
/// sources. The text stays within what Verilator 5 (`--lint-only -Wall` finds nothing) and Yosys
/// 0.23 (`read_verilog -sv`) read. A design that fails verification is an error of ours (Check)
/// with its diagnostics.
///
/// Initial contents of more than `kMostWordsInText` words go to `contents`, if that is given, by
/// file name, in the format of $readmemh; the text reads them as `contents/NAME`. A million
/// assignments take Verilator and the compiler after it minutes, a file next to nothing.
using MemoryContents = std::map<std::string, std::string>;
constexpr int64_t kMostWordsInText = 512;
llvm::Error emitSystemVerilog(mlir::ModuleOp design, llvm::raw_ostream &os,
                              MemoryContents *contents = nullptr);

} // namespace spindle::rtl
