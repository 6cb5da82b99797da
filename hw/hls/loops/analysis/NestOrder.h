// Which orders of the iterations of a perfect nest keep what it computes.
#pragma once

#include "hw/hls/dependence/Instance.h"

#include <memory>

namespace spindle::hls {

/// New induction variables of a nest: row r gives the new loop r over the old loops, outermost
/// first. The matrix has determinant 1 or -1.
using LoopMatrix = llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 4>;

LoopMatrix identityMatrix(unsigned size);
LoopMatrix permutationMatrix(llvm::ArrayRef<unsigned> oldLoops);
LoopMatrix operator*(const LoopMatrix &a, const LoopMatrix &b);
/// Of a matrix with determinant 1 or -1.
LoopMatrix inverseOf(const LoopMatrix &matrix);

/// The dependences of a perfect nest, once, for questions about many orders.
class NestOrder {
public:
  explicit NestOrder(mlir::affine::AffineForOp outermost);

  /// Whether all dependent accesses stay in their order: additions into one element, too.
  bool allows(const LoopMatrix &matrix) const;

  /// Whether iterations of one loop, all others standing still, may depend on each other.
  bool chains(unsigned loop) const;

  /// Whether Σ wave[n] · loop[n] grows from every access to those that depend on it.
  bool advances(llvm::ArrayRef<int64_t> wave) const;

private:
  struct Carried {
    InstanceSystem system;                  // source before sink, both at one word
    llvm::SmallVector<LinearForm, 4> steps; // from source to sink, by loop
  };
  std::vector<Carried> dependences;
  bool isAnalysable = true;
};

} // namespace spindle::hls
