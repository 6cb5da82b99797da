#include "hw/hls/prepare/Stages.h"

#include "dialects/upstream/DefinePoison.h"
#include "dialects/upstream/ExactCanonicalizer.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
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

/// Counters of a loop that are read after it.
SmallVector<unsigned> countersReadAfter(scf::WhileOp loop) {
  SmallVector<unsigned> counters;
  scf::ConditionOp condition = loop.getConditionOp();
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  for (auto [result, passed] : llvm::zip_equal(loop.getResults(), condition.getArgs())) {
    auto counter = dyn_cast<BlockArgument>(passed);
    if (!result.use_empty() && compare && counter && counter.getOwner() == loop.getBeforeBody() &&
        llvm::is_contained(compare->getOperands(), counter))
      counters.push_back(result.getResultNumber());
  }
  return counters;
}

/// Upstream makes a for loop of a while loop that counts, and takes the last iteration's counter
/// for the one after the loop, where there may have been no iteration at all. So what is read after
/// the loop is carried beside the counter.
void carryCounters(scf::WhileOp loop) {
  SmallVector<unsigned> counters = countersReadAfter(loop);
  if (counters.empty())
    return;
  OpBuilder builder(loop);
  scf::ConditionOp condition = loop.getConditionOp();
  Operation *yield = loop.getAfterBody()->getTerminator();
  SmallVector<Value> starts(loop.getInits());
  SmallVector<Type> types(loop.getResultTypes());
  for (unsigned result : counters) {
    unsigned number = cast<BlockArgument>(condition.getArgs()[result]).getArgNumber();
    Location location = loop.getLoc();
    Type type = loop.getResult(result).getType();
    starts.push_back(loop.getInits()[number]);
    types.push_back(type);
    Value copy = loop.getBeforeBody()->addArgument(type, location);
    loop.getAfterBody()->addArgument(type, location);
    condition->insertOperands(condition->getNumOperands(), copy);
    yield->insertOperands(yield->getNumOperands(), Value(yield->getOperand(number)));
  }
  auto carrying = scf::WhileOp::create(builder, loop.getLoc(), types, starts);
  carrying->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  carrying.getBefore().takeBody(loop.getBefore());
  carrying.getAfter().takeBody(loop.getAfter());
  for (auto [at, result] : llvm::enumerate(loop.getResults())) {
    auto counter = llvm::find(counters, at);
    size_t place =
        counter == counters.end() ? at : loop.getNumResults() + size_t(counter - counters.begin());
    result.replaceAllUsesWith(carrying.getResult(unsigned(place)));
  }
  loop.erase();
}
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
  if (failed(passes.run(module)) || failed(serializeForall(module)))
    return failure();
  definePoison(module); // where upstream's structuring has no value
  module.walk(carryCounters);
  RewritePatternSet patterns(module.getContext());
  scf::populateUpliftWhileToForPatterns(patterns);
  patterns.add<SwitchToIf>(module.getContext());
  return applyPatternsGreedily(module, std::move(patterns));
}

} // namespace spindle::hls
