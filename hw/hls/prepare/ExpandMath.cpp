#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace spindle::hls {

static Value constant(ImplicitLocOpBuilder &b, Type type, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
}

/// The least number from which on every float is an integer.
static double firstInteger(Type type) { return type.isF32() ? 0x1p23 : 0x1p52; }

/// x rounded to the nearest integer, ties to even: adding 2^52 leaves no bits for a fraction.
static Value roundEven(ImplicitLocOpBuilder &b, Value x) {
  Type type = x.getType();
  Value limit = constant(b, type, firstInteger(type));
  Value magnitude = math::AbsFOp::create(b, x);
  Value shifted = arith::AddFOp::create(b, magnitude, limit);
  Value rounded = arith::SubFOp::create(b, shifted, limit);
  Value isSmall = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, magnitude, limit);
  Value chosen = arith::SelectOp::create(b, isSmall, rounded, magnitude);
  return math::CopySignOp::create(b, chosen, x);
}

/// `rounded` or, where `predicate` holds between it and x, the integer beside it in direction `by`.
static Value adjust(ImplicitLocOpBuilder &b, Value x, Value rounded, arith::CmpFPredicate predicate,
                    double by) {
  Value step = constant(b, x.getType(), by);
  Value beside = arith::AddFOp::create(b, rounded, step);
  Value isOff = arith::CmpFOp::create(b, predicate, rounded, x);
  Value chosen = arith::SelectOp::create(b, isOff, beside, rounded);
  return math::CopySignOp::create(b, chosen, x); // of zeros
}

static Value floorOf(ImplicitLocOpBuilder &b, Value x) {
  return adjust(b, x, roundEven(b, x), arith::CmpFPredicate::OGT, -1);
}
static Value ceilOf(ImplicitLocOpBuilder &b, Value x) {
  return adjust(b, x, roundEven(b, x), arith::CmpFPredicate::OLT, 1);
}
static Value truncOf(ImplicitLocOpBuilder &b, Value x) {
  Value magnitude = math::AbsFOp::create(b, x);
  return math::CopySignOp::create(b, floorOf(b, magnitude), x);
}
/// To the nearest integer, ties away from zero; the fraction x - trunc(x) is exact.
static Value roundOf(ImplicitLocOpBuilder &b, Value x) {
  Value magnitude = math::AbsFOp::create(b, x);
  Value whole = floorOf(b, magnitude);
  Value fraction = arith::SubFOp::create(b, magnitude, whole);
  Value half = constant(b, x.getType(), 0.5);
  Value isUp = arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, fraction, half);
  Value next = arith::AddFOp::create(b, whole, constant(b, x.getType(), 1));
  Value chosen = arith::SelectOp::create(b, isUp, next, whole);
  return math::CopySignOp::create(b, chosen, x);
}
static Value reciprocalRootOf(ImplicitLocOpBuilder &b, Value x) {
  Value root = math::SqrtOp::create(b, x);
  return arith::DivFOp::create(b, constant(b, x.getType(), 1), root);
}
static Value magnitudeOf(ImplicitLocOpBuilder &b, Value x) {
  Value zero = arith::ConstantOp::create(b, b.getIntegerAttr(x.getType(), 0));
  Value negative = arith::SubIOp::create(b, zero, x);
  Value isNegative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x, zero);
  return arith::SelectOp::create(b, isNegative, negative, x);
}

namespace {
/// An operation of one operand by the function that spells it out.
template <typename Op, Value (*spell)(ImplicitLocOpBuilder &, Value)>
struct Spell : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op->getResult(0).getType().isIntOrIndexOrFloat())
      return failure();
    ImplicitLocOpBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, spell(builder, op.getOperand()));
    return success();
  }
};
} // namespace

LogicalResult expandMath(func::FuncOp top) {
  RewritePatternSet patterns(top.getContext());
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  patterns.add<Spell<math::RoundEvenOp, roundEven>, Spell<math::FloorOp, floorOf>,
               Spell<math::CeilOp, ceilOf>, Spell<math::TruncOp, truncOf>,
               Spell<math::RoundOp, roundOf>, Spell<math::RsqrtOp, reciprocalRootOf>,
               Spell<math::AbsIOp, magnitudeOf>>(top.getContext());
  return applyPatternsGreedily(top, std::move(patterns));
}

} // namespace spindle::hls
