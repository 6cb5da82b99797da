#include "dialects/upstream/ExactCanonicalizer.h"

#include "dialects/affine/EmptyLoops.h"
#include "dialects/affine/Remainders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

#include <optional>
#include <string>

using namespace mlir;

namespace spindle {

namespace {

constexpr int kMostRounds = 8;

/// A number there and back is itself where it has room on the way; upstream does not ask.
template <typename Cast> struct ThereAndBack : OpRewritePattern<Cast> {
  using OpRewritePattern<Cast>::OpRewritePattern;
  LogicalResult matchAndRewrite(Cast back, PatternRewriter &rewriter) const override {
    auto there = back.getIn().template getDefiningOp<Cast>();
    if (!there || there.getIn().getType() != back.getType())
      return failure();
    Type between = getElementTypeOrSelf(there.getType());
    if (!between.isIndex() && between.getIntOrFloatBitWidth() < 64)
      return failure();
    rewriter.replaceOp(back, there.getIn());
    return success();
  }
};

/// How often a loop of constant bounds runs, if at most once.
std::optional<unsigned> fewIterations(scf::ForOp loop) {
  APInt first, end, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&first)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&end)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return std::nullopt;
  bool isUnsigned = loop.getUnsignedCmp();
  auto wide = [&](const APInt &value) {
    return isUnsigned ? value.zext(value.getBitWidth() + 1) : value.sext(value.getBitWidth() + 1);
  };
  APInt distance = wide(end) - wide(first);
  if (!distance.isStrictlyPositive())
    return 0;
  bool isOnce = wide(step).isStrictlyPositive() && wide(step).sge(distance);
  return isOnce ? std::optional<unsigned>(1) : std::nullopt;
}

struct TrivialLoop : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern<scf::ForOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    std::optional<unsigned> iterations = fewIterations(loop);
    if (!iterations)
      return failure();
    if (*iterations == 0) {
      rewriter.replaceOp(loop, loop.getInitArgs());
      return success();
    }
    SmallVector<Value> arguments = {loop.getLowerBound()};
    llvm::append_range(arguments, loop.getInitArgs());
    Operation *yield = loop.getBody()->getTerminator();
    SmallVector<Value> results(yield->getOperands());
    rewriter.eraseOp(yield);
    for (Value &result : results) // what a carried value is becomes its start
      if (auto argument = dyn_cast<BlockArgument>(result);
          argument && argument.getOwner() == loop.getBody())
        result = arguments[argument.getArgNumber()];
    rewriter.inlineBlockBefore(loop.getBody(), loop, arguments);
    rewriter.replaceOp(loop, results);
    return success();
  }
};

struct ExactCanonicalizer : PassWrapper<ExactCanonicalizer, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExactCanonicalizer)

  void runOnOperation() override {
    removeEmptyLoops(getOperation());
    spellRemainders(getOperation());
    // An integer of 64 bits that is rounded to f64 and then to f32 is not always the nearest f32.
    static const std::string inexact[] = {"(anonymous namespace)::TruncFSIToFPToSIToFP",
                                          "(anonymous namespace)::TruncFUIToFPToUIToFP",
                                          "(anonymous namespace)::IndexCastOfIndexCast",
                                          "(anonymous namespace)::IndexCastUIOfIndexCastUI",
                                          trustsFirstShape,
                                          countsInItsType};
    OpPassManager upstream(getOperation()->getName());
    upstream.addPass(createCanonicalizerPass(GreedyRewriteConfig(), inexact));
    RewritePatternSet patterns(&getContext());
    patterns.add<ThereAndBack<arith::IndexCastOp>, ThereAndBack<arith::IndexCastUIOp>, TrivialLoop>(
        &getContext());
    FrozenRewritePatternSet exact(std::move(patterns));
    bool isChanged = succeeded(applyPatternsGreedily(getOperation(), exact));
    // Bounds that upstream makes constant are seen in the next round.
    for (int round = 0; isChanged && round < kMostRounds; ++round)
      if (failed(runPipeline(upstream, getOperation())) ||
          failed(applyPatternsGreedily(getOperation(), exact, GreedyRewriteConfig(), &isChanged)))
        return signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> createExactCanonicalizer() { return std::make_unique<ExactCanonicalizer>(); }

} // namespace spindle
