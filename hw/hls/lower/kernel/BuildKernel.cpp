#include "hw/hls/lower/kernel/BuildKernel.h"

#include "dialects/hls/OpenLoops.h"
#include "dialects/hls/Partition.h"
#include "dialects/location/Location.h"
#include "dialects/rtl/NameHints.h"
#include "hw/hls/dependence/FlattenedDistance.h"
#include "hw/hls/lower/kernel/AccessOrder.h"
#include "hw/hls/lower/kernel/BodyBuilder.h"
#include "hw/hls/lower/kernel/ChooseMemories.h"
#include "hw/hls/lower/kernel/CrossingValues.h"
#include "hw/hls/lower/kernel/LoopNest.h"
#include "hw/hls/lower/kernel/OpenLoops.h"
#include "hw/hls/lower/kernel/SourceNames.h"
#include "hw/hls/lower/kernel/TaskOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"

#include "fmt/format.h"

namespace spindle::hls {

using mlir::affine::AffineForOp;

namespace {

/// Tokens in front of and behind a port: enough for one in every cycle.
constexpr int64_t kPortDepth = 2;

class KernelBuilder {
public:
  KernelBuilder(mlir::func::FuncOp original, const Target &hardware)
      : function(original), target(hardware), builder(original->getContext()) {}

  llvm::Expected<KernelOp> build();

private:
  /// A constant: no circuit has it as a port.
  bool isBound(unsigned argument) {
    return bool(function.getArgAttr(argument, HlsDialect::boundName));
  }
  void declareArguments(mlir::Block &body);
  llvm::Error declareLocals();
  void declareFifo(mlir::Value stream, const std::string &name, int64_t depth,
                   mlir::IntegerAttr argument);
  MemoryOp declare(mlir::Value memref, const std::string &name, mlir::Attribute partition);
  llvm::Error buildTasks(mlir::Block &block, mlir::Block &tasks);
  llvm::Error buildRepeat(AffineForOp loop, mlir::Block &tasks);
  llvm::Error buildNest(llvm::ArrayRef<AffineForOp> loops, mlir::Block &tasks);
  llvm::Error buildRotated(mlir::scf::WhileOp loop, mlir::Block &tasks);
  llvm::Error buildWhile(mlir::scf::WhileOp loop, mlir::Block &tasks);
  llvm::SmallVector<mlir::Value> boundOperands(llvm::ArrayRef<mlir::Value> originals);
  llvm::Error buildRun(llvm::ArrayRef<mlir::Operation *> run, mlir::Block &tasks);
  mlir::Value bubbleGuard(BodyBuilder &body, const NestBounds &bounds, mlir::ValueRange counters,
                          mlir::Location location);
  std::string freshName(llvm::StringRef stem) {
    return (stem + llvm::Twine(numbers[stem.str()]++)).str();
  }
  std::string localName(mlir::Value memref, llvm::StringRef stem);

