#include "tools/spindle/flow/FlowSettings.h"

#include "tools/spindle/flow/Flow.h"

#include "fmt/format.h"

#include <map>

namespace spindle {

static constexpr size_t kMostValues = 100'000; // of a flow; the longest of ours have forty

/// Counts down `left`; false when nothing is left.
static bool toJson(const YAML::Node &node, size_t &left, Json &json) {
  if (left == 0)
    return false;
  --left;
  if (node.IsMap()) {
    std::map<std::string, YAML::Node> sorted;
    for (const auto &entry : node)
      sorted[entry.first.Scalar()] = entry.second;
    json = Json::object();
    for (const auto &[key, value] : sorted)
      if (!toJson(value, left, json[key]))
        return false;
    return true;
  }
  if (node.IsSequence()) {
    json = Json::array();
    for (const YAML::Node &element : node)
      if (!toJson(element, left, json.emplace_back()))
        return false;
    return true;
  }
  json = node.IsScalar() ? node.Scalar() : "";
  return true;
}

llvm::Expected<Json> settingsOf(const YamlDocument &document) {
  Json settings;
  size_t left = kMostValues;
  if (!toJson(document.root(), left, settings))
    return inputError(document.fileName(),
                      fmt::format("holds more than {} values; a flow has some forty: is an alias "
                                  "repeated too often?",
                                  kMostValues));
  return settings;
}

Json settingsFor(const Json &settings, const std::vector<const char *> &keys) {
  Json chosen = Json::object();
  if (!settings.is_object())
    return chosen;
  for (std::string key : keys) {
    if (key.ends_with('?')) { // whether it is there counts, not what it says
      chosen[key] = settings.contains(key.substr(0, key.size() - 1));
      continue;
    }
    if (size_t colon = key.find(':'); colon != std::string::npos) { // where a member says so
      std::string section = key.substr(0, colon);
      size_t equals = key.find('=');
      std::string member = key.substr(colon + 1, equals - colon - 1);
      if (settings.contains(section) && settings[section].is_object() &&
          settings[section].value(member, Json()) == key.substr(equals + 1))
        chosen[section] = settings[section];
      continue;
    }
    bool isCalibration = key == "dataset.calibration";
    std::string section = isCalibration ? "dataset" : key;
    if (!settings.contains(section))
      continue;
    Json value = settings[section];
    if (value.is_object() && section == "dataset" && !isCalibration)
      value.erase("calibration");
    if (value.is_object() && section == "emulation")
      value.erase("threads");
    chosen[section] = value;
  }
  return chosen;
}

Json seedsOf(const Flow &flow) {
  Json seeds = Json::object();
  if (flow.hasDataset)
    seeds["dataset"] = flow.dataset.test.seed;
  seeds["emulation"] = flow.emulation.seed;
  if (flow.model.networkSeed)
    seeds["model"] = *flow.model.networkSeed;
  seeds["partition"] = flow.partition.seed;
  seeds["mapping"] = flow.mapping.seed;
  return seeds;
}

} // namespace spindle
