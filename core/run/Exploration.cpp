#include "core/run/Exploration.h"

#include "core/support/Decimal.h"
#include "core/support/formats/JsonMapping.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <map>
#include <set>

namespace spindle {

static constexpr FileFormat kExplorationFormat = {"spindle-exploration", 1};
static constexpr const char *kGoals[] = {"min", "max"};

static void describe(auto &file, MaybeConst<Objective> auto &objective) {
  file.field("name", objective.name);
  file.field("goal", wordOf(objective.isMost, kGoals, "min or max"));
}

static void describe(auto &file, MaybeConst<Constraint> auto &constraint) {
  file.field("name", constraint.name);
  file.optional("least", constraint.least);
  file.optional("most", constraint.most);
}

static void describe(auto &file, MaybeConst<Exploration> auto &exploration) {
  file.field("flow", exploration.flow);
  file.field("settings", exploration.settings);
  file.field("objectives", exploration.objectives);
  file.field("constraints", exploration.constraints);
  file.fieldUnless("until", exploration.lastStage, "");
}

llvm::Error writeExploration(const std::string &path, const Exploration &exploration) {
  return writeDescribed(path, kExplorationFormat, exploration);
}

llvm::Expected<Exploration> readExploration(const std::string &path) {
  return readDescribed<Exploration>(path, kExplorationFormat);
}

namespace {

/// A point by its objectives, each as a cost.
using Costs = std::vector<double>;

bool dominates(const Costs &a, const Costs &b) {
  bool isBetter = false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i])
      return false;
    isBetter |= a[i] < b[i];
  }
  return isBetter;
}

std::optional<Costs> costsOf(const ExploredPoint &point, const std::vector<Objective> &objectives) {
  Costs costs;
  for (const Objective &objective : objectives) {
    auto found = point.figures.find(objective.name);
    if (found == point.figures.end())
      return std::nullopt;
    costs.push_back(objective.isMost ? -found->second : found->second);
  }
  return costs;
}

bool keeps(const ExploredPoint &point, const Constraint &constraint) {
  auto found = point.figures.find(constraint.name);
  return found != point.figures.end() &&
         (!constraint.least || found->second >= *constraint.least) &&
         (!constraint.most || found->second <= *constraint.most);
}

} // namespace

std::vector<Standing> standingsOf(const Exploration &exploration,
                                  const std::vector<ExploredPoint> &points) {
  std::vector<Standing> standings(points.size());
  std::vector<Costs> costs(points.size());
  for (size_t p = 0; p < points.size(); ++p) {
    std::optional<Costs> own = costsOf(points[p], exploration.objectives);
    if (!own || !points[p].error.empty())
      continue;
    costs[p] = std::move(*own);
    standings[p].isWhole = true;
    standings[p].isFeasible = std::ranges::all_of(
        exploration.constraints, [&](const Constraint &each) { return keeps(points[p], each); });
  }
  for (size_t p = 0; p < points.size(); ++p) {
    standings[p].isOnFront = standings[p].isFeasible;
    for (size_t other = 0; other < points.size() && standings[p].isOnFront; ++other)
      standings[p].isOnFront = !standings[other].isFeasible || !dominates(costs[other], costs[p]);
  }
  return standings;
}

std::optional<std::string> valueOf(const ExploredPoint &point, const std::string &key) {
  for (const Setting &setting : point.settings)
    if (setting.key == key)
      return setting.value;
  return std::nullopt;
}

std::vector<std::string> variedKeys(const std::vector<ExploredPoint> &points) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, size_t> present;
  for (const ExploredPoint &point : points)
    for (const Setting &setting : point.settings) {
      values[setting.key].insert(setting.value);
      ++present[setting.key];
    }
  std::vector<std::string> keys;
  for (const auto &[key, each] : values)
    if (each.size() > 1 || present[key] < points.size())
      keys.push_back(key);
  return keys;
}

static std::string quoted(const std::string &word) {
  bool isPlain = std::ranges::all_of(
      word, [](char c) { return llvm::isAlnum(c) || llvm::StringRef("_-./=+:,@%").contains(c); });
  if (isPlain && !word.empty())
    return word;
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string commandOf(const Exploration &exploration, const ExploredPoint &point) {
  std::string command = "spindle run " + quoted(exploration.flow);
  for (const std::string &assignment : point.overrides)
    command += " --set " + quoted(assignment);
  if (!exploration.lastStage.empty())
    command += " --until " + quoted(exploration.lastStage);
  return command;
}

std::vector<std::string> wantedNames(const Exploration &exploration) {
  std::vector<std::string> names;
  for (const Objective &objective : exploration.objectives)
    names.push_back(objective.name);
  for (const Constraint &constraint : exploration.constraints)
    if (!llvm::is_contained(names, constraint.name))
      names.push_back(constraint.name);
  return names;
}

/// Numbers before words, by their size; words, nan among them, by their letters.
static bool comesBefore(const std::string &a, const std::string &b) {
  double x = 0, y = 0;
  bool isNumber = readDecimal(a, x) && !std::isnan(x);
  bool isOther = readDecimal(b, y) && !std::isnan(y);
  if (isNumber != isOther)
    return isNumber;
  return isNumber && x != y ? x < y : a < b;
}

void sortPoints(std::vector<ExploredPoint> &points) {
  std::vector<std::string> keys = variedKeys(points);
  std::ranges::sort(points, [&](const ExploredPoint &a, const ExploredPoint &b) {
    for (const std::string &key : keys) {
      std::optional<std::string> x = valueOf(a, key), y = valueOf(b, key);
      if (x == y)
        continue;
      if (!x || !y)
        return !x;
      return comesBefore(*x, *y);
    }
    return pointId(a.settings) < pointId(b.settings);
  });
}

} // namespace spindle
