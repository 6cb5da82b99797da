#include "dialects/hls/interpreter/Interpreter.h"

#include "dialects/hls/interpreter/PipelineRun.h"

#include "mlir/IR/Matchers.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <list>

namespace spindle::hls {

namespace {

class Interpreter {
public:
  Interpreter(KernelOp hardware, const ElementaryFunctions &functions,
              const std::vector<std::vector<uint64_t>> &fromCycles)
      : kernel(hardware), elementary(functions), available(fromCycles) {}

  llvm::Error load(const std::vector<KernelArray> &arguments);
  llvm::Error loadStream(const std::vector<KernelArray> &arguments, uint64_t index, FifoOp fifo,
                         FifoState &tokens);
  llvm::Error run();
  Interpretation result(std::vector<KernelArray> arguments) const;

private:
  struct ActiveRun {
    PipelineOp pipeline;
    PipelineRun run;
    bool isDone = false;
  };

  uint64_t valueOutside(mlir::Value value);
  std::vector<int64_t> boundsFrom(mlir::ValueRange operands);
  llvm::Error startTasks(TasksOp tasks);
  llvm::Error startTask(mlir::Operation *task);
  llvm::Error startNow(mlir::Operation *task);
  llvm::Error startRepeat(RepeatOp repeat);
  llvm::Error takeTurn(RepeatOp repeat);
  llvm::Error startPipeline(PipelineOp pipeline);
  llvm::Error finish(mlir::Operation *task);
  llvm::Error finishTasks(TasksOp tasks);
  void note(const ActiveRun &run);

