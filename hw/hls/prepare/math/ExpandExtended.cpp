// Sums with their carry, products with their upper half.
#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace spindle::hls {

namespace {

struct ExpandAddExtended : OpRewritePattern<arith::AddUIExtendedOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AddUIExtendedOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getSum().getType().isInteger())
      return failure();
    Location where = op.getLoc();
    Value sum = arith::AddIOp::create(rewriter, where, op.getLhs(), op.getRhs());
    Value carry =
        arith::CmpIOp::create(rewriter, where, arith::CmpIPredicate::ult, sum, op.getLhs());
    rewriter.replaceOp(op, {sum, carry});
    return success();
  }
};

/// The upper half of a product without signs, by halves of 32 bits: none of the sums overflows.
Value upperProduct(ImplicitLocOpBuilder &b, Value x, Value y) {
  Value half = arith::ConstantOp::create(b, b.getI64IntegerAttr(32));
  Value mask = arith::ConstantOp::create(b, b.getI64IntegerAttr(0xffffffff));
  auto low = [&](Value value) -> Value { return arith::AndIOp::create(b, value, mask); };
  auto high = [&](Value value) -> Value { return arith::ShRUIOp::create(b, value, half); };
  auto times = [&](Value left, Value right) -> Value {
    return arith::MulIOp::create(b, left, right);
  };
  auto plus = [&](Value left, Value right) -> Value {
    return arith::AddIOp::create(b, left, right);
  };
  Value x0 = low(x), x1 = high(x), y0 = low(y), y1 = high(y);
  Value first = plus(times(x1, y0), high(times(x0, y0)));
  Value second = plus(times(x0, y1), low(first));
  return plus(times(x1, y1), plus(high(first), high(second)));
}

/// A product of up to 32 bits by one of twice the bits, one of 33 to 64 by its halves; with signs,
/// each factor below zero takes the other from the upper half.
template <typename Op, typename Extend, bool isSigned> struct ExpandProduct : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Type type = op.getLow().getType();
    if (!type.isInteger())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    unsigned bits = type.getIntOrFloatBitWidth();
    Type wide = b.getIntegerType(bits <= 32 ? 2 * bits : 64);
    auto extend = [&](Value value) -> Value {
      return value.getType() == wide ? value : Extend::create(b, wide, value).getResult();
    };
    Value x = extend(op.getLhs()), y = extend(op.getRhs());
    Value product = arith::MulIOp::create(b, x, y);
    auto shifted = [&](Value value, unsigned amount) -> Value {
      Value by = arith::ConstantOp::create(b, b.getIntegerAttr(wide, amount));
      return arith::ShRUIOp::create(b, value, by);
    };
    auto cut = [&](Value value) -> Value {
      return type == wide ? value : arith::TruncIOp::create(b, type, value).getResult();
    };
    if (bits <= 32) {
      rewriter.replaceOp(op, {cut(product), cut(shifted(product, bits))});
      return success();
    }
    Value upper = upperProduct(b, x, y);
    if (isSigned) {
      Value zero = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
      auto lessIfNegative = [&](Value sign, Value other) {
        Value isNegative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, sign, zero);
        Value taken = arith::SelectOp::create(b, isNegative, other, zero);
        upper = arith::SubIOp::create(b, upper, taken);
      };
      lessIfNegative(x, y);
      lessIfNegative(y, x);
    }
    // Of fewer than 64 bits the upper half begins in the lower word.
    if (bits < 64) {
      Value up = arith::ConstantOp::create(b, b.getI64IntegerAttr(64 - bits));
      upper = arith::OrIOp::create(b, arith::ShLIOp::create(b, upper, up), shifted(product, bits));
    }
    rewriter.replaceOp(op, {cut(product), cut(upper)});
    return success();
  }
};

} // namespace

void addExtendedPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandAddExtended, ExpandProduct<arith::MulUIExtendedOp, arith::ExtUIOp, false>,
               ExpandProduct<arith::MulSIExtendedOp, arith::ExtSIOp, true>>(patterns.getContext());
}

} // namespace spindle::hls
