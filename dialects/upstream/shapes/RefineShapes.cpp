// An operation that could have known extents, but has open ones, gets the known ones, and a cast
// back to the open ones for those that read it: each step leaves a valid program, and upstream's
// folds carry the cast through operations on tensors. Here are the rules that they lack.
#include "dialects/upstream/shapes/RefineShapes.h"

#include "dialects/upstream/ExactCanonicalizer.h"
#include "dialects/upstream/shapes/KnownShapes.h"
#include "dialects/upstream/shapes/RefineValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace spindle {

using namespace upstream;

namespace {

/// What a loop hands on is taken to have the shape that it carries. Upstream's folds would trust a
/// cast that says so; they do not know this operation, which goes away as soon as the shape is
/// known.
void assumeShape(PatternRewriter &rewriter, OpOperand &operand, ArrayRef<int64_t> shape) {
  Operation *yield = operand.getOwner();
  rewriter.setInsertionPoint(yield);
  Value assumed =
      UnrealizedConversionCastOp::create(rewriter, yield->getLoc(),
                                         shapedTypeOf(operand.get()).clone(shape), operand.get())
          .getResult(0);
  rewriter.modifyOpInPlace(yield, [&] { operand.set(assumed); });
}

struct Assumed : OpRewritePattern<UnrealizedConversionCastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(UnrealizedConversionCastOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumOperands() != 1 || op.getNumResults() != 1 || !shapedTypeOf(op.getResult(0)))
      return failure();
    std::optional<Shape> shape = shapeOf(op.getOperand(0));
    if (!shape || *shape != Shape(shapedTypeOf(op.getResult(0)).getShape()))
      return failure();
    rewriter.replaceOp(
        op, makeShapeCast(rewriter, op.getLoc(), op.getResult(0).getType(), op.getOperand(0)));
    return success();
  }
};

bool hasOneShape(Operation *op) {
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    if (choice.getCondition().getType().isInteger())
      return false; // between tensors of any shape
  return OpTrait::hasElementwiseMappableTraits(op) ||
         isa<bufferization::MaterializeInDestinationOp, linalg::SoftmaxOp>(op);
}

/// Operations whose arrays and tensors all have one shape.
struct OneShape : RewritePattern {
  explicit OneShape(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!hasOneShape(op))
      return failure();
    SmallVector<Value> values(op->getOperands());
    llvm::append_range(values, op->getResults());
    std::optional<Shape> shape;
    for (Value value : values)
      if (std::optional<Shape> own = shapeOf(value)) {
        shape = shape ? joined(*shape, *own) : own;
        if (!shape)
          return failure();
      }
    if (!shape)
      return failure();
    bool changes = false;
    for (OpOperand &operand : op->getOpOperands())
      if (shapedTypeOf(operand.get()))
        changes |= castOperand(rewriter, operand, *shape);
    for (Value result : op->getResults())
      changes |= shapedTypeOf(result) && refine(rewriter, op, result, *shape);
    return success(changes);
  }
};

/// A choice: what both have in common.
struct Choice : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    std::optional<Shape> one = shapeOf(op.getTrueValue()), two = shapeOf(op.getFalseValue());
    if (hasOneShape(op) || !one || !two || !isOpen(op.getType()))
      return failure();
    std::optional<Shape> shape =
        joined(cast<ShapedType>(op.getType()).getShape(), common(*one, *two));
    if (!shape || !refine(rewriter, op, op.getResult(), *shape))
      return failure();
    castOperand(rewriter, op.getTrueValueMutable(), *shape);
    castOperand(rewriter, op.getFalseValueMutable(), *shape);
    return success();
  }
};

