#include "dialects/upstream/ExactCanonicalizer.h"

#include "dialects/affine/EmptyLoops.h"
#include "dialects/affine/Remainders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

#include <string>

using namespace mlir;

namespace spindle {

namespace {

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
                                          trustsFirstShape};
    OpPassManager upstream(getOperation()->getName());
    upstream.addPass(createCanonicalizerPass(GreedyRewriteConfig(), inexact));
    RewritePatternSet exact(&getContext());
    exact.add<ThereAndBack<arith::IndexCastOp>, ThereAndBack<arith::IndexCastUIOp>>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(exact))) ||
        failed(runPipeline(upstream, getOperation())))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> createExactCanonicalizer() { return std::make_unique<ExactCanonicalizer>(); }

} // namespace spindle
