#include "core/kernel/KernelSchedule.h"
#include "core/support/formats/JsonValues.h"

namespace spindle::hls {

namespace {

constexpr FileFormat kKernelScheduleFormat = {"spindle-kernel-schedule", 1};

template <typename Number> Json orNull(const std::optional<Number> &value) {
  return value ? Json(*value) : Json();
}

std::optional<uint64_t> numberAt(const Json &json, const char *key) {
  return memberAt(json, key).is_null() ? std::nullopt
                                       : std::optional<uint64_t>(unsignedAt<uint64_t>(json, key));
}

Json toJson(const ScheduledOperation &operation) {
  Json json = {{"name", operation.name},
               {"source", operation.source},
               {"start", operation.start},
               {"latency", operation.latency}};
  if (!operation.array.empty())
    json["array"] = operation.array;
  json["resource"] = operation.resource.empty() ? Json() : Json(operation.resource);
  if (operation.busy != 1)
    json["busy"] = operation.busy;
  return json;
}

ScheduledOperation operationOf(const Json &json) {
  ScheduledOperation operation;
  operation.name = textAt(json, "name");
  operation.source = textAt(json, "source");
  operation.array = textOr(json, "array", "");
  operation.start = unsignedAt<uint64_t>(json, "start");
  operation.latency = unsignedAt<uint64_t>(json, "latency");
  if (!memberAt(json, "resource").is_null())
    operation.resource = textAt(json, "resource");
  if (json.contains("busy"))
    operation.busy = unsignedAt<uint64_t>(json, "busy");
  return operation;
}

Json toJson(const IntervalBounds &bounds) {
  Json recurrence = {{"interval", bounds.recurrence}};
  if (!bounds.circle.empty()) {
    recurrence["operations"] = bounds.circle;
    recurrence["latency"] = bounds.circleLatency;
    recurrence["distance"] = bounds.circleDistance;
  }
  Json resource = {{"interval", bounds.resource}};
  if (!bounds.scarcest.empty())
    resource["name"] = bounds.scarcest;
  return {{"recurrence", recurrence}, {"resource", resource}};
}

IntervalBounds boundsOf(const Json &json) {
  IntervalBounds bounds;
  const Json &recurrence = memberAt(json, "recurrence"), &resource = memberAt(json, "resource");
  bounds.recurrence = unsignedAt<uint64_t>(recurrence, "interval");
  if (recurrence.contains("operations")) {
    bounds.circle = textsAt(recurrence, "operations");
    bounds.circleLatency = unsignedAt<uint64_t>(recurrence, "latency");
    bounds.circleDistance = unsignedAt<uint64_t>(recurrence, "distance");
  }
  bounds.resource = unsignedAt<uint64_t>(resource, "interval");
  bounds.scarcest = textOr(resource, "name", "");
  return bounds;
}

Json toJson(const OptimalityProof &proof) {
  return {{"least_interval", proof.leastInterval}, {"least_depth", proof.isDepthLeast}};
}

OptimalityProof proofOf(const Json &json) {
  return {unsignedAt<uint64_t>(json, "least_interval"), flagAt(json, "least_depth")};
}

Json toJson(const ScheduledTask &task) {
  return {{"name", task.name},
          {"kind", task.isPipeline ? "pipeline" : "repeat"},
          {"source", task.source},
          {"parent", orNull(task.parent)},
          {"after", task.after},
          {"start", orNull(task.start)},
          {"cycles", orNull(task.cycles)},
          {"runs", orNull(task.runs)}};
}

ScheduledTask taskOf(const Json &json) {
  ScheduledTask task;
  task.name = textAt(json, "name");
  std::string kind = textAt(json, "kind");
  if (kind != "pipeline" && kind != "repeat")
    refuseValue(memberAt(json, "kind"), "pipeline or repeat");
  task.isPipeline = kind == "pipeline";
  task.source = textOr(json, "source", "");
  if (std::optional<uint64_t> parent = numberAt(json, "parent"))
    task.parent = *parent;
  task.after = textsAt(json, "after");
  task.start = numberAt(json, "start");
  task.cycles = numberAt(json, "cycles");
  task.runs = numberAt(json, "runs");
  return task;
}

Json toJson(const KernelSchedule &schedule, const ScheduledPipeline &pipeline) {
  Json json = {{"task", pipeline.task},
               {"loops", pipeline.loops},
               {"interval", pipeline.interval},
               {"depth", pipeline.depth},
               {"repeats", pipeline.repeats},
               {"iterations", orNull(pipeline.iterations)},
               {"cycles", orNull(cyclesOf(schedule, pipeline))},
               {"limit", limitText(pipeline)},
               {"bounds", toJson(pipeline.bounds)}};
  if (std::string formula = formulaText(pipeline); !formula.empty())
    json["formula"] = formula;
  if (pipeline.proof) {
    json["proof"] = toJson(*pipeline.proof);
    json["proof"]["text"] = proofText(pipeline);
  }
  json["operations"] = Json::array();
  for (const ScheduledOperation &operation : pipeline.operations)
    json["operations"].push_back(toJson(operation));
  return json;
}

ScheduledPipeline pipelineOf(const Json &json) {
  ScheduledPipeline pipeline;
  pipeline.task = unsignedAt<size_t>(json, "task");
  if (json.contains("loops"))
    pipeline.loops = textsAt(json, "loops");
  pipeline.interval = unsignedAt<uint64_t>(json, "interval");
  pipeline.depth = unsignedAt<uint64_t>(json, "depth");
  pipeline.repeats = flagAt(json, "repeats");
  pipeline.iterations = numberAt(json, "iterations");
  pipeline.bounds = boundsOf(memberAt(json, "bounds"));
  if (json.contains("proof"))
    pipeline.proof = proofOf(memberAt(json, "proof"));
  for (const Json &operation : listAt(json, "operations"))
    pipeline.operations.push_back(operationOf(operation));
  return pipeline;
}

KernelSchedule scheduleFromJson(const Json &json) {
  KernelSchedule schedule;
  schedule.kernel = textAt(json, "kernel");
  schedule.target = textAt(json, "target");
  schedule.clockPeriodNs = spindle::numberAt(json, "clock_period_ns");
  schedule.predictedCycles = numberAt(json, "predicted_cycles");
  for (const Json &task : listAt(json, "tasks"))
    schedule.tasks.push_back(taskOf(task));
  for (const Json &pipeline : listAt(json, "pipelines"))
    schedule.pipelines.push_back(pipelineOf(pipeline));
  return schedule;
}

} // namespace

llvm::Error writeKernelSchedule(const std::string &path, const KernelSchedule &schedule) {
  SPINDLE_RETURN_IF_ERROR(verify(schedule, path));
  Json json = jsonHeader(kKernelScheduleFormat);
  json["kernel"] = schedule.kernel;
  json["target"] = schedule.target;
  json["clock_period_ns"] = schedule.clockPeriodNs;
  json["predicted_cycles"] = orNull(schedule.predictedCycles);
  json["tasks"] = Json::array();
  for (const ScheduledTask &task : schedule.tasks)
    json["tasks"].push_back(toJson(task));
  json["pipelines"] = Json::array();
  for (const ScheduledPipeline &pipeline : schedule.pipelines)
    json["pipelines"].push_back(toJson(schedule, pipeline));
  return writeJson(path, json);
}

llvm::Expected<KernelSchedule> readKernelSchedule(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kKernelScheduleFormat));
  SPINDLE_ASSIGN(KernelSchedule schedule, parseJson<KernelSchedule>(path, json, scheduleFromJson));
  SPINDLE_RETURN_IF_ERROR(verify(schedule, path));
  return schedule;
}

} // namespace spindle::hls
