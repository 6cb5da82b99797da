#include "core/kernel/KernelSchedule.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <map>
#include <set>

namespace spindle::hls {

std::optional<uint64_t> cyclesOf(const KernelSchedule &schedule,
                                 const ScheduledPipeline &pipeline) {
  const std::optional<uint64_t> &runs = schedule.tasks[pipeline.task].runs;
  if (!runs || !pipeline.iterations || *pipeline.iterations < *runs)
    return std::nullopt;
  return (*pipeline.iterations - *runs) * pipeline.interval + *runs * pipeline.depth;
}

const ScheduledPipeline *longestPipeline(const KernelSchedule &schedule) {
  const ScheduledPipeline *longest = nullptr;
  uint64_t most = 0;
  for (const ScheduledPipeline &pipeline : schedule.pipelines) {
    std::optional<uint64_t> cycles = cyclesOf(schedule, pipeline);
    if (cycles && (!longest || *cycles > most)) {
      longest = &pipeline;
      most = *cycles;
    }
  }
  return longest;
}

std::string limitText(const ScheduledPipeline &pipeline) {
  const IntervalBounds &bounds = pipeline.bounds;
  if (!pipeline.repeats)
    return "no loop";
  if (pipeline.interval == 1)
    return "an iteration per cycle";
  if (pipeline.proof && pipeline.interval == pipeline.proof->leastInterval &&
      pipeline.interval > bounds.interval())
    return "recurrences and resources together";
  if (pipeline.interval > bounds.interval())
    return fmt::format("search, bound {}", bounds.interval());
  if (bounds.recurrence >= bounds.resource)
    return fmt::format("recurrence of {} (latency {}, distance {})", fmt::join(bounds.circle, ", "),
                       bounds.circleLatency, bounds.circleDistance);
  return fmt::format("resource {}", bounds.scarcest);
}

std::string formulaText(const ScheduledPipeline &pipeline) {
  if (!pipeline.repeats || pipeline.iterations)
    return "";
  return fmt::format("(n - 1) * {} + {}", pipeline.interval, pipeline.depth);
}

std::string proofText(const ScheduledPipeline &pipeline) {
  if (!pipeline.proof)
    return "";
  std::string depth = pipeline.proof->isDepthLeast ? "optimal" : "time limit";
  if (!pipeline.repeats)
    return "depth: " + depth;
  std::string interval =
      pipeline.interval == pipeline.proof->leastInterval
          ? "optimal"
          : fmt::format("time limit, at least {}", pipeline.proof->leastInterval);
  return fmt::format("interval: {}; depth: {}", interval, depth);
}

/// What is wrong with the tasks, empty when nothing.
static std::string faultOfTasks(const std::vector<ScheduledTask> &tasks) {
  std::map<std::optional<size_t>, std::set<std::string>> names;
  for (size_t i = 0; i < tasks.size(); ++i) {
    const ScheduledTask &task = tasks[i];
    if (task.parent && (*task.parent >= i || tasks[*task.parent].isPipeline))
      return fmt::format("task {} has the parent {}, expected an earlier repeat", task.name,
                         *task.parent);
    std::set<std::string> &siblings = names[task.parent];
    for (const std::string &name : task.after)
      if (!siblings.count(name))
        return fmt::format("task {} waits for {}, expected an earlier task beside it", task.name,
                           name);
    if (!siblings.insert(task.name).second)
      return fmt::format("two tasks beside each other are called {}", task.name);
  }
  return "";
}

/// Every cycle modulo the interval, a resource serves one operation.
static std::string problemOfResources(const ScheduledPipeline &pipeline) {
  std::map<std::pair<std::string, uint64_t>, const ScheduledOperation *> taken;
  for (const ScheduledOperation &operation : pipeline.operations) {
    if (operation.resource.empty())
      continue;
    if (pipeline.repeats && operation.busy > pipeline.interval)
      return fmt::format("{} takes {} for {} cycles in an interval of {}", operation.name,
                         operation.resource, operation.busy, pipeline.interval);
    for (uint64_t cycle = operation.start; cycle < operation.start + operation.busy; ++cycle) {
      uint64_t row = pipeline.repeats ? cycle % pipeline.interval : cycle;
      auto [entry, isFree] = taken.try_emplace({operation.resource, row}, &operation);
      if (!isFree)
        return fmt::format("{} and {} take {} in the same cycle", entry->second->name,
                           operation.name, operation.resource);
    }
  }
  return "";
}

static std::string faultOf(const ScheduledPipeline &pipeline,
                           const std::vector<ScheduledTask> &tasks) {
  if (pipeline.task >= tasks.size() || !tasks[pipeline.task].isPipeline)
    return fmt::format("a pipeline is task {}, expected a task of that kind", pipeline.task);
  std::string name = "pipeline " + tasks[pipeline.task].name;
  if (pipeline.interval < 1 || pipeline.depth < 1)
    return fmt::format("{} has the interval {} and the depth {}, expected at least 1", name,
                       pipeline.interval, pipeline.depth);
  if (pipeline.repeats && pipeline.interval < pipeline.bounds.interval())
    return fmt::format("{} has the interval {}, below its bound {}", name, pipeline.interval,
                       pipeline.bounds.interval());
  if (pipeline.proof && pipeline.interval < pipeline.proof->leastInterval)
    return fmt::format("{} has the interval {}, proven to be at least {}", name, pipeline.interval,
                       pipeline.proof->leastInterval);
  std::set<std::string> operations;
  for (const ScheduledOperation &operation : pipeline.operations) {
    if (!operations.insert(operation.name).second)
      return fmt::format("{} has two operations {}", name, operation.name);
    if (operation.start >= pipeline.depth || operation.latency > pipeline.depth - operation.start)
      return fmt::format("{}: {} ends in cycle {}, after its depth {}", name, operation.name,
                         operation.start + operation.latency, pipeline.depth);
  }
  for (const std::string &member : pipeline.bounds.circle)
    if (!operations.count(member))
      return fmt::format("{}: its recurrence names {}, which is no operation of it", name, member);
  std::string conflict = problemOfResources(pipeline);
  return conflict.empty() ? "" : name + ": " + conflict;
}

llvm::Error verify(const KernelSchedule &schedule, const std::string &place) {
  if (std::string fault = faultOfTasks(schedule.tasks); !fault.empty())
    return inputError(place, fault);
  for (const ScheduledPipeline &pipeline : schedule.pipelines)
    if (std::string fault = faultOf(pipeline, schedule.tasks); !fault.empty())
      return inputError(place, fault);
  return llvm::Error::success();
}

} // namespace spindle::hls
