// math.sin and math.cos by the units that there are, as hw/rtl/model/Sine.h defines them.
#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/math/QuarterTurns.h"
#include "hw/rtl/model/Sine.h"

#include <limits>

using namespace mlir;

namespace spindle::hls {

namespace {

/// One polynomial for both functions: which coefficients it has is a matter of wires.
Value polynomialOf(const WideArithmetic &wide, Value isCosine, Value square,
                   ArrayRef<double> cosines, ArrayRef<double> sines) {
  Value sum;
  for (auto [cosine, sine] : llvm::reverse(llvm::zip_equal(cosines, sines))) {
    Value coefficient = wide.select(isCosine, wide.number(cosine), wide.number(sine));
    sum = sum ? wide.plus(wide.times(sum, square), coefficient) : coefficient;
  }
  return sum;
}

Value turned(const WideArithmetic &wide, Value x, unsigned turns, bool isOdd) {
  ImplicitLocOpBuilder &b = wide.b;
  Words words{b};
  auto type = cast<FloatType>(x.getType());
  Type wordType = b.getIntegerType(type.getWidth());
  Value magnitude = math::AbsFOp::create(b, x);
  Value bits = arith::BitcastOp::create(b, wordType, magnitude);
  if (!type.isF64())
    bits = arith::ExtUIOp::create(b, b.getI64Type(), bits);
  auto [quadrant, rest] = quarterTurns(wide, magnitude, bits);
  if (turns > 0)
    quadrant = words.sum(quadrant, words.number(turns));
  Value square = wide.times(rest, rest), isCosine = words.bit(quadrant, 0);
  Value factor = wide.select(isCosine, wide.number(1), rest);
  Value polynomial =
      type.isF64()
          ? polynomialOf(wide, isCosine, square, kCosinePolynomialWide, kSinePolynomialWide)
          : polynomialOf(wide, isCosine, square, kCosinePolynomial, kSinePolynomial);
  Value result = wide.plus(factor, wide.times(factor, wide.times(square, polynomial)));
  if (!type.isF64())
    result = arith::TruncFOp::create(b, type, result);
  Value isNegative = words.bit(quadrant, 1);
  if (isOdd) {
    Value zero = arith::ConstantOp::create(b, b.getIntegerAttr(wordType, 0));
    Value sign = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                       arith::BitcastOp::create(b, wordType, x), zero);
    isNegative = arith::XOrIOp::create(b, isNegative, sign);
  }
  Value signedResult = wide.select(isNegative, arith::NegFOp::create(b, result), result);
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  Value none = arith::ConstantOp::create(b, b.getFloatAttr(type, APFloat::getQNaN(semantics)));
  uint64_t infinity = APFloat::getInf(semantics).bitcastToAPInt().getZExtValue();
  return wide.select(words.isBelow(bits, infinity), signedResult, none);
}

template <typename Op, unsigned turns, bool isOdd> struct ExpandSine : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32() && !op.getType().isF64())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, turned({b}, op.getOperand(), turns, isOdd));
    return success();
  }
};

} // namespace

void addSinePatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandSine<math::SinOp, 0, true>, ExpandSine<math::CosOp, 1, false>>(
      patterns.getContext());
}

} // namespace spindle::hls
