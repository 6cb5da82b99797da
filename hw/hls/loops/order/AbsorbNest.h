// A nest, or statements without loops, put into a deeper nest beside it.
#pragma once

#include "hw/hls/dependence/Instance.h"

namespace spindle::hls {

/// What goes into the deeper nest: operations that stand in `loops` (none for statements in the
/// block beside it).
struct Shallow {
  llvm::SmallVector<mlir::affine::AffineForOp> loops; // outermost first
  llvm::SmallVector<mlir::Operation *> operations;    // of the innermost body, in order
};

/// Where it goes: loop `matches[n]` of the deeper nest stands for loop n; in the others it runs in
/// the first iteration (of what comes before the deeper nest) or the last one.
struct Absorption {
  llvm::SmallVector<unsigned> matches; // increasing
  bool isBefore = true;
};

/// Whether a loop runs at least once whatever the loops around it do.
bool alwaysRuns(mlir::affine::AffineForOp loop);

/// Whether the shallow part may run inside the deeper nest (its loops, outermost first): matched
/// loops have the same bounds, the others always run, every dependent pair of accesses keeps its
/// order, and no loop of the deeper nest is said to be independent, which it need not be with more
/// in it.
bool canAbsorb(llvm::ArrayRef<mlir::affine::AffineForOp> deep, const Shallow &shallow,
               const Absorption &absorption);

/// Clones the shallow operations into the innermost body, at its beginning or its end, under a
/// condition on the loops that are not matched.
void absorb(llvm::ArrayRef<mlir::affine::AffineForOp> deep, const Shallow &shallow,
            const Absorption &absorption);

} // namespace spindle::hls
