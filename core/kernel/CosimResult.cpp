#include "core/kernel/CosimResult.h"

#include "core/support/formats/JsonValues.h"

namespace spindle::hls {

static constexpr FileFormat kCosimFormat = {"spindle-cosim", 1};

static Json toJson(const std::optional<uint64_t> &cycles) {
  return cycles ? Json(*cycles) : Json();
}

static Json toJson(const BusResult &bus) {
  return {{"top", bus.top},
          {"cycles", toJson(bus.cycles)},
          {"runs", bus.runs},
          {"mismatches", bus.mismatches},
          {"timing",
           {{"build_seconds", bus.buildSeconds}, {"simulation_seconds", bus.simulationSeconds}}}};
}

llvm::Error writeCosimResult(const std::string &path, const CosimResult &result) {
  Json json = jsonHeader(kCosimFormat);
  json["top"] = result.top;
  json["cycles"] = toJson(result.cycles);
  json["predicted_cycles"] = toJson(result.predictedCycles);
  json["runs"] = result.runs;
  if (!result.runCycles.empty())
    json["run_cycles"] = result.runCycles;
  json["seed"] = result.seed;
  json["mismatches"] = result.mismatches;
  json["problems"] = result.problems;
  json["inputs"] = result.inputs;
  json["reassociated"] = result.isReassociated;
  if (result.bus)
    json["bus"] = toJson(*result.bus);
  json["timing"] = {{"build_seconds", result.buildSeconds},
                    {"simulation_seconds", result.simulationSeconds}};
  return writeJson(path, json);
}

static std::optional<uint64_t> cyclesAt(const Json &json, const char *key) {
  return memberAt(json, key).is_null() ? std::nullopt
                                       : std::optional<uint64_t>(unsignedAt<uint64_t>(json, key));
}

static BusResult busOf(const Json &json) {
  BusResult bus;
  bus.top = textAt(json, "top");
  bus.cycles = cyclesAt(json, "cycles");
  bus.runs = unsignedAt<uint32_t>(json, "runs");
  bus.mismatches = unsignedAt<uint64_t>(json, "mismatches");
  bus.buildSeconds = numberAt(memberAt(json, "timing"), "build_seconds");
  bus.simulationSeconds = numberAt(memberAt(json, "timing"), "simulation_seconds");
  return bus;
}

static CosimResult resultFromJson(const Json &json) {
  CosimResult result;
  result.top = textAt(json, "top");
  result.cycles = cyclesAt(json, "cycles");
  result.predictedCycles = cyclesAt(json, "predicted_cycles");
  result.runs = unsignedAt<uint32_t>(json, "runs");
  if (json.contains("run_cycles"))
    result.runCycles = unsignedListAt<uint64_t>(json, "run_cycles");
  result.seed = unsignedAt<uint64_t>(json, "seed");
  result.mismatches = unsignedAt<uint64_t>(json, "mismatches");
  result.problems = textsAt(json, "problems");
  result.inputs = textOr(json, "inputs", "uniform");
  result.isReassociated = flagOr(json, "reassociated", false);
  if (json.contains("bus"))
    result.bus = busOf(memberAt(json, "bus"));
  result.buildSeconds = numberAt(memberAt(json, "timing"), "build_seconds");
  result.simulationSeconds = numberAt(memberAt(json, "timing"), "simulation_seconds");
  return result;
}

llvm::Expected<CosimResult> readCosimResult(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kCosimFormat));
  return parseJson<CosimResult>(path, json, resultFromJson);
}

} // namespace spindle::hls
