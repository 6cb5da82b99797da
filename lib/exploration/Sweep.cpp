#include "lib/exploration/Sweep.h"

#include "core/support/Decimal.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cmath>

namespace spindle {

namespace {

constexpr size_t kMostValues = 100'000; // of a range

/// How a value reads in an error.
std::string shownNode(const YAML::Node &node) {
  if (node.IsMap())
    return "a mapping";
  if (node.IsSequence())
    return "a list";
  return node.IsDefined() && node.IsScalar() ? fmt::format("'{}'", node.Scalar()) : "empty";
}

/// 8, 0.25, 1e-06: as a person would write it.
std::string numberText(double value) {
  bool isWhole = value == std::floor(value) && std::abs(value) < 0x1p53;
  return isWhole ? fmt::format("{:.0f}", value + 0.0) : fmt::format("{:.12g}", value);
}

std::string flowText(const YAML::Node &node) {
  if (node.IsScalar())
    return node.Scalar();
  YAML::Emitter emitter;
  emitter << YAML::Flow << node;
  return emitter.c_str();
}

/// Reads the mappings `set` and `vary`, whose keys have dots and are no sections.
class KeyReader {
public:
  KeyReader(const YamlDocument &from, bool drawn) : document(from), isDrawn(drawn) {}

  llvm::Error read(const std::string &section, bool areLists, std::vector<SweptKey> &keys) {
    const YAML::Node node = document.root()[section];
    if (!node.IsDefined() || node.IsNull())
      return llvm::Error::success();
    if (!node.IsMap())
      return inputError(document.placeOf(section, node),
                        fmt::format("{} is {}, expected keys of the flow with {}", section,
                                    shownNode(node), areLists ? "their values" : "a value"));
    for (const auto &member : node) {
      SweptKey key;
      key.key = member.first.Scalar();
      key.place = document.placeOf(section + "." + key.key, member.second);
      if (!areLists)
        key.values.push_back(flowText(member.second));
      else
        SPINDLE_RETURN_IF_ERROR(readValues(member.second, key));
      keys.push_back(std::move(key));
    }
    return llvm::Error::success();
  }

private:
  llvm::Error readValues(const YAML::Node &node, SweptKey &key) {
    if (node.IsMap())
      return readRange(node, key);
    if (!node.IsSequence() || node.size() == 0)
      return inputError(key.place,
                        fmt::format("{} is {}, expected a list of values or a range: {{from: 8, "
                                    "to: 64, factor: 2}}",
                                    key.key, shownNode(node)));
    for (const YAML::Node &value : node)
      key.values.push_back(flowText(value));
    return llvm::Error::success();
  }

  static llvm::Expected<double> number(const YAML::Node &range, const char *name,
                                       const SweptKey &key) {
    double value = 0;
    const YAML::Node node = range[name];
    if (!node.IsDefined() || !node.IsScalar() || !readDecimal(node.Scalar(), value) ||
        !std::isfinite(value))
      return inputError(key.place,
                        fmt::format("the range of {} needs the number {}", key.key, name));
    return value;
  }

