#include "hw/hls/prepare/Stages.h"

#include "dialects/upstream/ExactCanonicalizer.h"
#include "dialects/upstream/SpellClones.h"
#include "dialects/upstream/SpellIndices.h"
#include "dialects/upstream/SpellTensors.h"
#include "dialects/upstream/TosaToLinalg.h"
#include "dialects/upstream/shapes/RefineShapes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace spindle::hls {

static LogicalResult lowerTosa(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addNestedPass<func::FuncOp>(tosa::createTosaInferShapesPass());
  addTosaToLinalg(passes);
  passes.addPass(createExactCanonicalizer());
  passes.addPass(createCSEPass());
  LogicalResult status = passes.run(module);
  spellIndices(module); // those of upstream's lowering
  return status;
}

/// Whether the operation does arithmetic rather than only move elements.
static bool computes(linalg::LinalgOp op) {
  return llvm::any_of(op.getBlock()->without_terminator(),
                      [](Operation &inner) { return !isa<linalg::IndexOp>(inner); });
}

/// Transposes and broadcasts vanish into the operations that read them, element-wise operations
/// into one another: no array, and no nest to fill it. Arithmetic does not move into sums, which
/// would repeat it.
static LogicalResult fuseElementwise(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  passes.addNestedPass<func::FuncOp>(createLinalgGeneralizeNamedOpsPass());
  if (failed(passes.run(module)))
    return failure();
  RewritePatternSet patterns(module.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, [](OpOperand *operand) {
    auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
    auto consumer = dyn_cast<linalg::LinalgOp>(operand->getOwner());
    if (!producer || !consumer)
      return false;
    bool isUsedOnce = producer->hasOneUse();
    return !computes(producer) || (isUsedOnce && consumer.getNumReductionLoops() == 0);
  });
  return applyPatternsGreedily(module, std::move(patterns));
}

