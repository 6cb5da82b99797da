#include "hw/hls/prepare/Stages.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace spindle::hls {

namespace {
/// A switch is a chain of conditions.
struct SwitchToIf : OpRewritePattern<scf::IndexSwitchOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IndexSwitchOp op, PatternRewriter &rewriter) const override {
    if (op.getCases().empty()) {
      Block &body = op.getDefaultBlock();
      Operation *yield = body.getTerminator();
      SmallVector<Value> results(yield->getOperands());
      rewriter.eraseOp(yield);
      rewriter.inlineBlockBefore(&body, op);
      rewriter.replaceOp(op, results);
      return success();
    }
    Location location = op.getLoc();
    Value number = arith::ConstantIndexOp::create(rewriter, location, op.getCases().front());
    Value isFirst =
        arith::CmpIOp::create(rewriter, location, arith::CmpIPredicate::eq, op.getArg(), number);
    auto branch = scf::IfOp::create(rewriter, location, op.getResultTypes(), isFirst,
                                    /*addThenBlock=*/false, /*addElseBlock=*/false);
    rewriter.inlineRegionBefore(op.getCaseRegions().front(), branch.getThenRegion(),
                                branch.getThenRegion().end());
    rewriter.createBlock(&branch.getElseRegion());
    auto rest = scf::IndexSwitchOp::create(rewriter, location, op.getResultTypes(), op.getArg(),
                                           op.getCases().drop_front(), op.getCases().size() - 1);
    for (unsigned n = 0; n < rest.getNumCases(); ++n)
      rewriter.inlineRegionBefore(op.getCaseRegions()[n + 1], rest.getCaseRegions()[n],
                                  rest.getCaseRegions()[n].end());
    rewriter.inlineRegionBefore(op.getDefaultRegion(), rest.getDefaultRegion(),
                                rest.getDefaultRegion().end());
    scf::YieldOp::create(rewriter, location, rest.getResults());
    rewriter.replaceOp(op, branch.getResults());
    return success();
  }
};

/// A value that nobody reads may be any; zero is one.
struct PoisonToZero : OpRewritePattern<ub::PoisonOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ub::PoisonOp op, PatternRewriter &rewriter) const override {
    auto array = dyn_cast<ShapedType>(op.getType());
    TypedAttr zero = rewriter.getZeroAttr(op.getType());
    if (!zero || (array && !array.hasStaticShape()))
      return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, zero);
    return success();
  }
};
} // namespace

LogicalResult lowerControl(ModuleOp module) {
  bool hasBranches = module
                         .walk([](Operation *op) {
                           return isa<cf::BranchOp, cf::CondBranchOp, cf::SwitchOp>(op)
                                      ? WalkResult::interrupt()
                                      : WalkResult::advance();
                         })
                         .wasInterrupted();
  PassManager passes(module.getContext());
  if (hasBranches) {
    passes.addPass(createLiftControlFlowToSCFPass());
    passes.addPass(createExactCanonicalizer());
  }
  passes.addPass(createForallToForLoopPass());
  if (failed(passes.run(module)))
    return failure();
  RewritePatternSet patterns(module.getContext());
  scf::populateUpliftWhileToForPatterns(patterns);
  patterns.add<SwitchToIf, PoisonToZero>(module.getContext());
  return applyPatternsGreedily(module, std::move(patterns));
}

} // namespace spindle::hls
