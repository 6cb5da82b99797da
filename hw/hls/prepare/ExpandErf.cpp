// math.erf by the units that there are, as hw/rtl/model/Erf.h defines it.
#include "hw/hls/prepare/Stages.h"
#include "hw/rtl/model/Erf.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace spindle::hls {

namespace {

/// Arithmetic of f64 on values.
struct Wide {
  ImplicitLocOpBuilder &b;

  Value number(double value) const {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }
  Value times(Value left, Value right) const { return arith::MulFOp::create(b, left, right); }
  Value plus(Value left, Value right) const { return arith::AddFOp::create(b, left, right); }
};

/// From its constant on, by Horner's rule.
Value polynomial(const Wide &wide, ArrayRef<double> coefficients, Value x) {
  Value sum = wide.number(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = wide.plus(wide.times(sum, x), wide.number(coefficient));
  return sum;
}

struct ExpandErf : OpRewritePattern<math::ErfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ErfOp op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Wide wide{b};
    Value x = arith::ExtFOp::create(b, b.getF64Type(), op.getOperand());
    Value magnitude = math::AbsFOp::create(b, x), square = wide.times(magnitude, magnitude);
    Value series = wide.times(magnitude, polynomial(wide, kErfSeries, square));
    Value divisor = wide.plus(wide.number(1), wide.times(magnitude, wide.number(kErfScale)));
    Value t = arith::DivFOp::create(b, wide.number(1), divisor);
    Value power = math::ExpOp::create(b, arith::NegFOp::create(b, square));
    Value rest = wide.times(power, polynomial(wide, kErfPolynomial, t));
    Value result = arith::SubFOp::create(b, wide.number(1), rest);
    Value isSmall =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, magnitude, wide.number(kErfIsSeries));
    Value chosen = arith::SelectOp::create(b, isSmall, series, result);
    Value rounded = arith::TruncFOp::create(b, op.getType(), chosen);
    rewriter.replaceOpWithNewOp<math::CopySignOp>(op, rounded, op.getOperand());
    return success();
  }
};

} // namespace

void addErfPatterns(RewritePatternSet &patterns) { patterns.add<ExpandErf>(patterns.getContext()); }

} // namespace spindle::hls