/// Operations that stand for several, such as softmax.
static LogicalResult decomposeAggregates(ModuleOp module) {
  SmallVector<linalg::AggregatedOpInterface> aggregates;
  module.walk([&](linalg::AggregatedOpInterface op) {
    if (llvm::all_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
      aggregates.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (linalg::AggregatedOpInterface op : aggregates) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
    if (failed(parts))
      return op->emitError() << "cannot be written as simple operations";
    rewriter.replaceOp(op, *parts);
  }
  return success();
}

/// Whether a loop begins with a tensor that is still read within it or behind it: the loop writes a
/// copy then.
static bool isReadMeanwhile(OpOperand &init) {
  Operation *loop = init.getOwner();
  return llvm::any_of(init.get().getUses(), [&](OpOperand &use) {
    Operation *user = loop->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return &use != &init && user && (user == loop || loop->isBeforeInBlock(user));
  });
}

/// Whether a tensor is the carried one with elements written into it, so that both are one array.
static bool isWrittenInto(Value value, Value carried) {
  if (value == carried)
    return true;
  auto result = dyn_cast<OpResult>(value);
  Operation *op = value.getDefiningOp();
  if (auto into = dyn_cast_or_null<DestinationStyleOpInterface>(op))
    return isWrittenInto(into.getTiedOpOperand(result)->get(), carried);
  if (auto branch = dyn_cast_or_null<scf::IfOp>(op))
    return isWrittenInto(branch.thenYield().getOperand(result.getResultNumber()), carried) &&
           isWrittenInto(branch.elseYield().getOperand(result.getResultNumber()), carried);
  if (auto loop = dyn_cast_or_null<scf::ForOp>(op))
    return !isReadMeanwhile(*loop.getTiedLoopInit(result)) &&
           isWrittenInto(loop.getTiedLoopInit(result)->get(), carried);
  return false;
}

/// What changes places with another carried tensor waits in an array of its own.
static void writeInto(Operation *yield, ValueRange carried) {
  OpBuilder builder(yield);
  Location location = yield->getLoc();
  SmallVector<std::pair<OpOperand *, Value>> moved;
  for (auto [next, into] : llvm::zip_first(yield->getOpOperands(), carried))
    if (isa<RankedTensorType>(into.getType()) && next.get().getType() == into.getType() &&
        !isWrittenInto(next.get(), into))
      moved.emplace_back(&next, into);
  for (auto [next, into] : moved) {
    Value value = next->get();
    bool isCarried =
        llvm::any_of(carried, [&](Value other) { return isWrittenInto(value, other); });
    if (isCarried && moved.size() > 1)
      next->set(bufferization::AllocTensorOp::create(
          builder, location, cast<RankedTensorType>(into.getType()), ValueRange(), value));
  }
  for (auto [next, into] : moved)
    next->set(bufferization::MaterializeInDestinationOp::create(builder, location, into.getType(),
                                                                next->get(), into)
                  ->getResult(0));
}

/// The tensor whose elements are written, in the place of which a value can be made.
static Value writtenFrom(Value value) {
  auto result = dyn_cast<OpResult>(value);
  Operation *op = value.getDefiningOp();
  if (auto into = dyn_cast_or_null<DestinationStyleOpInterface>(op))
    return writtenFrom(into.getTiedOpOperand(result)->get());
  if (auto loop = dyn_cast_or_null<scf::ForOp>(op))
    return writtenFrom(loop.getTiedLoopInit(result)->get());
  if (auto branch = dyn_cast_or_null<scf::IfOp>(op)) {
    Value from = writtenFrom(branch.thenYield().getOperand(result.getResultNumber()));
    if (from == writtenFrom(branch.elseYield().getOperand(result.getResultNumber())))
      return from;
  }
  return value;
}

/// Which array a condition chooses would be data: where both branches have tensors of their own,
/// they are copied to a third one.
static void chooseInPlace(scf::IfOp branch) {
  OpBuilder builder(branch);
  for (OpResult result : branch.getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !type.hasStaticShape())
      continue;
    OpOperand *ends[] = {&branch.thenYield()->getOpOperand(result.getResultNumber()),
                         &branch.elseYield()->getOpOperand(result.getResultNumber())};
    Value from = writtenFrom(ends[0]->get());
    bool isOutside = !branch->isAncestor(from.getParentRegion()->getParentOp());
    if (isOutside && from == writtenFrom(ends[1]->get()))
      continue;
    builder.setInsertionPoint(branch);
    Value chosen =
        bufferization::AllocTensorOp::create(builder, branch.getLoc(), type, ValueRange());
    for (OpOperand *end : ends) {
      builder.setInsertionPoint(end->getOwner());
      end->set(bufferization::MaterializeInDestinationOp::create(builder, branch.getLoc(), type,
                                                                 end->get(), chosen)
                   ->getResult(0));
    }
  }
}

/// What is copied to where a carried tensor is must not change what the loop still reads of it.
static void beginWithCopies(Operation *loop, MutableArrayRef<OpOperand> inits, ValueRange carried,
                            Operation *yield) {
  for (auto [init, argument, next] : llvm::zip_first(inits, carried, yield->getOperands())) {
    auto copied = next.getDefiningOp<bufferization::MaterializeInDestinationOp>();
    if (!copied || copied.getDest() != argument || !isReadMeanwhile(init))
      continue;
    OpBuilder builder(loop);
    init.set(bufferization::AllocTensorOp::create(builder, loop->getLoc(),
                                                  cast<RankedTensorType>(argument.getType()),
                                                  ValueRange(), init.get()));
  }
}

/// A tensor that a loop makes anew for its next iteration is copied to where the carried one is:
/// an array has one place. So has what a condition chooses.
static void carryInPlace(ModuleOp module) {
  module.walk(chooseInPlace);
  module.walk([](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      Operation *yield = loop.getBody()->getTerminator();
      writeInto(yield, loop.getRegionIterArgs());
      beginWithCopies(loop, loop.getInitsMutable(), loop.getRegionIterArgs(), yield);
    } else if (auto open = dyn_cast<scf::WhileOp>(op);
               open && llvm::equal(open.getConditionOp().getArgs(), open.getBeforeArguments())) {
      writeInto(open.getYieldOp(), open.getAfterArguments());
      beginWithCopies(open, open.getInitsMutable(), open.getAfterArguments(), open.getYieldOp());
    }
  });
}

/// Tensor arguments keep their contents; results go to arrays of their own.
static LogicalResult bufferize(ModuleOp module) {
  carryInPlace(module);
  module.walk([](func::FuncOp function) {
    for (unsigned index = 0; index < function.getNumArguments(); ++index)
      if (isa<TensorType>(function.getArgument(index).getType()))
        function.setArgAttr(index, "bufferization.writable",
                            BoolAttr::get(function.getContext(), false));
  });
  PassManager passes(module.getContext());
  passes.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  options.bufferAlignment = 0;
  passes.addPass(bufferization::createOneShotBufferizePass(options));
  passes.addPass(createExactCanonicalizer());
  return passes.run(module);
}