  KernelOp kernel;
  const ElementaryFunctions &elementary;
  const std::vector<std::vector<uint64_t>> &available; // by argument, of each token
  KernelState state;
  llvm::DenseMap<mlir::Value, uint64_t> values; // scalars, counters of repeats, constants
  std::map<mlir::Operation *, PipelineCode> codes;
  std::map<mlir::Operation *, size_t> waiting;     // per task, for how many
  std::map<mlir::Operation *, size_t> unfinished;  // per hls.tasks
  std::map<mlir::Operation *, int64_t> lastValues; // of the counters of repeats
  std::list<ActiveRun> active;
  std::vector<TasksOp> launches;            // that start in the next cycle
  std::vector<mlir::Operation *> lateTasks; // that start in the next cycle, once registers are read
  std::vector<RepeatOp> undecided;          // whose condition is looked at in the next cycle
  std::map<std::string, PipelineUse> uses;  // of runs that are over
  int64_t cycle = 0, lastBegin = 0;
  std::optional<int64_t> doneCycle;
};

/// Cycles in which no iteration begins, in kernels with streams.
constexpr int64_t kMostWaiting = 100'000;

KernelArray makeTokens(ElementType type, const std::vector<uint64_t> &tokens) {
  KernelArray array = makeArray(type, {static_cast<int64_t>(tokens.size())});
  for (size_t n = 0; n < tokens.size(); ++n)
    array.set(n, tokens[n]);
  return array;
}

int64_t extreme(mlir::AffineMap map, llvm::ArrayRef<int64_t> operands, bool isLargest) {
  int64_t value = valueOf(map.getResult(0), operands);
  for (mlir::AffineExpr bound : map.getResults().drop_front()) {
    int64_t next = valueOf(bound, operands);
    value = isLargest ? std::max(value, next) : std::min(value, next);
  }
  return value;
}

llvm::Error Interpreter::load(const std::vector<KernelArray> &arguments) {
  auto check = [&](int64_t index, mlir::Type type, llvm::ArrayRef<int64_t> shape) -> llvm::Error {
    std::string place = "kernel @" + kernel.getSymName().str();
    if (index >= static_cast<int64_t>(arguments.size()))
      return inputError(
          place, fmt::format("{} arguments, but the kernel reads arg{}", arguments.size(), index));
    const KernelArray &array = arguments[static_cast<size_t>(index)];
    ElementType element = elementTypeOf(type);
    if (array.type != element || llvm::ArrayRef<int64_t>(array.shape) != shape)
      return inputError(place, fmt::format("arg{} is {} [{}], expected {} [{}]", index,
                                           array.type.text(), fmt::join(array.shape, ", "),
                                           element.text(), fmt::join(shape, ", ")));
    return llvm::Error::success();
  };
  for (auto [value, index] :
       llvm::zip(kernel.getBody().getArguments(), kernel.getArgumentIndex())) {
    SPINDLE_RETURN_IF_ERROR(check(index, value.getType(), {}));
    values[value] = arguments[static_cast<size_t>(index)].at(0);
  }
  for (MemoryOp memory : kernel.getOps<MemoryOp>()) {
    MemoryState contents(memory);
    if (std::optional<uint64_t> index = memory.getArgument()) {
      SPINDLE_RETURN_IF_ERROR(
          check(static_cast<int64_t>(*index), memory.getElement(), memory.getMemRef().getShape()));
      contents.setContents(arguments[*index]);
    }
    state.memories.emplace(memory.getSymName().str(), std::move(contents));
  }
  for (FifoOp fifo : kernel.getOps<FifoOp>()) {
    FifoState tokens(fifo);
    if (std::optional<uint64_t> index = fifo.getArgument())
      SPINDLE_RETURN_IF_ERROR(loadStream(arguments, *index, fifo, tokens));
    state.fifos.emplace(fifo.getSymName().str(), std::move(tokens));
  }
  for (UnitOp unit : kernel.getOps<UnitOp>())
    state.units[unit.getSymName().str()] = {unit.getSymName().str(),
                                            static_cast<int64_t>(unit.getInterval())};
  return llvm::Error::success();
}

/// An array of one dimension, as long as it is.
llvm::Error Interpreter::loadStream(const std::vector<KernelArray> &arguments, uint64_t index,
                                    FifoOp fifo, FifoState &tokens) {
  ElementType element = elementTypeOf(fifo.getType());
  if (index >= arguments.size() || arguments[index].type != element ||
      arguments[index].shape.size() != 1)
    return inputError(
        "kernel @" + kernel.getSymName().str(),
        fmt::format("arg{} is a stream, expected a list of {}", index, element.text()));
  std::vector<uint64_t> all;
  for (size_t token = 0; token < arguments[index].count(); ++token)
    all.push_back(arguments[index].at(token));
  std::vector<uint64_t> from =
      index < available.size() ? available[index] : std::vector<uint64_t>();
  if (!from.empty() && from.size() != all.size())
    return inputError(
        "kernel @" + kernel.getSymName().str(),
        fmt::format("arg{} has {} tokens and cycles for {}", index, all.size(), from.size()));
  if (tokens.isRead())
    tokens.supply(std::move(all), std::move(from));
  return llvm::Error::success();
}

/// Arguments, counters of repeats, constants, registers, and casts of these.
uint64_t Interpreter::valueOutside(mlir::Value value) {
  auto known = values.find(value);
  if (known != values.end())
    return known->second;
  mlir::Operation *op = value.getDefiningOp();
  if (llvm::isa<HeldOp>(op))
    return state.memories.at(memoryOf(op).getSymName().str()).load({op, 0, -1, 0, false});
  mlir::Attribute constant;
  if (!mlir::matchPattern(op, mlir::m_Constant(&constant))) {
    uint64_t operand = valueOutside(op->getOperand(0));
    return functionOf(op, elementary)(&operand);
  }
  if (auto real = llvm::dyn_cast<mlir::FloatAttr>(constant))
    return values[value] = real.getValue().bitcastToAPInt().getZExtValue();
  return values[value] = llvm::cast<mlir::IntegerAttr>(constant).getValue().getZExtValue();
}

std::vector<int64_t> Interpreter::boundsFrom(mlir::ValueRange operands) {
  std::vector<int64_t> bounds;
  for (mlir::Value operand : operands)
    bounds.push_back(static_cast<int64_t>(valueOutside(operand)));
  return bounds;
}

llvm::Error Interpreter::startTasks(TasksOp tasks) {
  mlir::Block &block = tasks.getBody().front();
  std::vector<mlir::Operation *> first;
  unfinished[tasks] = block.getOperations().size();
  if (block.empty())
    return finishTasks(tasks);
  for (mlir::Operation &task : block) {
    waiting[&task] = predecessorsOf(&task).size();
    if (waiting[&task] == 0)
      first.push_back(&task);
  }
  for (mlir::Operation *task : first)
    SPINDLE_RETURN_IF_ERROR(startTask(task));
  return llvm::Error::success();
}

llvm::Error Interpreter::startTask(mlir::Operation *task) {
  if (registersAtStart(task).empty())
    return startNow(task);
  lateTasks.push_back(task);
  return llvm::Error::success();
}

llvm::Error Interpreter::startNow(mlir::Operation *task) {
  if (auto repeat = llvm::dyn_cast<RepeatOp>(task))
    return startRepeat(repeat);
  return startPipeline(llvm::cast<PipelineOp>(task));
}

llvm::Error Interpreter::startRepeat(RepeatOp repeat) {
  std::vector<int64_t> bounds = boundsFrom(repeat.getBoundOperands());
  int64_t first = extreme(repeat.getLowerBound(), bounds, true);
  int64_t last =
      repeat.isUncounted() ? INT64_MAX : extreme(repeat.getUpperBound(), bounds, false) - 1;
  values[repeat.getCounter()] = static_cast<uint64_t>(first);
  lastValues[repeat] = last;
  return takeTurn(repeat);
}

/// One more turn, if counter and condition have one.
llvm::Error Interpreter::takeTurn(RepeatOp repeat) {
  bool holds = true;
  if (std::optional<llvm::StringRef> condition = repeat.getCondition())
    holds = state.memories.at(condition->str()).load({repeat, 0, -1, 0, false}) & 1;
  if (!holds || static_cast<int64_t>(values[repeat.getCounter()]) > lastValues[repeat])
    return finish(repeat);
  launches.push_back(repeat.getTasks());
  return llvm::Error::success();
}

llvm::Error Interpreter::startPipeline(PipelineOp pipeline) {
  auto known = codes.find(pipeline);
  if (known == codes.end()) {
    SPINDLE_ASSIGN(PipelineCode code, PipelineCode::compile(pipeline, state, elementary));
    known = codes.emplace(pipeline, std::move(code)).first;
  }
  const PipelineCode &code = known->second;
  std::vector<uint64_t> outside;
  for (mlir::Value value : code.outside)
    outside.push_back(valueOutside(value));
  active.push_back({pipeline, PipelineRun(code, std::move(outside),
                                          boundsFrom(pipeline.getBoundOperands()), cycle)});
  return llvm::Error::success();
}

/// Starts those that wait for `task` alone.
llvm::Error Interpreter::finish(mlir::Operation *task) {
  auto tasks = llvm::cast<TasksOp>(task->getParentOp());
  for (mlir::Operation &other : tasks.getBody().front())
    if (llvm::is_contained(predecessorsOf(&other), nameOf(task)) && --waiting[&other] == 0)
      SPINDLE_RETURN_IF_ERROR(startTask(&other));
  if (--unfinished[tasks] > 0)
    return llvm::Error::success();
  return finishTasks(tasks);
}

/// The kernel is done, or the repeat around counts on.
llvm::Error Interpreter::finishTasks(TasksOp tasks) {
  auto repeat = llvm::dyn_cast<RepeatOp>(tasks->getParentOp());
  if (!repeat) {
    doneCycle = cycle;
    return llvm::Error::success();
  }
  ++values[repeat.getCounter()];
  if (!repeat.getCondition())
    return takeTurn(repeat);
  undecided.push_back(repeat); // the register may be written in this cycle
  return llvm::Error::success();
}

llvm::Error Interpreter::run() {
  launches.push_back(kernel.getTasks());
  auto isBusy = [&] {
    return !active.empty() || !launches.empty() || !lateTasks.empty() || !undecided.empty();
  };
  for (cycle = 0; isBusy(); ++cycle) {
    auto now = std::exchange(launches, {});
    auto late = std::exchange(lateTasks, {});
    auto looking = std::exchange(undecided, {});
    for (TasksOp tasks : now)
      SPINDLE_RETURN_IF_ERROR(startTasks(tasks));
    for (mlir::Operation *task : late)
      SPINDLE_RETURN_IF_ERROR(startNow(task));
    for (RepeatOp repeat : looking)
      SPINDLE_RETURN_IF_ERROR(takeTurn(repeat));
    for (ActiveRun &one : active)
      SPINDLE_RETURN_IF_ERROR(one.run.step(cycle));
    for (auto &[name, memory] : state.memories)
      memory.commit();
    for (auto &[name, fifo] : state.fifos)
      fifo.commit(uint64_t(cycle));
    for (ActiveRun &one : active)
      lastBegin = std::max(lastBegin, one.run.lastBegin());
    for (auto &[name, fifo] : state.fifos) // what is known to come is worth waiting for
      lastBegin = std::max(lastBegin, std::min(cycle, int64_t(fifo.nextCycle())));
    if (!state.fifos.empty() && cycle > lastBegin + kMostWaiting)
      return inputError(
          "kernel @" + kernel.getSymName().str(),
          fmt::format("{} waits for tokens or room since cycle {}: too few tokens "
                      "came in, or a stream is not deep enough",
                      active.empty() ? "nothing" : nameOf(active.front().pipeline).str(),
                      lastBegin));
    std::vector<PipelineOp> done;
    for (ActiveRun &one : active)
      if (!one.isDone && one.run.doneCycle() == cycle) {
        one.isDone = true;
        done.push_back(one.pipeline);
      }
    active.remove_if([&](const ActiveRun &one) {
      bool isOver = one.isDone && one.run.isFinished();
      if (isOver)
        note(one);
      return isOver;
    });
    for (PipelineOp pipeline : done)
      SPINDLE_RETURN_IF_ERROR(finish(pipeline));
  }
  for (auto &[name, fifo] : state.fifos) // the last tokens are on their way
    for (uint64_t later = uint64_t(cycle); fifo.isDelivering(); ++later)
      fifo.commit(later);
  if (!doneCycle)
    return checkError("kernel @" + kernel.getSymName().str(),
                      fmt::format("is not done when nothing is left to do in cycle {}", cycle));
  return llvm::Error::success();
}

void Interpreter::note(const ActiveRun &run) {
  PipelineOp pipeline = run.pipeline;
  PipelineUse &use = uses[pipeline.getName().str()];
  const PipelineUse &more = run.run.use();
  use.iterations += more.iterations;
  use.withoutToken += more.withoutToken;
  use.withoutRoom += more.withoutRoom;
}

Interpretation Interpreter::result(std::vector<KernelArray> arguments) const {
  KernelOp hardware = kernel;
  for (MemoryOp memory : hardware.getOps<MemoryOp>())
    if (std::optional<uint64_t> index = memory.getArgument())
      arguments[*index] = state.memories.at(memory.getSymName().str()).contents();
  std::vector<std::vector<uint64_t>> moments(arguments.size());
  for (FifoOp fifo : hardware.getOps<FifoOp>()) {
    const FifoState &tokens = state.fifos.at(fifo.getSymName().str());
    std::optional<uint64_t> index = fifo.getArgument();
    if (index && !tokens.isRead())
      arguments[*index] = makeTokens(elementTypeOf(fifo.getType()), tokens.delivered());
    if (index)
      moments[*index] = tokens.moments();
  }
  Interpretation made{{std::move(arguments), {}},
                      static_cast<uint64_t>(std::max<int64_t>(*doneCycle, 1)),
                      std::move(moments),
                      uses,
                      {}};
  for (const auto &[name, fifo] : state.fifos)
    made.fifos[name] = fifo.use();
  if (std::optional<mlir::ArrayAttr> results = hardware.getResultMemories())
    for (mlir::Attribute name : *results)
      made.values.results.push_back(
          state.memories.at(llvm::cast<mlir::StringAttr>(name).str()).contents());
  return made;
}

} // namespace

llvm::Expected<Interpretation> interpret(KernelOp kernel, std::vector<KernelArray> arguments,
                                         const ElementaryFunctions &elementary,
                                         const std::vector<std::vector<uint64_t>> &available) {
  if (!kernel.isScheduled())
    return inputError("kernel @" + kernel.getSymName().str(),
                      "has operations without a start, expected a scheduled kernel (hls-schedule)");
  Interpreter interpreter(kernel, elementary, available);
  SPINDLE_RETURN_IF_ERROR(interpreter.load(arguments));
  SPINDLE_RETURN_IF_ERROR(interpreter.run());
  return interpreter.result(std::move(arguments));
}

} // namespace spindle::hls
