// What the program calls things, for names in the circuit and in reports.
#pragma once

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace spindle::hls {

/// `text` as an identifier of at most 32 characters: an underscore stands for any number of others
/// than letters and digits. Empty where there is no letter and no digit.
std::string identifierOf(llvm::StringRef text);

/// The name in a location, as an identifier: `A` of `loc("A")`; empty where it has none.
std::string nameIn(mlir::Location location);

/// `_l12`, the line of the first place in a file; empty where there is none.
std::string lineSuffix(mlir::Location location);

/// `gemm.mlir:8:5`, without the folder, which would be that of the machine; the name where the
/// location has no file; empty where nothing is known.
std::string sourceOf(mlir::Location location);

/// What the program calls an array, else `arg1`, `local0`.
std::string arrayName(MemoryOp memory);

/// What the program calls a stream, else `arg1`, `stream0`.
std::string streamName(FifoOp fifo);

/// `mulf_l12`, `load_A_l10`, `cond_l9` where logic makes one bit. Not unique.
std::string operationName(mlir::Operation *op);

/// What the program calls a loop's counter, else `otherwise`; with the loop's line: `i_l8`.
std::string counterName(mlir::Value counter, const std::string &otherwise);

/// The place of a loop with the name that the program gives one of its variables, unless a pass has
/// copied that name from `origin`.
mlir::Location variableLocation(mlir::affine::AffineForOp loop, mlir::Value variable,
                                mlir::Location origin);
mlir::Location counterLocation(mlir::affine::AffineForOp loop);

} // namespace spindle::hls
