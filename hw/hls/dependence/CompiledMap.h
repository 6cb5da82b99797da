// Affine maps made ready for many evaluations.
#pragma once

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/ValueRange.h"

#include <optional>

namespace spindle::hls {

/// A map with operands, evaluated at values of induction variables.
class CompiledMap {
public:
  /// None where an operand is neither one of `variables` nor made of them and constants.
  static std::optional<CompiledMap> compile(mlir::AffineMap map, mlir::ValueRange operands,
                                            llvm::ArrayRef<mlir::Value> variables);
  /// Subscripts of an array become one, of its elements in row-major order; those with divisions
  /// stay as they are.
  void flatten(llvm::ArrayRef<int64_t> shape);
  unsigned size() const { return results.size(); }
  int64_t evaluate(unsigned result, llvm::ArrayRef<int64_t> values) const;
  int64_t smallest(llvm::ArrayRef<int64_t> values) const;
  int64_t largest(llvm::ArrayRef<int64_t> values) const;

private:
  struct Result {
    llvm::SmallVector<int64_t, 6> coefficients; // of the variables
    int64_t constant = 0;
    mlir::AffineExpr expression; // where there are divisions: over the variables as dims
  };
  std::vector<Result> results;
};

} // namespace spindle::hls
