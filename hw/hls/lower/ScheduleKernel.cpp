#include "hw/hls/lower/ScheduleKernel.h"

#include "dialects/location/Location.h"
#include "hw/hls/body/OperationCost.h"
#include "hw/hls/lower/PairProducts.h"
#include "hw/hls/lower/ShareResources.h"
#include "hw/hls/lower/kernel/SourceNames.h"
#include "hw/hls/schedule/Schedulers.h"
#include "hw/hls/schedule/exact/ExactSchedule.h"

#include "mlir/IR/Verifier.h"

#include "fmt/format.h"

#include <algorithm>
#include <chrono>

namespace spindle::hls {

namespace {

using Clock = std::chrono::steady_clock;

/// The search of one pipeline: several schedules, one limit of time.
class Search {
public:
  Search(const ScheduleOptions &scheduleOptions, bool isPipelined)
      : options(scheduleOptions), repeats(isPipelined), start(Clock::now()) {}

  llvm::Expected<ExactSchedule> run(const Problem &problem, unsigned smallestInterval) const {
    ExactOptions exact;
    exact.isPipelined = repeats;
    exact.seconds = options.seconds - std::chrono::duration<double>(Clock::now() - start).count();
    if (options.exact)
      return scheduleExact(problem, exact);
    ModuloOptions modulo;
    modulo.smallestInterval = smallestInterval;
    ExactSchedule found;
    SPINDLE_ASSIGN(found.schedule,
                   repeats ? scheduleModulo(problem, modulo) : scheduleList(problem));
    return found;
  }

private:
  const ScheduleOptions &options;
  bool repeats;
  Clock::time_point start;
};

/// Instances that a schedule of this interval takes at the least.
std::vector<unsigned> leastCounts(const PipelineProblem &pipeline, unsigned interval) {
  std::vector<unsigned> cycles(pipeline.problem.resources.size(), 0), most = cycles;
  for (const ProblemOperation &operation : pipeline.problem.operations)
    for (unsigned use : operation.uses) {
      cycles[use] += operation.busy;
      most[use] = std::max(most[use], (operation.busy + interval - 1) / interval);
    }
  for (size_t resource = 0; resource < cycles.size(); ++resource)
    cycles[resource] = std::max(most[resource], (cycles[resource] + interval - 1) / interval);
  return cycles;
}

/// A pipeline that runs once has no interval of its own; its operations never meet. Otherwise
/// the smallest interval first, then as few of the unlimited units as keep it. The bound of the
/// interval is that of all units that are allowed, that of the depth of those that are taken.
llvm::Expected<ExactSchedule> schedulePipeline(PipelineProblem &pipeline, bool repeats,
                                               const ScheduleOptions &options) {
  Search search(options, repeats);
  SPINDLE_ASSIGN(ExactSchedule best, search.run(pipeline.problem, 1));
  if (!repeats)
    best.schedule.interval = 0;
  unsigned depth = best.schedule.depth(pipeline.problem);
  unsigned interval = repeats ? best.schedule.interval : depth;
  std::vector<unsigned> least = leastCounts(pipeline, interval);
  Problem problem = pipeline.problem;
  for (const auto &[unit, resource] : pipeline.unitResources)
    if (!options.units.count(unit))
      problem.resources[resource].count =
          std::min(least[resource], problem.resources[resource].count);
  for (bool isGrowing = true; isGrowing;) {
    SPINDLE_ASSIGN(ExactSchedule frugal, search.run(problem, interval));
    bool isAsGood =
        repeats ? frugal.schedule.interval == interval : frugal.schedule.depth(problem) <= depth;
    if (isAsGood) {
      pipeline.problem = std::move(problem);
      frugal.lowerBound = best.lowerBound;
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

/// Whether `value` is there when an iteration begins; logic that was put off comes back.
bool moveToBegin(mlir::Value value, PipelineOp pipeline) {
  mlir::Operation *maker = value.getDefiningOp();
  bool isLater = maker && pipeline->isProperAncestor(maker) && startOf(maker) > 0;
  if (!isLater || latencyOf(maker) > 0 || llvm::isa<LoadOp>(maker))
    return pipeline.getReadyCycle(value).value_or(0) <= 0;
  for (mlir::Value operand : maker->getOperands())
    if (!moveToBegin(operand, pipeline))
      return false;
  setStart(maker, 0);
  return true;
}

/// Tokens are taken in the first cycle: those that the scheduler has put off, to spare registers,
/// come back. A stream is read once in an iteration, so that nobody else is there.
llvm::Error takeTokensFirst(PipelineOp pipeline) {
  for (auto pop : pipeline.getBody().getOps<PopOp>()) {
    if (mlir::Value condition = pop.getCondition(); condition && !moveToBegin(condition, pipeline))
      return inputError(placeOf(pop),
                        fmt::format("whether a token of stream '{}' is read is not known when an "
                                    "iteration begins: expected a condition of counters, values of "
                                    "the iteration before and tokens alone",
                                    streamName(fifoOf(pop))));
    setStart(pop, 0);
  }
  return llvm::Error::success();
}

llvm::Error write(PipelineOp pipeline, const PipelineProblem &problem, const Schedule &schedule) {
  mlir::OpBuilder builder(pipeline);
  for (mlir::Operation &op : pipeline.getBody().front().without_terminator())
    setStart(&op, 0); // constants
  for (auto [id, op] : llvm::enumerate(problem.operations))
    setStart(op, schedule.start[id]);
  pipeline.setInterval(std::max(1u, schedule.interval));
  SPINDLE_RETURN_IF_ERROR(takeTokensFirst(pipeline));
  int64_t depth = 1;
  for (mlir::Operation *op : problem.operations)
    depth = std::max(depth, startOf(op) + (op->getNumResults() ? latencyOf(op) : 0) + 1);
  pipeline.setDepth(depth);
  return llvm::Error::success();
}

void writeProof(PipelineOp pipeline, const ExactSchedule &found) {
  mlir::Builder builder(pipeline.getContext());
  pipeline->setAttr(HlsDialect::leastIntervalName,
                    builder.getI64IntegerAttr(std::max(1u, found.lowerBound)));
  if (found.isDepthProven)
    pipeline->setAttr(HlsDialect::leastDepthName, builder.getUnitAttr());
}

} // namespace

llvm::Error scheduleKernel(KernelOp kernel, const Target &target, const ScheduleOptions &options) {
  if (options.pairs)
    pairProducts(kernel, target, options.units);
  IndexRanges ranges(kernel);
  auto signedBits = [&ranges](mlir::Value value) { return ranges.signedBitsOf(value); };
  std::vector<PipelineOp> pipelines;
  kernel.walk([&](PipelineOp pipeline) { pipelines.push_back(pipeline); });
  ShareResources sharing(kernel, options);
  std::vector<std::pair<PipelineProblem, ExactSchedule>> plans;
  for (PipelineOp pipeline : pipelines) {
    SPINDLE_ASSIGN(PipelineProblem problem, problemOf(pipeline, target, ranges, options.units));
    SPINDLE_ASSIGN(ExactSchedule found, schedulePipeline(problem, pipeline.repeats(), options));
    for (auto [op, unit] : llvm::zip(problem.operations, problem.units))
      if (unit)
        orderOperands(op, *unit, signedBits);
    sharing.addPipeline(pipeline, problem, found.schedule);
    if (options.exact)
      writeProof(pipeline, found);
    plans.emplace_back(std::move(problem), std::move(found));
  }
  SPINDLE_RETURN_IF_ERROR(sharing.bind());
  for (auto [pipeline, plan] : llvm::zip(pipelines, plans))
    SPINDLE_RETURN_IF_ERROR(write(pipeline, plan.first, plan.second.schedule));
  if (mlir::failed(mlir::verify(kernel)))
    return checkError(placeOf(kernel),
                      fmt::format("the schedule of '{}' does not hold", kernel.getSymName().str()));
  return llvm::Error::success();
}

} // namespace spindle::hls
