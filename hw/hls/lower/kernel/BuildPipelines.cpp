#include "dialects/rtl/NameHints.h"
#include "hw/hls/dependence/FlattenedDistance.h"
#include "hw/hls/lower/kernel/AccessOrder.h"
#include "hw/hls/lower/kernel/KernelBuilder.h"
#include "hw/hls/lower/kernel/SourceNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IntegerSet.h"

namespace spindle::hls {

using mlir::affine::AffineForOp;

static mlir::ArrayAttr mapsOf(mlir::Builder builder, llvm::ArrayRef<mlir::AffineMap> maps) {
  return builder.getAffineMapArrayAttr(maps);
}

static PipelineOp makePipeline(mlir::OpBuilder &builder, mlir::Location location,
                               const std::string &name, const NestBounds &bounds,
                               mlir::ValueRange operands, mlir::ValueRange carried) {
  auto pipeline = PipelineOp::create(builder, location, name, mlir::ArrayAttr(), 1, 1,
                                     mapsOf(builder, bounds.lower), mapsOf(builder, bounds.upper),
                                     builder.getDenseI64ArrayAttr(bounds.atLeast),
                                     builder.getArrayAttr({}), operands, carried);
  mlir::Block &body = pipeline.getBody().emplaceBlock();
  for (size_t level = 0; level < bounds.lower.size(); ++level)
    body.addArgument(builder.getIndexType(), location);
  for (mlir::Value value : carried)
    body.addArgument(value.getType(), location);
  return pipeline;
}

/// The counters run inside their bounds: false in the iterations that only fill up.
mlir::Value KernelBuilder::bubbleGuard(BodyBuilder &body, const NestBounds &bounds,
                                       mlir::ValueRange counters, mlir::Location location) {
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<IntegerRange> ranges;
  for (mlir::Value operand : bounds.operands) {
    inputs.push_back(body.lookup(operand));
    ranges.push_back({INT32_MIN, INT32_MAX});
  }
  llvm::SmallVector<bool> may = mayBubble(bounds, ranges);
  mlir::Value guard;
  for (auto [level, counter] : llvm::enumerate(counters)) {
    if (may[level]) {
      llvm::SmallVector<mlir::AffineExpr> inside;
      for (mlir::AffineExpr upper : bounds.upper[level].getResults())
        inside.push_back(upper - 1 - mlir::getAffineDimExpr(inputs.size(), builder.getContext()));
      llvm::SmallVector<bool> isEquality(inside.size(), false);
      llvm::SmallVector<mlir::Value> operands = inputs;
      operands.push_back(counter);
      guard = body.conjunction(
          guard, body.holds(mlir::IntegerSet::get(operands.size(), 0, inside, isEquality), operands,
                            location));
    }
    inputs.push_back(counter);
  }
  return guard;
}

llvm::Error KernelBuilder::buildNest(llvm::ArrayRef<AffineForOp> loops, mlir::Block &tasks) {
  AffineForOp outermost = loops.front(), innermost = loops.back();
  NestBounds bounds = boundsOf(loops);
  mlir::Location location = outermost.getLoc();
  llvm::SmallVector<mlir::Value> operands = boundOperands(bounds.operands), carried;
  builder.setInsertionPointToEnd(&tasks);
  mlir::IRMapping outside = map;
  BodyBuilder before(mlir::OpBuilder(kernel.getTasks()), memories, fifos, outside);
  for (mlir::Value init : outermost.getInits())
    carried.push_back(before.lookup(init));
  PipelineOp pipeline =
      makePipeline(builder, location, freshName("nest"), bounds, operands, carried);
  mlir::Block &block = pipeline.getBody().front();
  mlir::IRMapping inside = map;
  for (auto [original, operand] : llvm::zip(bounds.operands, operands))
    if (!isInvariant(original))
      inside.map(original, operand);
  for (auto [loop, counter] : llvm::zip(loops, pipeline.getCounters())) {
    counter.setLoc(counterLocation(loop));
    inside.map(AffineForOp(loop).getInductionVar(), counter);
  }
  for (auto [argument, init, value] : llvm::zip(innermost.getRegionIterArgs(), innermost.getInits(),
                                                pipeline.getCarriedArguments())) {
    value.setLoc(variableLocation(innermost, argument, init.getLoc()));
    inside.map(argument, value);
  }

  mlir::OpBuilder at = mlir::OpBuilder::atBlockEnd(&block);
  BodyBuilder body(at, memories, fifos, inside);
  mlir::Value guard = bubbleGuard(body, bounds, pipeline.getCounters(), location);
  for (mlir::Operation &op : innermost.getBody()->without_terminator())
    SPINDLE_RETURN_IF_ERROR(body.copy(&op, crossings.starts.contains(&op) ? mlir::Value() : guard));
  llvm::SmallVector<mlir::Value> next;
  at.setInsertionPointToEnd(&block);
  for (auto [value, argument] : llvm::zip(innermost.getBody()->getTerminator()->getOperands(),
                                          innermost.getRegionIterArgs())) {
    mlir::Value known = body.lookup(value);
    // A bubble hands on what it has got, though it be the first iteration.
    mlir::Value seen = crossings.seen.lookup(argument);
    next.push_back(guard ? mlir::arith::SelectOp::create(at, location, guard, known,
                                                         body.lookup(seen ? seen : argument))
                         : known);
  }
  YieldOp::create(at, location, next);

  llvm::DenseMap<mlir::Operation *, unsigned> position;
  for (auto [index, op] : llvm::enumerate(block))
    position[&op] = index;
  auto bankOf = [](mlir::Operation *op) { return op->getAttrOfType<mlir::IntegerAttr>("bank"); };
  llvm::SmallVector<mlir::Attribute> dependences;
  orderTokens(block, true, dependences);
  for (const MemoryDependence &dependence : nestDependences(outermost))
    for (mlir::Operation *from : body.accesses().at(dependence.from))
      for (mlir::Operation *to : body.accesses().at(dependence.to))
        if (bankOf(from) == bankOf(to))
          dependences.push_back(DependenceAttr::get(builder.getContext(), position.at(from),
                                                    position.at(to), dependence.distance));
  pipeline.setDependencesAttr(builder.getArrayAttr(dependences));
  return llvm::Error::success();
}

/// A loop without loops that data end: each iteration decides, then does what the body does where
/// there is to be one.
llvm::Error KernelBuilder::buildWhile(mlir::scf::WhileOp loop, mlir::Block &tasks) {
  mlir::Location location = loop.getLoc();
  mlir::IRMapping outside = map;
  BodyBuilder before(mlir::OpBuilder(kernel.getTasks()), memories, fifos, outside);
  llvm::SmallVector<mlir::Value> carried;
  for (mlir::Value init : loop.getInits())
    carried.push_back(before.lookup(init));
  builder.setInsertionPointToEnd(&tasks);
  PipelineOp pipeline =
      makePipeline(builder, location, freshName("while"), NestBounds(), {}, carried);
  mlir::Block &block = pipeline.getBody().front();
  mlir::IRMapping inside = map;
  for (auto [argument, value] :
       llvm::zip(loop.getBeforeArguments(), pipeline.getCarriedArguments())) {
    value.setLoc(argument.getLoc());
    inside.map(argument, value);
  }
  mlir::OpBuilder at = mlir::OpBuilder::atBlockEnd(&block);
  BodyBuilder body(at, memories, fifos, inside);
  SPINDLE_RETURN_IF_ERROR(body.copy(*loop.getBeforeBody(), {}));
  mlir::Value condition = body.lookup(loop.getConditionOp().getCondition());
  for (auto [argument, value] :
       llvm::zip(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
    inside.map(argument, body.lookup(value));
  SPINDLE_RETURN_IF_ERROR(body.copy(*loop.getAfterBody(), condition));
  llvm::SmallVector<mlir::Value> next;
  for (mlir::Value value : loop.getYieldOp().getResults())
    next.push_back(body.lookup(value));
  at.setInsertionPointToEnd(&block);
  YieldOp::create(at, location, next, condition);
  pipeline.setDependencesAttr(orderedAccesses(block, true));
  return llvm::Error::success();
}

/// Operations between loops: they run once, accesses of one word in program order.
llvm::Error KernelBuilder::buildRun(llvm::ArrayRef<mlir::Operation *> run, mlir::Block &tasks) {
  builder.setInsertionPointToEnd(&tasks);
  PipelineOp pipeline =
      makePipeline(builder, run.front()->getLoc(), freshName("run"), NestBounds(), {}, {});
  mlir::Block &block = pipeline.getBody().front();
  mlir::IRMapping inside = map;
  BodyBuilder body(mlir::OpBuilder::atBlockEnd(&block), memories, fifos, inside);
  for (mlir::Operation *op : run)
    SPINDLE_RETURN_IF_ERROR(body.copy(op, {}));
  mlir::OpBuilder at = mlir::OpBuilder::atBlockEnd(&block);
  YieldOp::create(at, run.front()->getLoc(), mlir::ValueRange());

  pipeline.setDependencesAttr(orderedAccesses(block, false));
  return llvm::Error::success();
}

} // namespace spindle::hls
