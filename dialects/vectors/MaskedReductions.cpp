// vector.mask around reductions: what is masked out takes the value that changes nothing.
#include "dialects/vectors/Masks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace spindle::vectors {

namespace {

using vector::CombiningKind;

/// The number that changes no other one: -0 for sums of floats, which keeps the sign of zero.
TypedAttr neutralOf(OpBuilder &b, CombiningKind kind, Type type) {
  auto infinity = [&](bool isNegative) -> TypedAttr {
    return b.getFloatAttr(type,
                          APFloat::getInf(cast<FloatType>(type).getFloatSemantics(), isNegative));
  };
  auto integer = [&](const APInt &value) -> TypedAttr { return b.getIntegerAttr(type, value); };
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  switch (kind) {
  case CombiningKind::ADD:
    return isa<FloatType>(type) ? TypedAttr(b.getFloatAttr(type, -0.0)) : integer(APInt(bits, 0));
  case CombiningKind::MUL:
    return isa<FloatType>(type) ? TypedAttr(b.getFloatAttr(type, 1)) : integer(APInt(bits, 1));
  case CombiningKind::AND:
  case CombiningKind::MINUI:
    return integer(APInt::getAllOnes(bits));
  case CombiningKind::OR:
  case CombiningKind::XOR:
  case CombiningKind::MAXUI:
    return integer(APInt(bits, 0));
  case CombiningKind::MINSI:
    return integer(APInt::getSignedMaxValue(bits));
  case CombiningKind::MAXSI:
    return integer(APInt::getSignedMinValue(bits));
  case CombiningKind::MINIMUMF:
  case CombiningKind::MINNUMF:
    return infinity(false);
  case CombiningKind::MAXIMUMF:
  case CombiningKind::MAXNUMF:
    return infinity(true);
  }
  llvm_unreachable("a kind of combination");
}

struct FillMaskedOut : OpRewritePattern<vector::MaskOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::MaskOp op, PatternRewriter &rewriter) const override {
    Operation *inner = op.getMaskableOp();
    if (!isa_and_nonnull<vector::ReductionOp, vector::MultiDimReductionOp>(inner) ||
        op.getPassthru())
      return failure();
    auto reduction = dyn_cast<vector::ReductionOp>(inner);
    CombiningKind kind =
        reduction ? reduction.getKind() : cast<vector::MultiDimReductionOp>(inner).getKind();
    Value source = inner->getOperand(0);
    auto type = cast<VectorType>(source.getType());
    TypedAttr neutral = neutralOf(rewriter, kind, type.getElementType());
    Value others = arith::ConstantOp::create(rewriter, op.getLoc(),
                                             DenseElementsAttr::get(type, Attribute(neutral)));
    Value filled = arith::SelectOp::create(rewriter, op.getLoc(), op.getMask(), source, others);
    Operation *plain = rewriter.clone(*inner);
    plain->setOperand(0, filled);
    rewriter.replaceOp(op, plain->getResults());
    return success();
  }
};

} // namespace

LogicalResult resolveMasks(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
  patterns.add<FillMaskedOut>(module.getContext());
  SmallVector<Operation *> masks;
  module.walk([&](vector::MaskOp op) { masks.push_back(op); });
  FrozenRewritePatternSet frozen(std::move(patterns));
  return success(masks.empty() || succeeded(applyOpPatternsGreedily(masks, frozen)));
}

} // namespace spindle::vectors
