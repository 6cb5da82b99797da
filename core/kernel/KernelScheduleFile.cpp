#include "core/kernel/KernelSchedule.h"
#include "core/support/formats/JsonMapping.h"

namespace spindle::hls {

static constexpr FileFormat kKernelScheduleFormat = {"spindle-kernel-schedule", 1};
static constexpr const char *kTaskNames[] = {"repeat", "pipeline"}; // by isPipeline

static void describe(auto &file, MaybeConst<ScheduledOperation> auto &operation) {
  file.field("name", operation.name);
  file.field("source", operation.source);
  file.field("start", operation.start);
  file.field("latency", operation.latency);
  file.fieldUnless("array", operation.array, "");
  file.field("resource", orNull(operation.resource, ""));
  file.fieldUnless("busy", operation.busy, 1);
}

static void describe(auto &file, MaybeConst<IntervalBounds> auto &bounds) {
  file.group("recurrence", [&](auto &recurrence) {
    recurrence.field("interval", bounds.recurrence);
    if (!recurrence.has("operations", !bounds.circle.empty()))
      return;
    recurrence.field("operations", bounds.circle);
    recurrence.field("latency", bounds.circleLatency);
    recurrence.field("distance", bounds.circleDistance);
  });
  file.group("resource", [&](auto &resource) {
    resource.field("interval", bounds.resource);
    resource.fieldUnless("name", bounds.scarcest, "");
  });
}

static void describe(auto &file, MaybeConst<ScheduledTask> auto &task) {
  file.field("name", task.name);
  file.field("kind", wordOf(task.isPipeline, kTaskNames, "pipeline or repeat"));
  file.fieldOr("source", task.source, "");
  file.field("parent", task.parent);
  file.field("after", task.after);
  file.field("start", task.start);
  file.field("cycles", task.cycles);
  file.field("runs", task.runs);
}

/// Of `schedule`, from whose tasks some figures follow.
static void describe(auto &file, MaybeConst<ScheduledPipeline> auto &pipeline,
                     const KernelSchedule &schedule) {
  file.field("task", pipeline.task);
  file.fieldOr("loops", pipeline.loops, {});
  file.field("interval", pipeline.interval);
  file.field("depth", pipeline.depth);
  file.field("repeats", pipeline.repeats);
  file.field("iterations", pipeline.iterations);
  file.derived("cycles", [&] { return cyclesOf(schedule, pipeline); });
  file.derived("limit", [&] { return limitText(pipeline); });
  file.field("bounds", pipeline.bounds);
  file.derivedText("formula", [&] { return formulaText(pipeline); });
  file.optional("proof", pipeline.proof, [&](auto &entry, auto &proof) {
    entry.field("least_interval", proof.leastInterval);
    entry.field("least_depth", proof.isDepthLeast);
    entry.derived("text", [&] { return proofText(pipeline); });
  });
  file.field("operations", pipeline.operations);
}

static void describe(auto &file, MaybeConst<KernelSchedule> auto &schedule) {
  file.field("kernel", schedule.kernel);
  file.field("target", schedule.target);
  file.field("clock_period_ns", schedule.clockPeriodNs);
  file.field("predicted_cycles", schedule.predictedCycles);
  file.field("tasks", schedule.tasks);
  file.list("pipelines", schedule.pipelines,
            [&](auto &entry, auto &pipeline) { describe(entry, pipeline, schedule); });
}

llvm::Error writeKernelSchedule(const std::string &path, const KernelSchedule &schedule) {
  SPINDLE_RETURN_IF_ERROR(verify(schedule, path));
  return writeDescribed(path, kKernelScheduleFormat, schedule);
}

llvm::Expected<KernelSchedule> readKernelSchedule(const std::string &path) {
  SPINDLE_ASSIGN(KernelSchedule schedule,
                 readDescribed<KernelSchedule>(path, kKernelScheduleFormat));
  SPINDLE_RETURN_IF_ERROR(verify(schedule, path));
  return schedule;
}

} // namespace spindle::hls
