// From what users write to the LLVM dialect, by upstream passes.
#pragma once

#include "hw/program/Golden.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace spindle::hls {

/// The function that `lowerToBuffers` adds: it calls the kernel and stores each result in an array
/// of no dimensions, given after the kernel's own arguments.
constexpr const char *kGoldenEntry = "spindle_golden_entry";

/// Vectors become the numbers that they hold (dialects/vectors/UnrollVectors.h).
llvm::Error takeVectorsApart(mlir::ModuleOp module, const std::string &function);

/// Makes every tensor a memref, results that are arrays arguments, and linalg loops; adds the
/// entry; fills local arrays. `atLoops` is called while affine loops are still there.
llvm::Error lowerToBuffers(mlir::ModuleOp module, const std::string &function,
                           LocalContents contents, llvm::function_ref<void()> atLoops);

/// What `lowerToBuffers` left, to the LLVM dialect.
llvm::Error lowerToLlvm(mlir::ModuleOp module);

} // namespace spindle::hls
