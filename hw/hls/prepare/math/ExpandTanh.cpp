// math.tanh by the units that there are, as hw/rtl/model/Tanh.h defines it.
#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/math/WideArithmetic.h"
#include "hw/rtl/model/Tanh.h"

using namespace mlir;

namespace spindle::hls {

namespace {

/// 1 - 2 / (e^2x + 1), in f64.
Value tanhOfFloat(const WideArithmetic &wide, math::TanhOp op, Value magnitude) {
  Value power = wide.exp(wide.plus(magnitude, magnitude));
  Value quotient = wide.over(wide.number(2), wide.plus(power, wide.number(1)));
  Value result = wide.minus(wide.number(1), quotient);
  Value rounded = arith::TruncFOp::create(wide.b, op.getType(), result);
  return wide.select(wide.isBelow(magnitude, kTanhIsLinear), op.getOperand(), rounded);
}

/// One quotient for both ways to the result.
Value tanhOfDouble(const WideArithmetic &wide, Value magnitude) {
  Value isRational = wide.isBelow(magnitude, kTanhIsRational);
  Value square = wide.times(magnitude, magnitude);
  Value power = wide.exp(wide.plus(magnitude, magnitude));
  Value dividend = wide.select(
      isRational, wide.times(square, wide.polynomial(kTanhNumerator, square)), wide.number(2));
  Value divisor = wide.select(isRational, wide.polynomial(kTanhDivisor, square),
                              wide.plus(power, wide.number(1)));
  Value quotient = wide.over(dividend, divisor);
  Value factor = wide.select(isRational, magnitude, wide.number(-1));
  return wide.plus(wide.times(factor, quotient),
                   wide.select(isRational, magnitude, wide.number(1)));
}

struct ExpandTanh : OpRewritePattern<math::TanhOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::TanhOp op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32() && !op.getType().isF64())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    WideArithmetic wide{b};
    Value x = op.getOperand();
    if (op.getType().isF32())
      x = arith::ExtFOp::create(b, b.getF64Type(), x);
    Value magnitude = math::AbsFOp::create(b, x);
    Value result =
        op.getType().isF32() ? tanhOfFloat(wide, op, magnitude) : tanhOfDouble(wide, magnitude);
    rewriter.replaceOpWithNewOp<math::CopySignOp>(op, result, op.getOperand());
    return success();
  }
};

} // namespace

void addTanhPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandTanh>(patterns.getContext());
}

} // namespace spindle::hls
