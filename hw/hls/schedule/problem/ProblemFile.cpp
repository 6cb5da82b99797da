#include "hw/hls/schedule/problem/ProblemFile.h"

#include "hw/hls/schedule/problem/JsonNames.h"

#include <algorithm>

namespace spindle::hls {

namespace {

constexpr FileFormat kScheduleProblemFormat = {"spindle-schedule-problem", 1};

Json toJson(const Problem &problem) {
  JsonNames types("operator type", problem.operatorTypes), resources("resource", problem.resources),
      operations("operation", problem.operations);
  Json json = jsonHeader(kScheduleProblemFormat);
  json["name"] = problem.name;
  json["clock_period_ns"] = problem.clockPeriodNs;
  json["operator_types"] = Json::array();
  for (const OperatorType &type : problem.operatorTypes) {
    Json entry = {{"name", type.name}, {"latency", type.latency}, {"delay_in_ns", type.delayInNs}};
    if (type.latency > 0)
      entry["delay_out_ns"] = type.delayOutNs;
    json["operator_types"].push_back(entry);
  }
  json["resources"] = Json::array();
  for (const Resource &resource : problem.resources)
    json["resources"].push_back({{"name", resource.name}, {"count", resource.count}});
  json["operations"] = Json::array();
  for (const ProblemOperation &operation : problem.operations) {
    Json entry = {{"name", operation.name}, {"type", types.reference(operation.type)}};
    if (!operation.uses.empty())
      entry["uses"] = Json::array();
    for (unsigned use : operation.uses)
      entry["uses"].push_back(resources.reference(use));
    if (operation.busy != 1)
      entry["busy"] = operation.busy;
    json["operations"].push_back(entry);
  }
  json["dependences"] = Json::array();
  for (const Dependence &dependence : problem.dependences) {
    Json entry = {{"from", operations.reference(dependence.from)},
                  {"to", operations.reference(dependence.to)}};
    if (dependence.distance != 0)
      entry["distance"] = dependence.distance;
    if (dependence.latency)
      entry["latency"] = *dependence.latency;
    json["dependences"].push_back(entry);
  }
  return json;
}

/// The list itself, so that errors can say where in the file they are.
const Json &listOr(const Json &json, const char *key) {
  static const Json none = Json::array();
  return json.contains(key) ? listAt(json, key) : none;
}

unsigned unsignedOr(const Json &json, const char *key, unsigned otherwise) {
  return json.contains(key) ? unsignedAt<unsigned>(json, key) : otherwise;
}

double numberOr(const Json &json, const char *key, double otherwise) {
  return json.contains(key) ? numberAt(json, key) : otherwise;
}

OperatorType readType(const Json &json) {
  OperatorType type;
  type.name = textAt(json, "name");
  refuseUnknownKeys(json, {"name", "latency", "delay_in_ns", "delay_out_ns"},
                    "operator type '" + type.name + "'");
  type.latency = unsignedAt<unsigned>(json, "latency");
  type.delayInNs = numberOr(json, "delay_in_ns", 0);
  type.delayOutNs = numberOr(json, "delay_out_ns", type.latency == 0 ? type.delayInNs : 0);
  return type;
}

ProblemOperation readOperation(const Json &json, const JsonNames &types,
                               const JsonNames &resources) {
  ProblemOperation operation;
  operation.name = textAt(json, "name");
  std::string where = "operation '" + operation.name + "'";
  refuseUnknownKeys(json, {"name", "type", "uses", "busy"}, where);
  operation.type = types.find(memberAt(json, "type"), where);
  for (const Json &use : listOr(json, "uses"))
    operation.uses.push_back(resources.find(use, where));
  operation.busy = unsignedOr(json, "busy", 1);
  return operation;
}

Dependence readDependence(const Json &json, const JsonNames &operations, size_t index) {
  std::string where = "dependence " + std::to_string(index);
  refuseUnknownKeys(json, {"from", "to", "distance", "latency"}, where);
  Dependence dependence;
  dependence.from = operations.find(memberAt(json, "from"), where);
  dependence.to = operations.find(memberAt(json, "to"), where);
  dependence.distance = unsignedOr(json, "distance", 0);
  if (json.contains("latency"))
    dependence.latency = unsignedAt<unsigned>(json, "latency");
  return dependence;
}

Problem fromJson(const Json &json) {
  refuseUnknownKeys(json,
                    {"format", "version", "name", "clock_period_ns", "operator_types", "resources",
                     "operations", "dependences"},
                    "the file");
  Problem problem;
  problem.name = textAt(json, "name");
  problem.clockPeriodNs = numberAt(json, "clock_period_ns");
  for (const Json &type : listAt(json, "operator_types"))
    problem.operatorTypes.push_back(readType(type));
  for (const Json &resource : listOr(json, "resources")) {
    std::string name = textAt(resource, "name");
    refuseUnknownKeys(resource, {"name", "count"}, "resource '" + name + "'");
    problem.resources.push_back({name, unsignedAt<unsigned>(resource, "count")});
  }
  JsonNames types("operator type", problem.operatorTypes), resources("resource", problem.resources);
  for (const Json &operation : listAt(json, "operations"))
    problem.operations.push_back(readOperation(operation, types, resources));
  JsonNames operations("operation", problem.operations);
  for (const Json &dependence : listOr(json, "dependences"))
    problem.dependences.push_back(
        readDependence(dependence, operations, problem.dependences.size()));
  return problem;
}

} // namespace

llvm::Error writeProblem(const std::string &path, const Problem &problem) {
  SPINDLE_RETURN_IF_ERROR(verify(problem));
  return writeJson(path, toJson(problem));
}

llvm::Expected<Problem> readProblem(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kScheduleProblemFormat));
  SPINDLE_ASSIGN(Problem problem, parseJson<Problem>(path, json, fromJson));
  if (std::optional<std::string> fault = faultOf(problem))
    return inputError(path, *fault);
  return problem;
}

} // namespace spindle::hls
