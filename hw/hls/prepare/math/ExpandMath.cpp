#include "dialects/order/SettleOrder.h"
#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

using namespace mlir;

namespace spindle::hls {

static Value constant(ImplicitLocOpBuilder &b, Type type, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
}

/// The least number from which on every float is an integer.
static double firstInteger(Type type) {
  return std::ldexp(1.0, int(cast<FloatType>(type).getFPMantissaWidth()) - 1);
}

/// x rounded to the nearest integer, ties to even: adding 2^52, in f64, leaves no bits for a
/// fraction.
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

static Value constantBits(ImplicitLocOpBuilder &b, const APInt &value) {
  Type type = b.getIntegerType(value.getBitWidth());
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
}
static unsigned widthOf(Value x) { return x.getType().getIntOrFloatBitWidth(); }

/// The number of ones, in as many bits: in pairs, in fours, …, which are added side by side.
static Value onesOf(ImplicitLocOpBuilder &b, Value x) {
  Type type = x.getType();
  unsigned width = widthOf(x), bits = unsigned(llvm::PowerOf2Ceil(width));
  if (bits != width)
    x = arith::ExtUIOp::create(b, b.getIntegerType(bits), x);
  for (unsigned part = 1; part < bits; part *= 2) {
    Value mask = constantBits(b, APInt::getSplat(bits, APInt::getLowBitsSet(2 * part, part)));
    Value high = arith::ShRUIOp::create(b, x, constantBits(b, APInt(bits, part)));
    Value low = arith::AndIOp::create(b, x, mask);
    x = arith::AddIOp::create(b, low, arith::AndIOp::create(b, high, mask));
  }
  return bits == width ? x : arith::TruncIOp::create(b, type, x).getResult();
}
static Value complementOf(ImplicitLocOpBuilder &b, Value x) {
  return arith::XOrIOp::create(b, x, constantBits(b, APInt::getAllOnes(widthOf(x))));
}
/// With ones from the highest one down, the others are the zeros above it.
static Value leadingZerosOf(ImplicitLocOpBuilder &b, Value x) {
  unsigned width = widthOf(x);
  for (unsigned part = 1; part < width; part *= 2) {
    Value moved = arith::ShRUIOp::create(b, x, constantBits(b, APInt(width, part)));
    x = arith::OrIOp::create(b, x, moved);
  }
  return onesOf(b, complementOf(b, x));
}
/// x - 1 has ones where x has zeros below its lowest one.
static Value trailingZerosOf(ImplicitLocOpBuilder &b, Value x) {
  Value below = arith::AddIOp::create(b, x, constantBits(b, APInt::getAllOnes(widthOf(x))));
  return onesOf(b, arith::AndIOp::create(b, complementOf(b, x), below));
}
/// On 64 bits where the operand is an index.
template <Value (*spell)(ImplicitLocOpBuilder &, Value)>
static Value countOf(ImplicitLocOpBuilder &b, Value x) {
  if (!x.getType().isIndex())
    return spell(b, x);
  Value wide = arith::IndexCastOp::create(b, b.getI64Type(), x);
  return arith::IndexCastOp::create(b, b.getIndexType(), spell(b, wide));
}

/// Bits of the units for products, quotients and conversions.
static unsigned bitsOfUnit(Type type) {
  return std::max(8u, unsigned(llvm::PowerOf2Ceil(type.getIntOrFloatBitWidth())));
}
static bool isOdd(Type type) {
  return isa<IntegerType>(type) && bitsOfUnit(type) != type.getIntOrFloatBitWidth();
}

namespace {
/// Products and quotients of other sizes than units have: those of extended operands have the same
/// low bits, also where they are by zero or wrap around.
template <typename Op, typename Extend> struct WidenOperation : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!isOdd(op.getType()))
      return failure();
    Type type = rewriter.getIntegerType(bitsOfUnit(op.getType()));
    Value a = Extend::create(rewriter, op.getLoc(), type, op.getLhs());
    Value b = Extend::create(rewriter, op.getLoc(), type, op.getRhs());
    Value wide = Op::create(rewriter, op.getLoc(), a, b);
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, op.getType(), wide);
    return success();
  }
};

