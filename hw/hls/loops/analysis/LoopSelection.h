// Which loops a transformation is for: marked by an attribute, or named by their depth.
#pragma once

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle::hls {

/// A loop and its factor; 0 stands for all iterations.
struct SelectedLoop {
  mlir::affine::AffineForOp loop;
  uint64_t factor = 0;
};

/// The loops with the attribute `attribute = N : i64`, and those at a depth that `byDepth` lists as
/// `depth:factor` (0 is outermost; `full` for all iterations), inner loops first. An attribute
/// counts more than the list. Loops that data end, and those around them, are none of these; a
/// warning says where an attribute has no effect. Fails with an error at the function or loop where
/// a factor is malformed. The attribute is removed.
mlir::FailureOr<llvm::SmallVector<SelectedLoop>> selectLoops(mlir::func::FuncOp function,
                                                             llvm::StringRef attribute,
                                                             llvm::ArrayRef<std::string> byDepth);

} // namespace spindle::hls
