#include "hw/hls/lower/DescribeSchedule.h"

#include "dialects/hls/Concurrency.h"
#include "hw/hls/lower/PredictCycles.h"
#include "hw/hls/lower/kernel/SourceNames.h"
#include "hw/hls/schedule/bounds/Bounds.h"

#include "fmt/format.h"

namespace spindle::hls {

namespace {

class Describer {
public:
  Describer(KernelOp scheduled, const Target &hardware, const UnitLimits &allowed)
      : kernel(scheduled), target(hardware), limits(allowed), ranges(scheduled) {}

  llvm::Expected<KernelSchedule> describe();

private:
  llvm::Error add(TasksOp tasks, std::optional<size_t> parent);
  llvm::Error add(PipelineOp pipeline);
  ScheduledOperation describe(mlir::Operation *op, const ProblemOperation &operation) const;

  KernelOp kernel;
  const Target &target;
  const UnitLimits &limits;
  IndexRanges ranges;
  TaskTimes times;
  KernelSchedule schedule;
};

/// The unit or port an operation is bound to; empty where it needs none.
std::string resourceOf(mlir::Operation *op) {
  if (UnitOp unit = unitOf(op))
    return unit.getSymName().str();
  if (std::optional<Claim> end = llvm::isa<PopOp, PushOp>(op) ? claimOf(op) : std::nullopt)
    return end->what;
  if (!llvm::isa<LoadOp, StoreOp>(op) || memoryOf(op).getRegisters())
    return "";
  return fmt::format("{} bank {} port {}", memoryOf(op).getSymName().str(),
                     op->getAttrOfType<mlir::IntegerAttr>("bank").getInt(),
                     op->getAttrOfType<mlir::IntegerAttr>("port").getInt());
}

/// Of the operations on the worst circle, those that the program has.
IntervalBounds describe(const PipelineProblem &pipeline, const Bounds &bounds) {
  const Problem &problem = pipeline.problem;
  IntervalBounds described;
  described.recurrence = bounds.recurrence;
  for (unsigned member : bounds.circle)
    if (member < pipeline.operations.size())
      described.circle.push_back(problem.operations[member].name);
  described.circleLatency = bounds.circleLatency;
  described.circleDistance = bounds.circleDistance;
  described.resource = bounds.resource;
  if (bounds.scarcest)
    described.scarcest = problem.resources[*bounds.scarcest].name;
  return described;
}

ScheduledOperation Describer::describe(mlir::Operation *op,
                                       const ProblemOperation &operation) const {
  ScheduledOperation described;
  described.name = operation.name;
  described.source = sourceOf(op->getLoc());
  if (llvm::isa<LoadOp, StoreOp>(op))
    described.array = arrayName(memoryOf(op));
  if (llvm::isa<PopOp, PushOp>(op))
    described.array = streamName(fifoOf(op));
  described.start = static_cast<uint64_t>(startOf(op));
  described.latency = op->getNumResults() ? static_cast<uint64_t>(latencyOf(op)) : 1;
  described.resource = resourceOf(op);
  described.busy = operation.busy;
  return described;
}

llvm::Error Describer::add(PipelineOp pipeline) {
  SPINDLE_ASSIGN(PipelineProblem problem, problemOf(pipeline, target, ranges, limits));
  ScheduledPipeline described;
  described.task = schedule.tasks.size() - 1;
  described.interval = pipeline.getInterval();
  described.depth = pipeline.getDepth();
  described.repeats = pipeline.repeats();
  for (mlir::BlockArgument counter : pipeline.getCounters())
    described.loops.push_back(sourceOf(counter.getLoc()));
  if (described.repeats)
    described.bounds = hls::describe(problem, boundsOf(problem.problem));
  if (auto least = pipeline->getAttrOfType<mlir::IntegerAttr>(HlsDialect::leastIntervalName))
    described.proof = OptimalityProof{static_cast<uint64_t>(least.getInt()),
                                      pipeline->hasAttr(HlsDialect::leastDepthName)};
  if (auto time = times.find(pipeline); time != times.end())
    described.iterations = time->second.iterations;
  for (auto [op, operation] : llvm::zip(problem.operations, problem.problem.operations))
    described.operations.push_back(describe(op, operation));
  schedule.pipelines.push_back(std::move(described));
  return llvm::Error::success();
}

llvm::Error Describer::add(TasksOp tasks, std::optional<size_t> parent) {
  for (mlir::Operation &op : tasks.getBody().front()) {
    ScheduledTask task;
    task.name = nameOf(&op).str();
    task.source = sourceOf(op.getLoc());
    task.isPipeline = llvm::isa<PipelineOp>(op);
    task.parent = parent;
    for (llvm::StringRef name : predecessorsOf(&op))
      task.after.push_back(name.str());
    if (auto time = times.find(&op); time != times.end()) {
      task.start = time->second.start;
      task.cycles = time->second.cycles;
      task.runs = time->second.runs;
    }
    size_t id = schedule.tasks.size();
    schedule.tasks.push_back(std::move(task));
    auto repeat = llvm::dyn_cast<RepeatOp>(op);
    SPINDLE_RETURN_IF_ERROR(repeat ? add(repeat.getTasks(), id) : add(llvm::cast<PipelineOp>(op)));
  }
  return llvm::Error::success();
}

llvm::Expected<KernelSchedule> Describer::describe() {
  schedule.kernel = kernel.getSymName().str();
  schedule.target = kernel.getTarget().str();
  schedule.clockPeriodNs = kernel.getClockPeriodNs().convertToDouble();
  schedule.predictedCycles = predictCycles(kernel, &times);
  if (!schedule.predictedCycles)
    times.clear(); // of the tasks before the one that depends on an argument
  SPINDLE_RETURN_IF_ERROR(add(kernel.getTasks(), std::nullopt));
  return std::move(schedule);
}

} // namespace

llvm::Expected<KernelSchedule> describeSchedule(KernelOp kernel, const Target &target,
                                                const UnitLimits &limits) {
  return Describer(kernel, target, limits).describe();
}

} // namespace spindle::hls
