#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace spindle::hls {

namespace {

/// A float without its sign, as an unsigned number: infinity is above all others but NaN.
struct Magnitude {
  Magnitude(ImplicitLocOpBuilder &at, Value x) : b(at), type(cast<FloatType>(x.getType())) {
    Type bits = b.getIntegerType(type.getWidth());
    Value all = arith::BitcastOp::create(b, bits, x);
    value = arith::AndIOp::create(b, all, number(APInt::getSignedMaxValue(type.getWidth())));
  }

  Value number(const APInt &bits) {
    return arith::ConstantOp::create(b, b.getIntegerAttr(b.getIntegerType(type.getWidth()), bits));
  }
  APInt infinity() { return APFloat::getInf(type.getFloatSemantics()).bitcastToAPInt(); }
  APInt leastNormal() {
    return APFloat::getSmallestNormalized(type.getFloatSemantics()).bitcastToAPInt();
  }
  Value is(arith::CmpIPredicate predicate, const APInt &bits) {
    return arith::CmpIOp::create(b, predicate, value, number(bits));
  }

  ImplicitLocOpBuilder &b;
  FloatType type;
  Value value;
};

Value isNan(Magnitude x) { return x.is(arith::CmpIPredicate::ugt, x.infinity()); }
Value isInfinite(Magnitude x) { return x.is(arith::CmpIPredicate::eq, x.infinity()); }
Value isFinite(Magnitude x) { return x.is(arith::CmpIPredicate::ult, x.infinity()); }
Value isNormal(Magnitude x) {
  Value isLarge = x.is(arith::CmpIPredicate::uge, x.leastNormal());
  return arith::AndIOp::create(x.b, isLarge, isFinite(x));
}

template <typename Op, Value (*is)(Magnitude)> struct SpellClass : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!isa<FloatType>(op.getOperand().getType()))
      return failure();
    ImplicitLocOpBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, is(Magnitude(builder, op.getOperand())));
    return success();
  }
};

} // namespace

void addClassPatterns(RewritePatternSet &patterns) {
  patterns.add<SpellClass<math::IsNaNOp, isNan>, SpellClass<math::IsInfOp, isInfinite>,
               SpellClass<math::IsFiniteOp, isFinite>, SpellClass<math::IsNormalOp, isNormal>>(
      patterns.getContext());
}

} // namespace spindle::hls