/// Tensors of unknown size that nobody computes: those of known size are zeros.
static LogicalResult checkPoison(ModuleOp module) {
  WalkResult result = module.walk([](ub::PoisonOp op) {
    if (!isa<TensorType>(op.getType()))
      return WalkResult::advance();
    emitError(knownLocationOf(op), "ub.poison stands for no tensor of known size: make one with "
                                   "tensor.empty and fill it");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Whatever takes a tensor or makes one, and has no form over arrays.
static LogicalResult checkBufferizable(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    bool hasTensor = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
                     llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
    if (!hasTensor || isa<bufferization::BufferizableOpInterface>(op))
      return WalkResult::advance();
    emitError(knownLocationOf(op))
        << op->getName().getStringRef()
        << " is not supported on these tensors, expected linalg, tosa or loops, and known shapes";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// They become arguments, which have a size.
static LogicalResult checkResultsKnown(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
      if (auto shaped = dyn_cast<ShapedType>(type); shaped && !shaped.hasStaticShape())
        return function.emitError()
               << "result " << index << " has type " << type
               << ", whose extents are not known: bind the arguments that they "
                  "follow from, such as --bind 0=20";
      else if (shaped && llvm::is_contained(shaped.getShape(), 0))
        return function.emitError() << "result " << index << " has type " << type
                                    << ", which has no elements: remove it";
  return success();
}

LogicalResult lowerTensors(ModuleOp module) {
  if (failed(checkPoison(module)))
    return failure();
  if (usesTosa(module) && (failed(lowerTosa(module)) || failed(refineShapes(module))))
    return failure();
  if (failed(checkResultsKnown(module)))
    return failure();
  if (!usesTensors(module))
    return success();
  if (failed(decomposeAggregates(module)))
    return failure();
  spellTensors(module);
  return success(succeeded(fuseElementwise(module)) && succeeded(checkBufferizable(module)) &&
                 succeeded(bufferize(module)));
}

/// An array of another shape with the elements in the same order, which stands in its type. The
/// array that says it once more is not read any more.
static void spellReshapes(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  module.walk([&](memref::ReshapeOp reshape) {
    auto from = dyn_cast<MemRefType>(reshape.getSource().getType());
    auto to = dyn_cast<MemRefType>(reshape.getType());
    auto isDense = [](MemRefType type) {
      return type && type.hasStaticShape() && type.getLayout().isIdentity() && type.getRank() > 0;
    };
    if (!isDense(from) || !isDense(to) || from.getNumElements() != to.getNumElements())
      return; // refused with what it stands for
    rewriter.setInsertionPoint(reshape);
    auto all = [](int64_t rank) {
      return SmallVector<ReassociationIndices>{llvm::to_vector(llvm::seq<int64_t>(0, rank))};
    };
    Value array = reshape.getSource();
    if (from.getRank() > 1)
      array =
          memref::CollapseShapeOp::create(rewriter, reshape.getLoc(), array, all(from.getRank()));
    if (to.getRank() > 1)
      array = memref::ExpandShapeOp::create(rewriter, reshape.getLoc(), to.getShape(), array,
                                            all(to.getRank()));
    rewriter.replaceOp(reshape, array);
  });
}

/// Copies of arrays are loops like others.
static void nameCopies(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  module.walk([&](memref::CopyOp copy) {
    rewriter.setInsertionPoint(copy);
    rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, copy.getSource(), copy.getTarget());
  });
}

/// Arrays that a function returns twice are two.
static void returnEachOnce(ModuleOp module) {
  module.walk([](func::ReturnOp end) {
    llvm::SmallPtrSet<Value, 4> seen;
    OpBuilder builder(end);
    for (OpOperand &operand : end->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      if (!type || !type.hasStaticShape() || seen.insert(operand.get()).second)
        continue;
      Value copy = memref::AllocOp::create(builder, end.getLoc(), type);
      memref::CopyOp::create(builder, end.getLoc(), operand.get(), copy);
      operand.set(copy);
    }
  });
}

/// Operations on parts of arrays whose sizes are data, as tiled loops have them, become plain
/// loops.
static LogicalResult lowerOpenLinalg(ModuleOp module) {
  SmallVector<linalg::LinalgOp> open;
  module.walk([&](linalg::LinalgOp op) {
    if (op.hasDynamicShape())
      open.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (linalg::LinalgOp op : open) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return op->emitError() << "cannot be written as loops";
    rewriter.eraseOp(op);
  }
  return success();
}

LogicalResult lowerLinalg(ModuleOp module) {
  returnEachOnce(module);
  bufferization::BufferResultsToOutParamsPassOptions results;
  results.hoistStaticAllocs = true;
  results.modifyPublicFunctions = true;
  PassManager passes(module.getContext());
  passes.addPass(bufferization::createBufferResultsToOutParamsPass(results));
  if (failed(passes.run(module)))
    return failure();
  if (failed(spellClones(module)))
    return failure();
  spellReshapes(module);
  nameCopies(module);
  if (failed(lowerOpenLinalg(module)))
    return failure();
  PassManager loops(module.getContext());
  loops.addNestedPass<func::FuncOp>(createConvertLinalgToAffineLoopsPass());
  return loops.run(module);
}

} // namespace spindle::hls
