// math.fma by the units that there are.
#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace spindle::hls {

namespace {

/// In f64 the product of numbers of at most 24 digits is exact. The sum is rounded to odd: what it
/// loses, which two more additions tell exactly (Dekker 1971), is left in its last digit, so that
/// it is rounded to the type as if nothing had been lost (Boldo & Melquiond 2008).
struct ExpandFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FmaOp op, PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isa<Float16Type, BFloat16Type, Float32Type>(type))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto wide = [&](Value value) -> Value {
      return arith::ExtFOp::create(b, b.getF64Type(), value);
    };
    Value product = arith::MulFOp::create(b, wide(op.getA()), wide(op.getB()));
    Value odd = oddSum(b, product, wide(op.getC()));
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, odd);
    return success();
  }

  static Value oddSum(ImplicitLocOpBuilder &b, Value x, Value y) {
    auto select = [&](Value condition, Value yes, Value no) -> Value {
      return arith::SelectOp::create(b, condition, yes, no);
    };
    auto compare = [&](arith::CmpFPredicate predicate, Value left, Value right) -> Value {
      return arith::CmpFOp::create(b, predicate, left, right);
    };
    auto word = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
    };
    Value isOrdered =
        compare(arith::CmpFPredicate::OGE, math::AbsFOp::create(b, x), math::AbsFOp::create(b, y));
    Value large = select(isOrdered, x, y), small = select(isOrdered, y, x);
    Value sum = arith::AddFOp::create(b, large, small);
    Value lost = arith::SubFOp::create(b, small, arith::SubFOp::create(b, sum, large));
    // NaN where there is no finite sum: then nothing is changed.
    Value zero = arith::ConstantOp::create(b, b.getF64FloatAttr(0));
    Value isInexact = compare(arith::CmpFPredicate::ONE, lost, zero);
    Value bits = arith::BitcastOp::create(b, b.getI64Type(), sum);
    Value last = arith::TruncIOp::create(b, b.getI1Type(), bits);
    Value isEven =
        arith::XOrIOp::create(b, last, arith::ConstantOp::create(b, b.getBoolAttr(true)));
    Value moves = arith::AndIOp::create(b, isInexact, isEven);
    // Away from zero where what is lost has the sum's sign.
    Value isLarger = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                           compare(arith::CmpFPredicate::OGT, lost, zero),
                                           compare(arith::CmpFPredicate::OGT, sum, zero));
    Value step = select(moves, select(isLarger, word(1), word(-1)), word(0));
    Value changed = arith::AddIOp::create(b, bits, step);
    return arith::BitcastOp::create(b, b.getF64Type(), changed);
  }
};

} // namespace

void addFmaPatterns(RewritePatternSet &patterns) { patterns.add<ExpandFma>(patterns.getContext()); }

} // namespace spindle::hls
