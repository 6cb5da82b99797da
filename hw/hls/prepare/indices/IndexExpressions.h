// Which integers are affine in the loop variables around them.
#pragma once

#include "hw/hls/ranges/ValueRanges.h"

#include <optional>

namespace spindle::hls {

/// Collects affine expressions over common dimensions and symbols.
class IndexExpressions {
public:
  explicit IndexExpressions(mlir::MLIRContext *c) : context(c) {}

  /// The value as an expression; nothing where it is not affine, or where an operation on integers
  /// of limited width may wrap around.
  std::optional<mlir::AffineExpr> of(mlir::Value value);
  /// The values whose minimum (or maximum) the value is, at least itself, as expressions.
  std::optional<llvm::SmallVector<mlir::AffineExpr>> minimumOf(mlir::Value value);
  std::optional<llvm::SmallVector<mlir::AffineExpr>> maximumOf(mlir::Value value);

  /// Whether a quotient or remainder depends on more than the low 32 bits of a symbol, which are
  /// all that circuits have of it.
  bool dividesLarge(mlir::AffineExpr expression) const;

  /// A map with these results, and its operands; both simplified.
  std::pair<mlir::AffineMap, llvm::SmallVector<mlir::Value>>
  map(llvm::ArrayRef<mlir::AffineExpr> results) const;
  /// Operands of sets, as of maps.
  unsigned dimCount() const { return dims.size(); }
  unsigned symbolCount() const { return symbols.size(); }
  llvm::SmallVector<mlir::Value> operands() const;

private:
  std::optional<mlir::AffineExpr> find(mlir::Value value);
  std::optional<mlir::AffineExpr> ofOperation(mlir::Operation *op);
  std::optional<mlir::AffineExpr> ofBinary(mlir::Operation *op);
  std::optional<mlir::AffineExpr> ofMap(mlir::AffineMap map, mlir::ValueRange operands,
                                        unsigned result);
  std::optional<llvm::SmallVector<mlir::AffineExpr>> extremum(mlir::Value value, bool isMinimum);
  mlir::AffineExpr operand(mlir::Value value, bool isSymbol);
  /// Whether the exact value of the expression fits into `type`.
  bool fits(mlir::AffineExpr expression, mlir::Type type) const;

  mlir::MLIRContext *context;
  llvm::SmallVector<mlir::Value> dims, symbols;
  llvm::DenseMap<mlir::Value, std::optional<mlir::AffineExpr>> known; // looked up only
};

} // namespace spindle::hls