/// From numbers of other sizes; those of one bit have a unit.
template <typename Op, typename Extend> struct WidenToFloat : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType();
    if (!isOdd(from) || from.isInteger(1))
      return failure();
    Value wide = Extend::create(rewriter, op.getLoc(), rewriter.getIntegerType(bitsOfUnit(from)),
                                op.getIn());
    rewriter.replaceOpWithNewOp<Op>(op, op.getType(), wide);
    return success();
  }
};

/// The low bits of a signed number of 32 or 64 bits
/// (hw/rtl/conversion/spindle_float_to_integer.sv).
template <typename Op> struct WidenFromFloat : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!isOdd(op.getType()))
      return failure();
    Type type = rewriter.getIntegerType(std::max(32u, bitsOfUnit(op.getType())));
    Value wide = arith::FPToSIOp::create(rewriter, op.getLoc(), type, op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, op.getType(), wide);
    return success();
  }
};

bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

/// What halves have no unit for is what f32, which holds them, has one for; the result is rounded
/// once more. Integers of more than 24 digits are beyond f16 in any case.
struct ByFloat : RewritePattern {
  explicit ByFloat(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 2, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    bool isMeant =
        isa<arith::FPToSIOp, arith::FPToUIOp, math::ExpOp, math::LogOp, math::PowFOp, math::RsqrtOp,
            math::TanhOp, math::ErfOp, math::Exp2Op, math::Log2Op, math::SinOp, math::CosOp>(op) ||
        (isa<arith::SIToFPOp, arith::UIToFPOp>(op) && op->getResult(0).getType().isF16());
    if (!isMeant || (!isHalf(op->getResult(0).getType()) && !isHalf(op->getOperand(0).getType())))
      return failure();
    Type wide = rewriter.getF32Type(), type = op->getResult(0).getType();
    IRMapping map;
    for (Value operand : op->getOperands())
      if (isHalf(operand.getType()))
        map.map(operand, arith::ExtFOp::create(rewriter, op->getLoc(), wide, operand).getResult());
    Operation *copy = rewriter.clone(*op, map);
    if (!isHalf(type)) {
      rewriter.replaceOp(op, copy->getResults());
      return success();
    }
    copy->getResult(0).setType(wide);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, copy->getResult(0));
    return success();
  }
};

/// The upper half of an f32: wires.
struct WidenBFloat : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    if (!op.getIn().getType().isBF16())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value bits = arith::BitcastOp::create(b, b.getI16Type(), op.getIn());
    Value word = arith::ExtUIOp::create(b, b.getI32Type(), bits);
    Value shift = arith::ConstantOp::create(b, b.getI32IntegerAttr(16));
    Value upper = arith::ShLIOp::create(b, word, shift);
    Value wide = arith::BitcastOp::create(b, b.getF32Type(), upper);
    if (!op.getType().isF32())
      wide = arith::ExtFOp::create(b, op.getType(), wide);
    rewriter.replaceOp(op, wide);
    return success();
  }
};

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
               Spell<math::AbsIOp, magnitudeOf>, Spell<math::CtPopOp, countOf<onesOf>>,
               Spell<math::CountLeadingZerosOp, countOf<leadingZerosOf>>,
               Spell<math::CountTrailingZerosOp, countOf<trailingZerosOf>>>(top.getContext());
  patterns.add<
      WidenOperation<arith::MulIOp, arith::ExtSIOp>, WidenOperation<arith::DivSIOp, arith::ExtSIOp>,
      WidenOperation<arith::RemSIOp, arith::ExtSIOp>,
      WidenOperation<arith::DivUIOp, arith::ExtUIOp>,
      WidenOperation<arith::RemUIOp, arith::ExtUIOp>, WidenToFloat<arith::SIToFPOp, arith::ExtSIOp>,
      WidenToFloat<arith::UIToFPOp, arith::ExtUIOp>, WidenFromFloat<arith::FPToSIOp>,
      WidenFromFloat<arith::FPToUIOp>>(top.getContext());
  patterns.add<ByFloat, WidenBFloat>(top.getContext());
  addExtendedPatterns(patterns);
  addClassPatterns(patterns);
  addTanhPatterns(patterns);
  addErfPatterns(patterns);
  addBaseTwoPatterns(patterns);
  addSinePatterns(patterns);
  if (failed(applyPatternsGreedily(top, std::move(patterns))))
    return failure();
  settleOrder(top); // patterns are written as formulas
  return success();
}

} // namespace spindle::hls
