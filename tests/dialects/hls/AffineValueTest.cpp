// Affine expressions on values of 64 bits, against 128 bits cut to them.
#include "dialects/hls/interpreter/Arithmetic.h"

#include "core/support/CounterRandom.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

namespace spindle::hls {
namespace {

using Wide = __int128;

int64_t cut(Wide value) { return int64_t(uint64_t(value)); }

/// Rounded down, from the remainder that is not negative.
Wide floorOf(Wide a, Wide b) { return (a - ((a % b) + b) % b) / b; }

/// Operands of divisions are cut before, as every value has 64 bits.
int64_t wideValueOf(mlir::AffineExpr expression, llvm::ArrayRef<int64_t> dimensions) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expression))
    return constant.getValue();
  if (auto dimension = llvm::dyn_cast<mlir::AffineDimExpr>(expression))
    return dimensions[dimension.getPosition()];
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expression);
  Wide a = wideValueOf(binary.getLHS(), dimensions), b = wideValueOf(binary.getRHS(), dimensions);
  switch (binary.getKind()) {
  case mlir::AffineExprKind::Add:
    return cut(a + b);
  case mlir::AffineExprKind::Mul:
    return cut(a * b);
  case mlir::AffineExprKind::FloorDiv:
    return cut(floorOf(a, b));
  case mlir::AffineExprKind::CeilDiv:
    return cut(-floorOf(-a, b));
  default:
    return cut(a - floorOf(a, b) * b);
  }
}

int64_t anyValue(CounterRandom &random) {
  uint64_t high = random(), low = random();
  const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX};
  return random.below(3) == 0 ? extremes[random.below(6)] : int64_t(high << 32 | low);
}

mlir::AffineExpr anyExpression(CounterRandom &random, mlir::MLIRContext *context, int depth) {
  if (depth == 0)
    return random.below(3) == 0 ? mlir::getAffineConstantExpr(anyValue(random), context)
                                : mlir::getAffineDimExpr(random.below(3), context);
  mlir::AffineExpr left = anyExpression(random, context, depth - 1);
  int64_t factor = 1 + int64_t(random.below(1000));
  switch (random.below(5)) {
  case 0:
    return left + anyExpression(random, context, depth - 1);
  case 1:
    return left * (factor - 500);
  case 2:
    return left.floorDiv(factor);
  case 3:
    return left.ceilDiv(factor);
  default:
    return left % factor;
  }
}

TEST(AffineValue, WrapsAsCircuitsDo) {
  mlir::MLIRContext context;
  CounterRandom random(11);
  for (int round = 0; round < 20000; ++round) {
    // Constants are not folded beyond 64 bits: they are of the innermost level.
    mlir::AffineExpr expression = anyExpression(random, &context, 1 + int(random.below(3)));
    int64_t dimensions[] = {anyValue(random), anyValue(random), anyValue(random)};
    ASSERT_EQ(valueOf(expression, dimensions), wideValueOf(expression, dimensions)) << round;
  }
}

} // namespace
} // namespace spindle::hls
