#include "dialects/hls/interpreter/Arithmetic.h"

#include "dialects/hls/interpreter/FunctionTables.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace spindle::hls {

unsigned widthOf(mlir::Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

/// Rounded down; of the divisors that affine expressions have, which are positive.
static int64_t floorOf(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

int64_t valueOf(mlir::AffineExpr expression, llvm::ArrayRef<int64_t> dimensions) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expression))
    return constant.getValue();
  if (auto dimension = llvm::dyn_cast<mlir::AffineDimExpr>(expression))
    return dimensions[dimension.getPosition()];
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expression);
  int64_t a = valueOf(binary.getLHS(), dimensions), b = valueOf(binary.getRHS(), dimensions);
  switch (binary.getKind()) {
  case mlir::AffineExprKind::Add: // where nobody looks, values may be any, and the circuit's wrap
    return int64_t(uint64_t(a) + uint64_t(b));
  case mlir::AffineExprKind::Mul:
    return int64_t(uint64_t(a) * uint64_t(b));
  case mlir::AffineExprKind::FloorDiv:
    return floorOf(a, b);
  case mlir::AffineExprKind::CeilDiv:
    return floorOf(a, b) + (a % b != 0);
  default:
    return a % b < 0 ? a % b + b : a % b;
  }
}

Function functionOf(mlir::Operation *op, const ElementaryFunctions &elementary) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return {};
  if (auto apply = llvm::dyn_cast<mlir::affine::AffineApplyOp>(op)) {
    mlir::AffineMap map = apply.getAffineMap();
    llvm::SmallVector<mlir::AffineExpr> symbols;
    for (unsigned symbol = 0; symbol < map.getNumSymbols(); ++symbol)
      symbols.push_back(mlir::getAffineDimExpr(map.getNumDims() + symbol, op->getContext()));
    return [expression = map.getResult(0).replaceSymbols(symbols),
            count = op->getNumOperands()](const uint64_t *operands) {
      llvm::SmallVector<int64_t> dimensions(operands, operands + count);
      return static_cast<uint64_t>(valueOf(expression, dimensions));
    };
  }
  if (llvm::isa<mlir::arith::SelectOp>(op))
    return [](const uint64_t *x) { return x[0] ? x[1] : x[2]; };
  if (llvm::isa<mlir::arith::BitcastOp>(op))
    return [](const uint64_t *x) { return x[0]; };
  Function function = integerFunction(op);
  return function ? function : floatFunction(op, elementary);
}

} // namespace spindle::hls