/// Conditions: what all ends have in common.
template <typename Branch> struct Ends : OpRewritePattern<Branch> {
  using OpRewritePattern<Branch>::OpRewritePattern;

  LogicalResult matchAndRewrite(Branch op, PatternRewriter &rewriter) const override {
    bool changes = false;
    for (OpResult result : op->getResults()) {
      if (!isOpen(result.getType()) || !shapedTypeOf(result))
        continue;
      std::optional<Shape> shape;
      for (Region &region : op->getRegions()) {
        Operation *yield = region.back().getTerminator();
        Shape own = *shapeOf(yield->getOperand(result.getResultNumber()));
        shape = shape ? common(*shape, own) : own;
      }
      shape = joined(*shape, cast<ShapedType>(result.getType()).getShape());
      if (!shape || !refine(rewriter, op, result, *shape))
        continue;
      for (Region &region : op->getRegions())
        castOperand(rewriter, region.back().getTerminator()->getOpOperand(result.getResultNumber()),
                    *shape);
      changes = true;
    }
    return success(changes);
  }
};

/// A loop carries what it begins with.
struct Carried : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    bool changes = false;
    for (auto [n, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
      std::optional<Shape> shape =
          isOpen(argument.getType()) ? shapeOf(loop.getInits()[n]) : std::nullopt;
      if (!shape || !refine(rewriter, loop, argument, *shape))
        continue;
      refine(rewriter, loop, loop.getResult(unsigned(n)), *shape);
      castOperand(rewriter, loop.getInitsMutable()[n], *shape);
      assumeShape(rewriter, loop.getBody()->getTerminator()->getOpOperand(unsigned(n)), *shape);
      changes = true;
    }
    return success(changes);
  }
};

/// So does one that data end; what leaves it is what its condition hands on.
struct Repeated : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::WhileOp loop, PatternRewriter &rewriter) const override {
    bool changes = false;
    for (auto [n, argument] : llvm::enumerate(loop.getBeforeArguments())) {
      std::optional<Shape> shape =
          isOpen(argument.getType()) ? shapeOf(loop.getInits()[n]) : std::nullopt;
      if (!shape || !refine(rewriter, loop, argument, *shape))
        continue;
      castOperand(rewriter, loop.getInitsMutable()[n], *shape);
      assumeShape(rewriter, loop.getYieldOp()->getOpOperand(unsigned(n)), *shape);
      changes = true;
    }
    scf::ConditionOp condition = loop.getConditionOp();
    for (auto [n, argument] : llvm::enumerate(loop.getAfterArguments())) {
      std::optional<Shape> shape =
          isOpen(argument.getType()) ? shapeOf(condition.getArgs()[n]) : std::nullopt;
      if (!shape || !refine(rewriter, loop, argument, *shape))
        continue;
      refine(rewriter, loop, loop.getResult(unsigned(n)), *shape);
      castOperand(rewriter, condition.getArgsMutable()[n], *shape);
      changes = true;
    }
    return success(changes);
  }
};

/// An argument has the extents that it is cast to.
template <typename Cast> struct Argument : OpRewritePattern<Cast> {
  using OpRewritePattern<Cast>::OpRewritePattern;

  LogicalResult matchAndRewrite(Cast op, PatternRewriter &rewriter) const override {
    func::FuncOp function = outermostOf(op.getSource());
    ShapedType to = shapedTypeOf(op.getResult()), from = shapedTypeOf(op.getSource());
    if (!function || !to || !from)
      return failure();
    std::optional<Shape> shape = joined(from.getShape(), to.getShape());
    if (!shape || !refine(rewriter, function, op.getSource(), *shape))
      return failure();
    settleType(function);
    return success();
  }
};

/// Operations that infer the shapes of their results from any operands (tosa).
struct Inferring : RewritePattern {
  explicit Inferring(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (op->getName().getDialectNamespace() != "tosa")
      return failure();
    bool changes = false;
    for (OpOperand &operand : op->getOpOperands())
      if (auto cast = operand.get().getDefiningOp<tensor::CastOp>();
          cast && isOpen(cast.getType()) && isa<RankedTensorType>(cast.getSource().getType())) {
        rewriter.modifyOpInPlace(op, [&] { operand.set(cast.getSource()); });
        changes = true;
      }
    return success(changes);
  }
};