  llvm::Error readRange(const YAML::Node &node, SweptKey &key) {
    for (const auto &member : node)
      if (!llvm::is_contained({"from", "to", "step", "factor", "draw"}, member.first.Scalar()))
        return inputError(key.place, fmt::format("unknown word '{}' in the range of {}, expected "
                                                 "from, to, and step, factor or draw; a value that "
                                                 "is a mapping stands in a list",
                                                 member.first.Scalar(), key.key));
    SPINDLE_ASSIGN(key.from, number(node, "from", key));
    SPINDLE_ASSIGN(key.to, number(node, "to", key));
    if (key.to < key.from)
      return inputError(key.place, fmt::format("the range of {} goes from {} down to {}", key.key,
                                               numberText(key.from), numberText(key.to)));
    std::vector<std::string> ways;
    for (const char *way : {"step", "factor", "draw"})
      if (node[way].IsDefined())
        ways.push_back(way);
    if (ways.size() > 1)
      return inputError(key.place,
                        fmt::format("the range of {} has {} and {}, expected one of step, "
                                    "factor and draw",
                                    key.key, ways[0], ways[1]));
    if (node["draw"].IsDefined())
      return readDraw(node, key);
    bool isGeometric = node["factor"].IsDefined();
    double by = 1;
    if (isGeometric || node["step"].IsDefined()) {
      SPINDLE_ASSIGN(by, number(node, isGeometric ? "factor" : "step", key));
    }
    if (isGeometric ? by <= 1 || key.from <= 0 : by <= 0)
      return inputError(key.place, fmt::format("the range of {} never ends: {}", key.key,
                                               isGeometric ? "factor is above 1, from above 0"
                                                           : "step is above 0"));
    double last = key.to + 1e-9 * (isGeometric ? key.to : by);
    for (size_t i = 0;; ++i) {
      double value = isGeometric ? key.from * std::pow(by, double(i)) : key.from + by * double(i);
      if (value > last)
        return llvm::Error::success();
      if (!isGeometric && std::abs(value) < 1e-9 * by) // -0.3 + 3 · 0.1
        value = 0;
      if (i == kMostValues)
        return inputError(key.place, fmt::format("the range of {} has more than {} values", key.key,
                                                 kMostValues));
      key.values.push_back(numberText(value));
    }
  }

  /// `draw: uniform`, `logarithmic` or `whole`.
  llvm::Error readDraw(const YAML::Node &node, SweptKey &key) {
    std::string how = node["draw"].IsScalar() ? node["draw"].Scalar() : "";
    if (!llvm::is_contained({"uniform", "logarithmic", "whole"}, how))
      return inputError(key.place, fmt::format("draw of {} is '{}', expected uniform, logarithmic "
                                               "or whole",
                                               key.key, how));
    if (!isDrawn)
      return inputError(key.place,
                        fmt::format("{} is drawn at random, which needs a section sample: "
                                    "sample: {{points: 100, seed: 1}}",
                                    key.key));
    key.isLogarithmic = how == "logarithmic";
    key.isWhole = how == "whole";
    if (key.isWhole && std::ceil(key.from) > std::floor(key.to))
      return inputError(key.place,
                        fmt::format("no whole number lies in the range of {}, from {} to {}",
                                    key.key, numberText(key.from), numberText(key.to)));
    if (key.isLogarithmic && key.from <= 0)
      return inputError(key.place, fmt::format("the range of {} begins at {}, expected more than 0",
                                               key.key, numberText(key.from)));
    return llvm::Error::success();
  }

