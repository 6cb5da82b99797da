// math.exp2 and math.log2 by the units that there are, as hw/rtl/model/BaseTwo.h defines them.
#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/math/WideArithmetic.h"
#include "hw/rtl/model/BaseTwo.h"

#include <cmath>

using namespace mlir;

namespace spindle::hls {

namespace {

/// An operation of f32 by way of f64.
template <typename Op, Value (*spell)(const WideArithmetic &, Value)>
Value ofFloat(const WideArithmetic &wide, Op op) {
  Value x = arith::ExtFOp::create(wide.b, wide.b.getF64Type(), op.getOperand());
  return arith::TruncFOp::create(wide.b, op.getType(), spell(wide, x));
}

Value powerOfE(const WideArithmetic &wide, Value x) {
  return wide.exp(wide.times(x, wide.number(kLn2)));
}

Value scaledLogarithm(const WideArithmetic &wide, Value x) {
  Value natural = math::LogOp::create(wide.b, x);
  return wide.times(natural, wide.number(kLog2E));
}

/// Exponent and logarithm of the mantissa apart; one unit serves what has no mantissa, too.
Value logarithmOfDouble(const WideArithmetic &wide, Value x) {
  ImplicitLocOpBuilder &b = wide.b;
  auto whole = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(number));
  };
  Value isAbove = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, wide.number(0));
  Value isFinite = wide.isBelow(x, INFINITY);
  Value isNumber = arith::AndIOp::create(b, isAbove, isFinite);
  Value isSubnormal = wide.isBelow(x, 0x1p-1022);
  Value scaled = wide.select(isSubnormal, wide.times(x, wide.number(0x1p54)), x);
  Value bits = arith::BitcastOp::create(b, b.getI64Type(), scaled);
  Value above = arith::SubIOp::create(b, bits, whole(kHalfRootBits));
  Value exponent = arith::ShRSIOp::create(b, above, whole(52));
  Value power = arith::ShLIOp::create(b, exponent, whole(52));
  Value rest = arith::SubIOp::create(b, bits, power);
  Value mantissa = arith::BitcastOp::create(b, b.getF64Type(), rest);
  Value lost = wide.select(isSubnormal, whole(54), whole(0));
  Value counted = arith::SubIOp::create(b, exponent, lost);
  Value natural = math::LogOp::create(b, wide.select(isNumber, mantissa, x));
  Value sum = wide.plus(arith::SIToFPOp::create(b, b.getF64Type(), counted),
                        wide.times(natural, wide.number(kLog2E)));
  return wide.select(isNumber, sum, natural);
}

struct ExpandExp2 : OpRewritePattern<math::Exp2Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::Exp2Op op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    WideArithmetic wide{b};
    if (op.getType().isF32())
      rewriter.replaceOp(op, ofFloat<math::Exp2Op, powerOfE>(wide, op));
    else if (op.getType().isF64())
      rewriter.replaceOpWithNewOp<math::PowFOp>(op, wide.number(2), op.getOperand());
    else
      return failure();
    return success();
  }
};

struct ExpandLog2 : OpRewritePattern<math::Log2Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::Log2Op op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    WideArithmetic wide{b};
    if (op.getType().isF32())
      rewriter.replaceOp(op, ofFloat<math::Log2Op, scaledLogarithm>(wide, op));
    else if (op.getType().isF64())
      rewriter.replaceOp(op, logarithmOfDouble(wide, op.getOperand()));
    else
      return failure();
    return success();
  }
};

} // namespace

void addBaseTwoPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExp2, ExpandLog2>(patterns.getContext());
}

} // namespace spindle::hls
