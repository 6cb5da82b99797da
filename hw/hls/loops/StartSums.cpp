// Sums that start with zero start with their first term.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/LoopPass.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSSTARTSUMS
#include "hw/hls/Passes.h.inc"

namespace {

/// The term of 0 + p or p + 0 for a positive zero; null for other sums.
Value termOf(arith::AddFOp sum) {
  if (matchPattern(sum.getLhs(), m_PosZeroFloat()))
    return sum.getRhs();
  return matchPattern(sum.getRhs(), m_PosZeroFloat()) ? sum.getLhs() : Value();
}

struct StartSums : LoopPass<impl::HlsStartSumsBase<StartSums>> {
  using LoopPass::LoopPass;

  void runOnLoops() override {
    foldConstants();
    getOperation().walk([&](arith::AddFOp sum) {
      auto type = dyn_cast<FloatType>(sum.getType());
      if (Value term = termOf(sum); type && term)
        start(sum, type, term);
    });
  }

  /// A zero may hide behind a condition that unrolling has decided.
  void foldConstants() {
    SmallVector<Operation *> operations;
    getOperation().walk([&](Operation *op) {
      if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
        operations.push_back(op);
    });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    (void)applyOpPatternsGreedily(operations, FrozenRewritePatternSet(), config);
  }

  /// 0 + p = (bits of p are those of -0) ? 0 : p.
  void start(arith::AddFOp sum, FloatType type, Value term) {
    OpBuilder builder(sum);
    Location loc = sum.getLoc();
    unsigned width = type.getWidth();
    auto integer = IntegerType::get(&getContext(), width);
    Value bits = arith::BitcastOp::create(builder, loc, integer, term);
    Value minusZero = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(integer, APInt::getSignMask(width)));
    Value zero = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, 0));
    Value isMinusZero =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, bits, minusZero);
    Value first = arith::SelectOp::create(builder, loc, isMinusZero, zero, term);
    sum.replaceAllUsesWith(first);
    sum.erase();
    ++started;
  }
};
} // namespace

} // namespace spindle::hls
