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

std::optional<uint64_t> cyclesOf(TasksOp tasks, Counters &counters);

std::optional<uint64_t> cyclesOf(RepeatOp repeat, Counters &counters) {
  auto operands = valuesOf(repeat.getBoundOperands(), counters);
  if (!operands)
    return std::nullopt;
  llvm::SmallVector<Range> points =
      llvm::map_to_vector(*operands, [](int64_t value) { return Range{value, value}; });
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
    std::optional<uint64_t> once = cyclesOf(repeat.getTasks(), counters);
    if (!once)
      return std::nullopt;
    if (!isSeen)
      return (*once + 1) * static_cast<uint64_t>(end - first);
    total += *once + 1;
  }
  return total;
}

std::optional<uint64_t> cyclesOf(PipelineOp pipeline, const Counters &counters) {
  std::optional<uint64_t> iterations = iterationsOf(pipeline, counters);
  if (!iterations)
    return std::nullopt;
  return (*iterations - 1) * pipeline.getInterval() + pipeline.getDepth();
}

std::optional<uint64_t> cyclesOf(TasksOp tasks, Counters &counters) {
  llvm::StringMap<uint64_t> ends;
  uint64_t last = 0;
  for (mlir::Operation &task : tasks.getBody().front()) {
    uint64_t start = 0;
    for (llvm::StringRef name : predecessorsOf(&task))
      start = std::max(start, ends.lookup(name));
    auto repeat = llvm::dyn_cast<RepeatOp>(task);
    std::optional<uint64_t> cycles =
        repeat ? cyclesOf(repeat, counters) : cyclesOf(llvm::cast<PipelineOp>(task), counters);
    if (!cycles)
      return std::nullopt;
    ends[nameOf(&task)] = start + *cycles;
    last = std::max(last, start + *cycles);
  }
  return last;
}

} // namespace

std::optional<uint64_t> iterationsOf(PipelineOp pipeline, const Counters &counters) {
  auto operands = valuesOf(pipeline.getBoundOperands(), counters);
  if (!operands)
    return std::nullopt;
  return countIterations(boundsOf(pipeline), *operands);
}

std::optional<uint64_t> predictCycles(KernelOp kernel) {
  Counters counters;
  std::optional<uint64_t> cycles = cyclesOf(kernel.getTasks(), counters);
  return cycles ? std::max<uint64_t>(*cycles, 1) : cycles;
}

} // namespace spindle::hls
