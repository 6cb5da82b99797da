#include "hw/hls/lower/ScheduleKernel.h"

#include "hw/hls/lower/ShareResources.h"
#include "hw/hls/schedule/Schedulers.h"

#include "mlir/IR/Verifier.h"

#include <algorithm>

namespace spindle::hls {

namespace {

llvm::Expected<Schedule> scheduleOnce(const Problem &problem, unsigned smallestInterval,
                                      bool repeats) {
  if (!repeats)
    return scheduleList(problem);
  ModuloOptions options;
  options.smallestInterval = smallestInterval;
  return scheduleModulo(problem, options);
}

/// Instances that a schedule of this interval takes at the least.
std::vector<unsigned> leastCounts(const PipelineProblem &pipeline, unsigned interval) {
  std::vector<unsigned> cycles(pipeline.problem.resources.size(), 0), most = cycles;
  for (const Operation &operation : pipeline.problem.operations)
    for (unsigned use : operation.uses) {
      cycles[use] += operation.busy;
      most[use] = std::max(most[use], (operation.busy + interval - 1) / interval);
    }
  for (size_t resource = 0; resource < cycles.size(); ++resource)
    cycles[resource] = std::max(most[resource], (cycles[resource] + interval - 1) / interval);
  return cycles;
}

/// The smallest interval first, then as few of the unlimited units as keep it.
llvm::Expected<Schedule> schedulePipeline(PipelineProblem &pipeline, bool repeats,
                                          const UnitLimits &limits) {
  SPINDLE_ASSIGN(Schedule best, scheduleOnce(pipeline.problem, 1, repeats));
  if (!repeats)
    best.interval = 0;
  unsigned interval = repeats ? best.interval : best.depth(pipeline.problem);
  std::vector<unsigned> least = leastCounts(pipeline, interval);
  Problem problem = pipeline.problem;
  for (const auto &[unit, resource] : pipeline.unitResources)
    if (!limits.count(unit))
      problem.resources[resource].count =
          std::min(least[resource], problem.resources[resource].count);
  for (bool isGrowing = true; isGrowing;) {
    SPINDLE_ASSIGN(Schedule frugal, scheduleOnce(problem, interval, repeats));
    bool isAsGood = repeats ? frugal.interval == interval
                            : frugal.depth(problem) <= best.depth(pipeline.problem);
    if (isAsGood) {
      pipeline.problem = std::move(problem);
      return frugal;
    }
    isGrowing = false;
    for (const auto &[unit, resource] : pipeline.unitResources)
      if (problem.resources[resource].count < pipeline.problem.resources[resource].count) {
        ++problem.resources[resource].count;
        isGrowing = true;
      }
  }
  return best;
}

void write(PipelineOp pipeline, const PipelineProblem &problem, const Schedule &schedule) {
  mlir::OpBuilder builder(pipeline);
  for (mlir::Operation &op : pipeline.getBody().front().without_terminator())
    setStart(&op, 0); // constants
  for (auto [id, op] : llvm::enumerate(problem.operations))
    setStart(op, schedule.start[id]);
  int64_t depth = 1;
  for (mlir::Operation *op : problem.operations)
    depth = std::max(depth, startOf(op) + (op->getNumResults() ? latencyOf(op) : 0) + 1);
  pipeline.setInterval(std::max(1u, schedule.interval));
  pipeline.setDepth(depth);
}

/// A pipeline that runs once has no interval of its own; its operations never meet.
bool repeats(PipelineOp pipeline) { return pipeline.getLevels() > 0; }

} // namespace

llvm::Error scheduleKernel(KernelOp kernel, const Target &target, const ScheduleOptions &options) {
  IndexRanges ranges(kernel);
  std::vector<PipelineOp> pipelines;
  kernel.walk([&](PipelineOp pipeline) { pipelines.push_back(pipeline); });
  ShareResources sharing(kernel, target, options);
  std::vector<std::pair<PipelineProblem, Schedule>> plans;
  for (PipelineOp pipeline : pipelines) {
    SPINDLE_ASSIGN(PipelineProblem problem, problemOf(pipeline, target, ranges, options.units));
    SPINDLE_ASSIGN(Schedule schedule, schedulePipeline(problem, repeats(pipeline), options.units));
    sharing.addPipeline(pipeline, problem, schedule);
    plans.emplace_back(std::move(problem), std::move(schedule));
  }
  sharing.bind();
  for (auto [pipeline, plan] : llvm::zip(pipelines, plans))
    write(pipeline, plan.first, plan.second);
  if (mlir::failed(mlir::verify(kernel)))
    return checkError(kernel.getSymName().str(), "the schedule of the kernel does not hold");
  return llvm::Error::success();
}

} // namespace spindle::hls
