#include "hw/hls/schedule/problem/JsonNames.h"
#include "hw/hls/schedule/problem/ProblemFile.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle::hls {

namespace {

constexpr FileFormat kScheduleFormat = {"spindle-schedule", 1};

Json toJson(const Problem &problem, const Schedule &schedule) {
  JsonNames operations("operation", problem.operations);
  Json json = jsonHeader(kScheduleFormat);
  json["problem"] = problem.name;
  json["interval"] = schedule.interval;
  json["depth"] = schedule.depth(problem);
  json["operations"] = Json::array();
  for (unsigned o = 0; o < problem.operations.size(); ++o)
    json["operations"].push_back({{"operation", operations.reference(o)},
                                  {"start", schedule.start[o]},
                                  {"offset_ns", schedule.offsetNs[o]},
                                  {"instances", schedule.instance[o]}});
  return json;
}

Schedule fromJson(const Json &json, const Problem &problem) {
  refuseUnknownKeys(json, {"format", "version", "problem", "interval", "depth", "operations"},
                    "the file");
  JsonNames operations("operation", problem.operations);
  size_t count = problem.operations.size();
  Schedule schedule;
  schedule.interval = unsignedAt<unsigned>(json, "interval");
  schedule.start.resize(count);
  schedule.offsetNs.resize(count);
  schedule.instance.resize(count);
  std::vector<bool> isGiven(count, false);
  for (const Json &entry : json.at("operations")) {
    refuseUnknownKeys(entry, {"operation", "start", "offset_ns", "instances"}, "an operation");
    unsigned o = operations.find(entry.at("operation"), "the schedule");
    if (isGiven[o])
      throw Json::type_error::create(
          302, fmt::format("operation '{}' is there twice", problem.operations[o].name), &entry);
    isGiven[o] = true;
    schedule.start[o] = unsignedAt<unsigned>(entry, "start");
    schedule.offsetNs[o] = entry.at("offset_ns").get<double>();
    for (const Json &instance : entry.at("instances"))
      schedule.instance[o].push_back(unsignedValue<unsigned>(instance));
  }
  for (unsigned o = 0; o < count; ++o)
    if (!isGiven[o])
      throw Json::type_error::create(
          302, fmt::format("operation '{}' is missing", problem.operations[o].name), &json);
  return schedule;
}

} // namespace

llvm::Error writeSchedule(const std::string &path, const Problem &problem,
                          const Schedule &schedule) {
  SPINDLE_RETURN_IF_ERROR(verify(problem, schedule));
  return writeJson(path, toJson(problem, schedule));
}

llvm::Expected<Schedule> readSchedule(const std::string &path, const Problem &problem) {
  SPINDLE_ASSIGN(Json json, readJson(path, kScheduleFormat));
  SPINDLE_ASSIGN(Schedule schedule, parseJson<Schedule>(path, json, [&](const Json &file) {
                   return fromJson(file, problem);
                 }));
  if (std::optional<std::string> fault = faultOf(problem, schedule))
    return inputError(path, *fault);
  return schedule;
}

} // namespace spindle::hls
