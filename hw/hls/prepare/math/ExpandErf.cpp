// math.erf by the units that there are, as hw/rtl/model/Erf.h defines it.
#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/math/WideArithmetic.h"
#include "hw/rtl/model/Erf.h"

using namespace mlir;

namespace spindle::hls {

namespace {

Value erfOfFloat(const WideArithmetic &wide, math::ErfOp op, Value magnitude) {
  Value square = wide.times(magnitude, magnitude);
  Value series = wide.times(magnitude, wide.polynomial(kErfSeries, square));
  Value divisor = wide.plus(wide.number(1), wide.times(magnitude, wide.number(kErfScale)));
  Value t = wide.over(wide.number(1), divisor);
  Value power = wide.exp(arith::NegFOp::create(wide.b, square));
  Value rest = wide.times(power, wide.polynomial(kErfPolynomial, t));
  Value result = wide.minus(wide.number(1), rest);
  Value chosen = wide.select(wide.isBelow(magnitude, kErfIsSeries), series, result);
  return arith::TruncFOp::create(wide.b, op.getType(), chosen);
}

/// Of both polynomials one is computed: which coefficients it has is a matter of wires.
Value chosenPolynomial(const WideArithmetic &wide, Value isFirst, ArrayRef<double> first,
                       ArrayRef<double> second, Value x) {
  Value sum;
  for (auto [one, other] : llvm::reverse(llvm::zip_equal(first, second))) {
    Value coefficient = one == other ? wide.number(one)
                                     : wide.select(isFirst, wide.number(one), wide.number(other));
    sum = sum ? wide.plus(wide.times(sum, x), coefficient) : coefficient;
  }
  return sum;
}

Value erfOfDouble(const WideArithmetic &wide, Value size) {
  Value magnitude = arith::MinimumFOp::create(wide.b, size, wide.number(kErfIsOne));
  Value square = wide.times(magnitude, magnitude);
  Value isOdd = wide.isBelow(magnitude, kErfIsOdd);
  Value at = wide.select(isOdd, square, magnitude);
  Value quotient =
      wide.over(chosenPolynomial(wide, isOdd, kErfBelow.numerator, kErfAbove.numerator, at),
                chosenPolynomial(wide, isOdd, kErfBelow.divisor, kErfAbove.divisor, at));
  Value power = wide.exp(arith::NegFOp::create(wide.b, square));
  Value factor = wide.select(isOdd, magnitude, arith::NegFOp::create(wide.b, power));
  return wide.plus(wide.times(factor, quotient), wide.select(isOdd, magnitude, wide.number(1)));
}

struct ExpandErf : OpRewritePattern<math::ErfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ErfOp op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32() && !op.getType().isF64())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    WideArithmetic wide{b};
    Value x = op.getOperand();
    if (op.getType().isF32())
      x = arith::ExtFOp::create(b, b.getF64Type(), x);
    Value magnitude = math::AbsFOp::create(b, x);
    Value result =
        op.getType().isF32() ? erfOfFloat(wide, op, magnitude) : erfOfDouble(wide, magnitude);
    rewriter.replaceOpWithNewOp<math::CopySignOp>(op, result, op.getOperand());
    return success();
  }
};

} // namespace

void addErfPatterns(RewritePatternSet &patterns) { patterns.add<ExpandErf>(patterns.getContext()); }

} // namespace spindle::hls
