#include "core/support/CounterRandom.h"
#include "lib/exploration/Sweep.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace spindle {

static constexpr uint64_t kMostPoints = 1'000'000;
static constexpr uint64_t kTries = 100; // for a point that is not there yet

static std::vector<Setting> sorted(std::vector<Setting> settings) {
  std::ranges::sort(settings, {}, &Setting::key);
  return settings;
}

std::string drawnText(const SweptKey &key, double value) {
  if (key.isWhole) {
    double within = std::clamp(std::floor(value), std::ceil(key.from), std::floor(key.to));
    return fmt::format("{:.0f}", within + 0.0);
  }
  std::string text = fmt::format("{:.6g}", value);
  double rounded = std::strtod(text.c_str(), nullptr);
  return rounded < key.from || rounded > key.to ? fmt::format("{}", value) : text;
}

static std::string drawn(const SweptKey &key, CounterRandom &random) {
  if (!key.values.empty())
    return key.values[random.below(static_cast<uint32_t>(key.values.size()))];
  double least = key.isWhole ? std::ceil(key.from) : key.from;
  double most = key.isWhole ? std::floor(key.to) + 1 : key.to;
  return drawnText(key, key.isLogarithmic ? least * std::pow(most / least, random.uniform())
                                          : least + random.uniform() * (most - least));
}

static std::vector<std::vector<Setting>> samplePoints(const Sweep &sweep,
                                                      const std::vector<Setting> &fixed) {
  CounterRandom random(sweep.sample->seed);
  std::vector<std::vector<Setting>> points;
  std::set<std::string> known;
  for (uint64_t left = kTries; points.size() < sweep.sample->points && left > 0; --left) {
    std::vector<Setting> settings = fixed;
    for (const SweptKey &key : sweep.keys)
      settings.push_back({key.key, drawn(key, random)});
    if (!known.insert(pointId(settings)).second)
      continue;
    points.push_back(sorted(std::move(settings)));
    left = kTries;
  }
  return points;
}

/// Counts in the numbers of values as digits, the last one fastest.
static std::vector<std::vector<Setting>> gridPoints(const Sweep &sweep,
                                                    const std::vector<Setting> &fixed) {
  std::vector<std::vector<Setting>> points;
  std::set<std::string> known;
  std::vector<size_t> at(sweep.keys.size(), 0);
  for (bool isDone = false; !isDone;) {
    std::vector<Setting> settings = fixed;
    for (size_t k = 0; k < at.size(); ++k)
      settings.push_back({sweep.keys[k].key, sweep.keys[k].values[at[k]]});
    if (known.insert(pointId(settings)).second) // a value may be listed twice
      points.push_back(sorted(std::move(settings)));
    isDone = true;
    for (size_t k = at.size(); k-- > 0 && isDone;) {
      isDone = ++at[k] == sweep.keys[k].values.size();
      if (isDone)
        at[k] = 0;
    }
  }
  return points;
}

llvm::Expected<std::vector<std::vector<Setting>>> pointsOf(const Sweep &sweep) {
  std::vector<Setting> fixed;
  for (const SweptKey &key : sweep.fixed)
    if (std::ranges::none_of(sweep.keys, [&](const SweptKey &k) { return k.key == key.key; }))
      fixed.push_back({key.key, key.values.front()});
  if (sweep.sample)
    return samplePoints(sweep, fixed);
  double count = 1;
  for (const SweptKey &key : sweep.keys)
    count *= double(key.values.size());
  if (count > double(kMostPoints))
    return inputError(sweep.path,
                      fmt::format("the grid has {:.3g} points, expected at most {}; draw some of "
                                  "them: sample: {{points: 1000, seed: 1}}",
                                  count, kMostPoints));
  return gridPoints(sweep, fixed);
}

} // namespace spindle