  const YamlDocument &document;
  bool isDrawn;
};

constexpr const char *kGoalWords[] = {"min", "max"};

} // namespace

std::vector<Objective> usualObjectives() {
  return {{"snn.accuracy", true},
          {"chip.cycles_per_sample", false},
          {"chip.energy_per_sample", false},
          {"partition.clusters", false}};
}

/// `name: min` each.
static llvm::Error readObjectives(const YamlDocument &document, Sweep &sweep) {
  const YAML::Node node = document.root()["objectives"];
  if (!node.IsDefined()) {
    sweep.objectives = usualObjectives();
    return llvm::Error::success();
  }
  if (!node.IsMap() || node.size() == 0)
    return inputError(document.placeOf("objectives", node),
                      fmt::format("objectives is {}, expected numbers of report.json with min or "
                                  "max: {{snn.accuracy: max}}",
                                  shownNode(node)));
  for (const auto &member : node) {
    const std::string name = member.first.Scalar();
    std::string place = document.placeOf("objectives." + name, member.second);
    const auto *goal =
        llvm::find(kGoalWords, member.second.IsScalar() ? member.second.Scalar() : "");
    if (goal == std::end(kGoalWords))
      return inputError(place, fmt::format("the goal of {} is {}, expected min or max", name,
                                           shownNode(member.second)));
    sweep.objectives.push_back({name, goal != std::begin(kGoalWords)});
    sweep.namePlaces[name] = place;
  }
  return llvm::Error::success();
}

/// `name: {least: 0.9, most: 1}` each.
static llvm::Error readConstraints(const YamlDocument &document, Sweep &sweep) {
  const YAML::Node node = document.root()["constraints"];
  if (!node.IsDefined())
    return llvm::Error::success();
  if (!node.IsMap())
    return inputError(document.placeOf("constraints", node),
                      fmt::format("constraints is {}, expected numbers of report.json with their "
                                  "limits: {{snn.accuracy: {{least: 0.9}}}}",
                                  shownNode(node)));
  for (const auto &member : node) {
    Constraint constraint{member.first.Scalar(), {}, {}};
    std::string place = document.placeOf("constraints." + constraint.name, member.second);
    bool isWrong = !member.second.IsMap() || member.second.size() == 0;
    for (const auto &limit : member.second) {
      double value = 0;
      bool isLeast = !isWrong && limit.first.Scalar() == "least";
      isWrong = isWrong || (!isLeast && limit.first.Scalar() != "most") ||
                !limit.second.IsScalar() || !readDecimal(limit.second.Scalar(), value) ||
                !std::isfinite(value);
      (isLeast ? constraint.least : constraint.most) = value;
    }
    if (isWrong)
      return inputError(place, fmt::format("the limits of {} are {}, expected {{least: 0.9}}, "
                                           "{{most: 100}} or both, finite numbers",
                                           constraint.name, flowText(member.second)));
    if (constraint.least && constraint.most && *constraint.least > *constraint.most)
      return inputError(place, fmt::format("no number is at least {} and at most {}, the limits of "
                                           "{}",
                                           numberText(*constraint.least),
                                           numberText(*constraint.most), constraint.name));
    sweep.constraints.push_back(constraint);
    sweep.namePlaces[constraint.name] = place;
  }
  return llvm::Error::success();
}

/// What is set within a section that varies would take the place of what varies. Keys of a chip
/// are set in whichever chip it is.
static llvm::Error checkOverlap(const Sweep &sweep) {
  for (const SweptKey &fixed : sweep.fixed)
    for (const SweptKey &key : sweep.keys)
      if (key.key != "chip" && llvm::StringRef(fixed.key).starts_with(key.key + "."))
        return inputError(fixed.place, fmt::format("{} is set and {} around it varies; write it "
                                                   "into the values of {}",
                                                   fixed.key, key.key, key.key));
  return llvm::Error::success();
}

llvm::Expected<Sweep> readSweep(const std::string &path) {
  SPINDLE_ASSIGN(YamlDocument document, YamlDocument::load(path));
  Sweep sweep;
  sweep.path = path;
  YamlReader reader(document);
  reader.require("flow");
  reader.require("vary");
  reader.read("flow", sweep.flow);
  reader.read("until", sweep.lastStage);
  for (const char *own : {"set", "vary", "objectives", "constraints"}) // read below
    reader.has(own);
  if (reader.has("sample")) {
    YamlReader sample = reader.section("sample");
    sample.require("points");
    int64_t points = 1, seed = 1;
    sample.read("points", points, 1, 1'000'000);
    sample.read("seed", seed, 0);
    sweep.sample = {static_cast<uint64_t>(points), static_cast<uint64_t>(seed)};
  }
  std::vector<std::string> known = reader.keys(); // marks all
  for (const std::string &key : known)
    if (!llvm::is_contained({"flow", "until", "set", "vary", "sample", "objectives", "constraints"},
                            key))
      reader.fail(key, fmt::format("unknown key '{}', expected flow, vary, set, sample, until, "
                                   "objectives or constraints",
                                   key));
  SPINDLE_RETURN_IF_ERROR(reader.finish());
  sweep.flowPlace = reader.place("flow");
  sweep.lastStagePlace = reader.place("until");
  KeyReader keys(document, sweep.sample.has_value());
  SPINDLE_RETURN_IF_ERROR(keys.read("set", false, sweep.fixed));
  SPINDLE_RETURN_IF_ERROR(keys.read("vary", true, sweep.keys));
  if (sweep.keys.empty())
    return inputError(reader.place("vary"), "vary is empty, expected keys of the flow with their "
                                            "values: {emulation.steps: [16, 32]}");
  SPINDLE_RETURN_IF_ERROR(checkOverlap(sweep));
  SPINDLE_RETURN_IF_ERROR(readObjectives(document, sweep));
  SPINDLE_RETURN_IF_ERROR(readConstraints(document, sweep));
  return sweep;
}

} // namespace spindle
