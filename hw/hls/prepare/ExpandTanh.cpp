// math.tanh by the units that there are, as hw/rtl/model/Tanh.h defines it.
#include "hw/hls/prepare/Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace spindle::hls {

namespace {

/// Below it the result is the operand.
constexpr double kLinear = 0x1p-12;

struct ExpandTanh : OpRewritePattern<math::TanhOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::TanhOp op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto number = [&](double value) -> Value {
      return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
    };
    Value wide = arith::ExtFOp::create(b, b.getF64Type(), op.getOperand());
    Value magnitude = math::AbsFOp::create(b, wide);
    Value power = math::ExpOp::create(b, arith::AddFOp::create(b, magnitude, magnitude));
    Value quotient =
        arith::DivFOp::create(b, number(2), arith::AddFOp::create(b, power, number(1)));
    Value result = arith::SubFOp::create(b, number(1), quotient);
    Value rounded = arith::TruncFOp::create(b, op.getType(), result);
    Value isLinear =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, magnitude, number(kLinear));
    Value chosen = arith::SelectOp::create(b, isLinear, op.getOperand(), rounded);
    rewriter.replaceOpWithNewOp<math::CopySignOp>(op, chosen, op.getOperand());
    return success();
  }
};

} // namespace

void addTanhPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandTanh>(patterns.getContext());
}

} // namespace spindle::hls