/// Rules of upstream for the operations of these dialects.
void addUpstream(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  for (StringRef name : {"tensor", "memref", "linalg", "scf", "bufferization"})
    if (Dialect *dialect = context->getLoadedDialect(name)) {
      dialect->getCanonicalizationPatterns(patterns);
      for (RegisteredOperationName op : context->getRegisteredOperations())
        if (op.getDialectNamespace() == name)
          op.getCanonicalizationPatterns(patterns, context);
    }
}

/// A function gives what its return has.
void refineResults(func::FuncOp function) {
  if (!function.isPublic() || !function.getBody().hasOneBlock())
    return;
  Operation *end = function.getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands())
    if (Operation *cast = operand.get().getDefiningOp();
        isa_and_nonnull<tensor::CastOp, memref::CastOp>(cast) &&
        isOpen(cast->getResult(0).getType()) && shapedTypeOf(cast->getOperand(0)))
      operand.set(cast->getOperand(0));
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(),
                                     end->getOperandTypes()));
}

LogicalResult checkAssumed(Operation *op) {
  auto assumed = dyn_cast<UnrealizedConversionCastOp>(op);
  bool isOne = assumed && assumed.getNumOperands() == 1 && assumed.getNumResults() == 1;
  auto from = isOne ? shapedTypeOf(assumed.getOperand(0)) : ShapedType();
  auto to = from ? shapedTypeOf(assumed.getResult(0)) : ShapedType();
  if (!to || *shapeOf(assumed.getOperand(0)) == Shape(to.getShape()))
    return success();
  return op->emitError() << "a loop begins with " << to << " and goes on with "
                         << from.clone(*shapeOf(assumed.getOperand(0)))
                         << ", expected the same extents in each iteration";
}

/// Loops were taken to carry what they begin with.
LogicalResult checkAssumed(ModuleOp module) {
  WalkResult result = module.walk([](UnrealizedConversionCastOp op) {
    return failed(checkAssumed(op.getOperation())) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Nor may what was taken to be so vanish before it is known, with a tensor that nobody reads: its
/// extents were read.
struct WatchAssumed : RewriterBase::Listener {
  void notifyOperationErased(Operation *op) override { isBroken |= failed(checkAssumed(op)); }
  bool isBroken = false;
};

/// Element by element, of different shapes.
LogicalResult checkOneShape(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    std::optional<Shape> shape;
    bool isChoice = isa<arith::SelectOp>(op); // beside its condition
    for (Value value : isChoice          ? op->getOperands().drop_front()
                       : hasOneShape(op) ? op->getOperands()
                                         : ValueRange()) {
      if (!shapedTypeOf(value))
        continue;
      std::optional<Shape> own = shapeOf(value);
      if (own && shape && !joined(*shape, *own)) {
        op->emitError() << op->getName() << " reads shapes " << shapedTypeOf(value).clone(*shape)
                        << " and " << shapedTypeOf(value).clone(*own)
                        << ", expected one: correct them, or bind other numbers";
        return WalkResult::interrupt();
      }
      shape = own && shape ? joined(*shape, *own) : own ? own : shape;
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

bool hasOpenShapes(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isOpen) ? WalkResult::interrupt()
                                                          : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

LogicalResult refineShapes(ModuleOp module) {
  if (!hasOpenShapes(module))
    return success();
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  patterns.add<OneShape, Choice, Inferring, Assumed, Ends<scf::IfOp>, Ends<scf::IndexSwitchOp>,
               Carried, Repeated, Argument<tensor::CastOp>, Argument<memref::CastOp>>(context);
  addRulesOfOperations(patterns);
  addUpstream(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns),
                                 ArrayRef<std::string>{trustsFirstShape, countsInItsType});
  WatchAssumed watch;
  GreedyRewriteConfig config;
  config.setListener(&watch);
  if (failed(applyPatternsGreedily(module, frozen, config)) || watch.isBroken)
    return failure();
  module.walk(refineResults);
  return success(succeeded(checkAssumed(module)) && succeeded(checkOneShape(module)));
}

} // namespace spindle