  mlir::func::FuncOp function;
  const Target &target;
  mlir::OpBuilder builder;
  KernelOp kernel;
  MemoryNames memories;
  Crossings crossings;
  FifoNames fifos;
  mlir::IRMapping map;
  std::map<std::string, unsigned> numbers;
};

MemoryOp KernelBuilder::declare(mlir::Value memref, const std::string &name,
                                mlir::Attribute partition) {
  auto type = llvm::cast<mlir::MemRefType>(memref.getType());
  auto number = [&](int64_t value) { return builder.getI64IntegerAttr(value); };
  auto memory = MemoryOp::create(
      builder, memref.getLoc(), builder.getStringAttr(name), mlir::TypeAttr::get(type),
      mlir::IntegerAttr(), mlir::UnitAttr(), mlir::UnitAttr(), number(target.memory.ports),
      number(target.memory.readLatency), llvm::dyn_cast_or_null<mlir::ArrayAttr>(partition),
      mlir::ElementsAttr());
  memories[memref] = memory;
  return memory;
}

/// What the program calls a local array, else a numbered stem. Arguments are called arg0, units
/// mulf_f64_0.
std::string KernelBuilder::localName(mlir::Value memref, llvm::StringRef stem) {
  std::string name = nameIn(memref.getLoc());
  if (name.empty())
    return freshName(stem);
  llvm::StringRef front = llvm::StringRef(name).rtrim("0123456789");
  bool isReserved = front != name && (front.ends_with("_") || front == "arg" || front == "local" ||
                                      front == "register" || front == "stream");
  std::string wish = name + "_array";
  if (isReserved)
    name = wish;
  while (kernel.lookupSymbol(name))
    name = freshName(wish);
  return name;
}

void KernelBuilder::declareArguments(mlir::Block &body) {
  for (mlir::BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (llvm::isa<StreamType>(argument.getType())) {
      declareFifo(argument, fmt::format("arg{}", index), kPortDepth,
                  builder.getI64IntegerAttr(index));
      continue;
    }
    if (!llvm::isa<mlir::MemRefType>(argument.getType())) {
      if (!isBound(index))
        map.map(argument, body.addArgument(argument.getType(), argument.getLoc()));
      continue;
    }
    MemoryOp memory = declare(argument, fmt::format("arg{}", index),
                              function.getArgAttr(index, HlsDialect::partitionName));
    memory.setArgumentAttr(builder.getI64IntegerAttr(index));
  }
}

void KernelBuilder::declareFifo(mlir::Value stream, const std::string &name, int64_t depth,
                                mlir::IntegerAttr argument) {
  fifos[stream] =
      FifoOp::create(builder, stream.getLoc(), name,
                     llvm::cast<StreamType>(stream.getType()).getElement(), depth, argument);
}

llvm::Error KernelBuilder::declareLocals() {
  llvm::SmallVector<mlir::Operation *> locals;
  function.walk([&](mlir::Operation *op) {
    if (llvm::isa<mlir::memref::AllocOp, mlir::memref::AllocaOp, mlir::memref::GetGlobalOp>(op))
      locals.push_back(op);
  });
  for (auto made : function.getOps<MakeStreamOp>())
    declareFifo(made.getStream(), localName(made.getStream(), "stream"),
                static_cast<int64_t>(made.getDepth()), {});
  for (mlir::Operation *op : locals) {
    mlir::Value memref = op->getResult(0);
    auto type = llvm::cast<mlir::MemRefType>(memref.getType());
    if (!type.hasStaticShape())
      return inputError(placeOf(op), "a local array of dynamic shape, expected a static one");
    mlir::Attribute partition = op->getAttr(HlsDialect::partitionName);
    auto global = llvm::dyn_cast<mlir::memref::GetGlobalOp>(op);
    auto contents = global ? mlir::SymbolTable::lookupNearestSymbolFrom<mlir::memref::GlobalOp>(
                                 op, global.getNameAttr())
                           : mlir::memref::GlobalOp();
    // Registers start without contents; what never changes needs none.
    bool isRegister =
        isComplete(partition, type) && (!global || (contents && contents.getConstant()));
    MemoryOp memory =
        declare(memref, localName(memref, isRegister && !global ? "register" : "local"), partition);
    if (isRegister)
      memory.setRegisters(true);
    if (!global)
      continue;
    auto initial = contents && contents.getInitialValue()
                       ? llvm::dyn_cast<mlir::ElementsAttr>(*contents.getInitialValue())
                       : mlir::ElementsAttr();
    if (!initial)
      return inputError(placeOf(op), "a global array without contents, expected a constant one");
    memory.setInitialAttr(initial);
  }
  llvm::SmallVector<mlir::Attribute> names;
  for (mlir::Value memref : crossings.results)
    names.push_back(builder.getStringAttr(memories.lookup(memref).getSymName()));
  if (!names.empty())
    kernel.setResultMemoriesAttr(builder.getArrayAttr(names));
  return llvm::Error::success();
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

/// Where the loop stands, with the name that the program gives its variable: not one that a pass
/// has copied from `origin`.
mlir::Location locationOf(AffineForOp loop, mlir::Value variable, mlir::Location origin) {
  mlir::Location place = rtl::withoutNames(loop.getLoc());
  auto name = variable.getLoc()->findInstanceOf<mlir::NameLoc>();
  return name && variable.getLoc() != origin
             ? mlir::Location(mlir::NameLoc::get(name.getName(), place))
             : place;
}

mlir::Location counterLocation(AffineForOp loop) {
  return locationOf(loop, loop.getInductionVar(), loop.getLoc());
}

mlir::ArrayAttr mapsOf(mlir::Builder builder, llvm::ArrayRef<mlir::AffineMap> maps) {
  return builder.getAffineMapArrayAttr(maps);
}

PipelineOp makePipeline(mlir::OpBuilder &builder, mlir::Location location, const std::string &name,
                        const NestBounds &bounds, mlir::ValueRange operands,
                        mlir::ValueRange carried) {
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
    value.setLoc(locationOf(innermost, argument, init.getLoc()));
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

llvm::Error KernelBuilder::buildRepeat(AffineForOp loop, mlir::Block &tasks) {
  NestBounds bounds = boundsOf(llvm::ArrayRef(loop));
  llvm::SmallVector<mlir::Value> operands = boundOperands(bounds.operands);
  builder.setInsertionPointToEnd(&tasks);
  auto repeat = RepeatOp::create(builder, loop.getLoc(), freshName("loop"), mlir::ArrayAttr(),
                                 bounds.lower.front(), bounds.upper.front(), operands,
                                 mlir::FlatSymbolRefAttr());
  mlir::Block &body = repeat.getBody().emplaceBlock();
  map.map(loop.getInductionVar(), body.addArgument(builder.getIndexType(), counterLocation(loop)));
  builder.setInsertionPointToEnd(&body);
  auto inner = TasksOp::create(builder, loop.getLoc());
  return buildTasks(*loop.getBody(), inner.getBody().emplaceBlock());
}

/// A loop around others that a register ends.
llvm::Error KernelBuilder::buildRotated(mlir::scf::WhileOp loop, mlir::Block &tasks) {
  MemoryOp condition = memories.lookup(decidingRegister(loop));
  builder.setInsertionPointToEnd(&tasks);
  mlir::MLIRContext *context = builder.getContext();
  auto zero = mlir::AffineMap::get(0, 0, mlir::getAffineConstantExpr(0, context));
  auto repeat = RepeatOp::create(builder, loop.getLoc(), freshName("loop"), mlir::ArrayAttr(), zero,
                                 mlir::AffineMap::get(context), mlir::ValueRange(),
                                 mlir::FlatSymbolRefAttr::get(condition.getSymNameAttr()));
  mlir::Block &body = repeat.getBody().emplaceBlock();
  body.addArgument(builder.getIndexType(), loop.getLoc());
  builder.setInsertionPointToEnd(&body);
  auto inner = TasksOp::create(builder, loop.getLoc());
  return buildTasks(*loop.getAfterBody(), inner.getBody().emplaceBlock());
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

/// Whether a value is read for bounds of loops alone: they take it from its register.
static bool isLoopBound(mlir::Operation *op) {
  return llvm::isa<mlir::affine::AffineLoadOp, mlir::arith::IndexCastOp>(op) && !op->use_empty() &&
         llvm::all_of(op->getUsers(), [](mlir::Operation *user) {
           return llvm::isa<AffineForOp>(user) ||
                  (llvm::isa<mlir::arith::IndexCastOp>(user) && isLoopBound(user));
         });
}

/// What bounds start from, as values outside of the tasks.
llvm::SmallVector<mlir::Value> KernelBuilder::boundOperands(llvm::ArrayRef<mlir::Value> originals) {
  mlir::OpBuilder at(kernel.getTasks());
  mlir::IRMapping outside = map;
  BodyBuilder before(at, memories, fifos, outside);
  llvm::SmallVector<mlir::Value> operands;
  for (mlir::Value original : originals) {
    if (!map.contains(original) && !isInvariant(original)) {
      auto cast = original.getDefiningOp<mlir::arith::IndexCastOp>();
      auto load = llvm::cast<mlir::affine::AffineLoadOp>(cast.getIn().getDefiningOp());
      MemoryOp memory = memories.lookup(load.getMemRef());
      outside.map(load.getResult(),
                  HeldOp::create(at, load.getLoc(), load.getType(), memory.getSymName()));
    }
    operands.push_back(before.lookup(original));
  }
  return operands;
}

llvm::Error KernelBuilder::buildTasks(mlir::Block &block, mlir::Block &tasks) {
  llvm::SmallVector<mlir::Operation *> run;
  auto flush = [&]() -> llvm::Error {
    bool acts =
        llvm::any_of(run, [](mlir::Operation *op) { return !mlir::isMemoryEffectFree(op); });
    if (acts)
      SPINDLE_RETURN_IF_ERROR(buildRun(run, tasks));
    run.clear();
    return llvm::Error::success();
  };
  for (mlir::Operation &op : block.without_terminator()) {
    auto loop = llvm::dyn_cast<AffineForOp>(op);
    auto open = llvm::dyn_cast<mlir::scf::WhileOp>(op);
    if (!loop && !open) {
      bool isDeclared =
          llvm::isa<mlir::memref::AllocOp, mlir::memref::AllocaOp, mlir::memref::GetGlobalOp,
                    mlir::memref::DeallocOp, MakeStreamOp>(op);
      bool isKnown = op.getNumResults() == 1 && (isInvariant(op.getResult(0)) || isLoopBound(&op));
      if (!isDeclared && !isKnown)
        run.push_back(&op);
      continue;
    }
    SPINDLE_RETURN_IF_ERROR(flush());
    if (open) {
      SPINDLE_RETURN_IF_ERROR(holdsLoop(open) ? buildRotated(open, tasks)
                                              : buildWhile(open, tasks));
      continue;
    }
    llvm::SmallVector<AffineForOp> nest = pipelinedLoops(loop);
    SPINDLE_RETURN_IF_ERROR(nest.empty() ? buildRepeat(loop, tasks) : buildNest(nest, tasks));
  }
  SPINDLE_RETURN_IF_ERROR(flush());
  return orderByMemory(llvm::cast<TasksOp>(tasks.getParentOp()));
}

llvm::Expected<KernelOp> KernelBuilder::build() {
  if (!function.getBody().hasOneBlock())
    return inputError(placeOf(function), "a function with jumps, expected structured loops");
  llvm::SmallVector<int64_t> indexArguments, indexResults; // of 64 bits, indices in the program
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, HlsDialect::indexName))
      indexArguments.push_back(i);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (function.getResultAttr(i, HlsDialect::indexName))
      indexResults.push_back(i);
  function.removeResAttrsAttr();
  SPINDLE_RETURN_IF_ERROR(countLoops(function));
  crossings = keepCrossingsInRegisters(function);
  llvm::SmallVector<int64_t> scalars;
  for (mlir::BlockArgument argument : function.getArguments())
    if (!llvm::isa<mlir::MemRefType, StreamType>(argument.getType()) &&
        !isBound(argument.getArgNumber()))
      scalars.push_back(argument.getArgNumber());
  builder.setInsertionPointAfter(function);
  kernel = KernelOp::create(builder, function.getLoc(), function.getName(), target.name,
                            llvm::APFloat(target.clockPeriodNs), scalars, mlir::ArrayAttr());
  kernel.setSymName((function.getName() + "_hardware").str());
  if (!indexArguments.empty())
    kernel->setAttr(HlsDialect::indexArgumentsName, builder.getDenseI64ArrayAttr(indexArguments));
  if (!indexResults.empty())
    kernel->setAttr(HlsDialect::indexResultsName, builder.getDenseI64ArrayAttr(indexResults));
  mlir::Block &body = kernel.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  declareArguments(body);
  SPINDLE_RETURN_IF_ERROR(declareLocals());
  auto tasks = TasksOp::create(builder, function.getLoc());
  SPINDLE_RETURN_IF_ERROR(buildTasks(function.getBody().front(), tasks.getBody().emplaceBlock()));
  SPINDLE_RETURN_IF_ERROR(chooseMemories(kernel, target));
  return kernel;
}

} // namespace

llvm::Expected<KernelOp> buildKernel(mlir::func::FuncOp function, const Target &target) {
  return KernelBuilder(function, target).build();
}

} // namespace spindle::hls
