#include "hw/hls/lower/PredictCycles.h"

#include "hw/hls/lower/IndexRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

namespace spindle::hls {

namespace {

using Counters = llvm::DenseMap<mlir::Value, int64_t>;

/// Values of bound operands, where all are known.
std::optional<llvm::SmallVector<int64_t>> valuesOf(mlir::ValueRange operands,
                                                   const Counters &counters) {
  llvm::SmallVector<int64_t> values;
  for (mlir::Value operand : operands) {
    auto counter = counters.find(operand);
    llvm::APInt constant;
    if (counter != counters.end())
      values.push_back(counter->second);
    else if (mlir::matchPattern(operand, mlir::m_ConstantInt(&constant)))
      values.push_back(constant.getSExtValue());
    else
      return std::nullopt;
  }
  return values;
}

/// Walks the tree of tasks as the kernel does; a loop whose counter no bound sees is walked once.
class Prediction {
public:
  /// Cycles of tasks that start in cycle `start` for the first time and run `runs` times alike.
  std::optional<uint64_t> cyclesOf(TasksOp tasks, uint64_t start, uint64_t runs);

  TaskTimes times;

private:
  std::optional<uint64_t> cyclesOf(RepeatOp repeat, uint64_t start, uint64_t runs);
  std::optional<uint64_t> cyclesOf(PipelineOp pipeline, uint64_t runs);

  Counters counters;
};

std::optional<uint64_t> Prediction::cyclesOf(RepeatOp repeat, uint64_t start, uint64_t runs) {
  auto operands = valuesOf(repeat.getBoundOperands(), counters);
  if (!operands || repeat.getCondition())
    return std::nullopt;
  llvm::SmallVector<IntegerRange> points =
      llvm::map_to_vector(*operands, [](int64_t value) { return IntegerRange{value, value}; });
  int64_t first = INT64_MIN, end = INT64_MAX;
  for (mlir::AffineExpr bound : repeat.getLowerBound().getResults())
    first = std::max(first, rangeOf(bound, points).least);
  for (mlir::AffineExpr bound : repeat.getUpperBound().getResults())
    end = std::min(end, rangeOf(bound, points).least);
  bool isSeen = false; // by the bounds inside
  repeat.getTasks().walk([&](mlir::Operation *op) {
    if (llvm::isa<PipelineOp, RepeatOp>(op))
      isSeen |= llvm::is_contained(op->getOperands(), repeat.getCounter());
  });
  uint64_t total = 0;
  for (int64_t value = first; value < end; ++value) {
    counters[repeat.getCounter()] = value;
    uint64_t alike = isSeen ? 1 : static_cast<uint64_t>(end - first);
    std::optional<uint64_t> once = cyclesOf(repeat.getTasks(), start + total, runs * alike);
    if (!once)
      return std::nullopt;
    total += (*once + 1) * alike;
    if (!isSeen)
      break;
  }
  return total;
}

std::optional<uint64_t> Prediction::cyclesOf(PipelineOp pipeline, uint64_t runs) {
  std::optional<uint64_t> iterations = iterationsOf(pipeline, counters);
  if (!iterations)
    return std::nullopt;
  times[pipeline].iterations += *iterations * runs;
  return (*iterations - 1) * pipeline.getInterval() + pipeline.getDepth();
}

std::optional<uint64_t> Prediction::cyclesOf(TasksOp tasks, uint64_t start, uint64_t runs) {
  llvm::StringMap<uint64_t> ends;
  uint64_t last = 0;
  for (mlir::Operation &task : tasks.getBody().front()) {
    uint64_t wait = 0;
    for (llvm::StringRef name : predecessorsOf(&task))
      wait = std::max(wait, ends.lookup(name));
    auto repeat = llvm::dyn_cast<RepeatOp>(task);
    std::optional<uint64_t> cycles = repeat ? cyclesOf(repeat, start + wait, runs)
                                            : cyclesOf(llvm::cast<PipelineOp>(task), runs);
    if (!cycles)
      return std::nullopt;
    TaskTime &time = times[&task];
    if (time.runs == 0) {
      time.start = start + wait;
      time.cycles = *cycles;
    }
    time.runs += runs;
    ends[nameOf(&task)] = wait + *cycles;
    last = std::max(last, wait + *cycles);
  }
  return last;
}

} // namespace

std::optional<uint64_t> iterationsOf(PipelineOp pipeline, const Counters &counters) {
  if (pipeline.getCondition())
    return std::nullopt;
  auto operands = valuesOf(pipeline.getBoundOperands(), counters);
  if (!operands)
    return std::nullopt;
  return countIterations(boundsOf(pipeline), *operands);
}

std::optional<uint64_t> predictCycles(KernelOp kernel, TaskTimes *times) {
  if (!kernel.getOps<FifoOp>().empty()) // tasks wait for each other's tokens
    return std::nullopt;
  Prediction prediction;
  std::optional<uint64_t> cycles = prediction.cyclesOf(kernel.getTasks(), 0, 1);
  if (times)
    *times = std::move(prediction.times);
  return cycles ? std::max<uint64_t>(*cycles, 1) : cycles;
}

std::optional<uint64_t> cyclesWithoutWaits(KernelOp kernel) {
  mlir::Block &tasks = kernel.getTasks().getBody().front();
  bool isInside = llvm::any_of(kernel.getOps<FifoOp>(),
                               [](FifoOp fifo) { return !fifo.getArgument().has_value(); });
  if (kernel.getOps<FifoOp>().empty() || isInside || !llvm::hasSingleElement(tasks) ||
      !llvm::isa<PipelineOp>(tasks.front()))
    return std::nullopt;
  std::optional<uint64_t> cycles = Prediction().cyclesOf(kernel.getTasks(), 0, 1);
  return cycles ? std::max<uint64_t>(*cycles, 1) : cycles;
}

} // namespace spindle::hls
