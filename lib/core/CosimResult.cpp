#include "lib/core/CosimResult.h"

#include "lib/core/JsonUnsigned.h"

namespace spindle::hls {

static constexpr const char *kFormat = "spindle-cosim";
static constexpr int kVersion = 1;

static Json toJson(const std::optional<uint64_t> &cycles) {
  return cycles ? Json(*cycles) : Json();
}

llvm::Error writeCosimResult(const std::string &path, const CosimResult &result) {
  Json json = jsonHeader(kFormat, kVersion);
  json["top"] = result.top;
  json["cycles"] = toJson(result.cycles);
  json["predicted_cycles"] = toJson(result.predictedCycles);
  json["runs"] = result.runs;
  json["seed"] = result.seed;
  json["mismatches"] = result.mismatches;
  json["problems"] = result.problems;
  json["timing"] = {{"build_seconds", result.buildSeconds},
                    {"simulation_seconds", result.simulationSeconds}};
  return writeJson(path, json);
}

static CosimResult fromJson(const Json &json) {
  auto cyclesAt = [&](const char *key) {
    return json.at(key).is_null() ? std::nullopt
                                  : std::optional<uint64_t>(unsignedAt<uint64_t>(json, key));
  };
  CosimResult result;
  result.top = json.at("top").get<std::string>();
  result.cycles = cyclesAt("cycles");
  result.predictedCycles = cyclesAt("predicted_cycles");
  result.runs = unsignedAt<uint32_t>(json, "runs");
  result.seed = unsignedAt<uint64_t>(json, "seed");
  result.mismatches = unsignedAt<uint64_t>(json, "mismatches");
  result.problems = json.at("problems").get<std::vector<std::string>>();
  result.buildSeconds = json.at("timing").at("build_seconds").get<double>();
  result.simulationSeconds = json.at("timing").at("simulation_seconds").get<double>();
  return result;
}

llvm::Expected<CosimResult> readCosimResult(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kFormat, kVersion));
  return parseJson<CosimResult>(path, json, fromJson);
}

} // namespace spindle::hls
