// Spike statistics as JSON.
#include "core/network/PopulationFile.h"
#include "core/network/SpikeStatistics.h"
#include "core/support/formats/JsonValues.h"

#include "fmt/format.h"

#include <cmath>
#include <numeric>

namespace spindle {

static constexpr FileFormat kStatisticsFormat = {"spindle-statistics", 1};

static std::vector<Population> populationsOf(const SpikeStatistics &statistics) {
  std::vector<Population> populations;
  for (const PopulationStatistics &each : statistics.populations)
    populations.push_back(each.population);
  return populations;
}

static std::string problemOf(const RateStatistics &rate, const Population &population) {
  bool isOrdered = rate.least >= 0 && rate.least <= rate.mean && rate.mean <= rate.most;
  if (!isOrdered || !std::isfinite(rate.most) || !(rate.deviation >= 0) ||
      !std::isfinite(rate.deviation))
    return fmt::format("rates of '{}' are {} to {}, mean {}, deviation {}, expected finite numbers "
                       "from zero on in this order",
                       population.name, rate.least, rate.most, rate.mean, rate.deviation);
  if (rate.silent > population.size)
    return fmt::format("{} of the {} neurons of '{}' are silent", rate.silent, population.size,
                       population.name);
  return "";
}

static std::string problemOf(const IntervalStatistics &intervals, const Population &population,
                             uint32_t steps) {
  const std::vector<uint64_t> &bins = intervals.histogram;
  uint64_t total = std::accumulate(bins.begin(), bins.end(), uint64_t(0));
  if (total != intervals.count)
    return fmt::format("the histogram of '{}' holds {} intervals, expected {}", population.name,
                       total, intervals.count);
  if (!bins.empty() && (bins.back() == 0 || intervalBinStart(bins.size() - 1) >= steps))
    return fmt::format("the histogram of '{}' ends with {} intervals of {} steps or more, expected "
                       "some, of less than {}",
                       population.name, bins.back(), intervalBinStart(bins.size() - 1), steps);
  auto isNone = [](double value) { return !(value >= 0) || !std::isfinite(value); };
  if (isNone(intervals.mean) || isNone(intervals.cv.value_or(0)) ||
      isNone(intervals.neuronCv.value_or(0)))
    return fmt::format("intervals of '{}' have a mean or variation that is none", population.name);
  if (intervals.cvNeurons > population.size)
    return fmt::format("{} of the {} neurons of '{}' have intervals", intervals.cvNeurons,
                       population.size, population.name);
  return "";
}

static std::string problemOf(const SpikeStatistics &statistics) {
  if (std::string problem = populationProblem(populationsOf(statistics)); !problem.empty())
    return problem;
  if (!(statistics.stepMs > 0) || !std::isfinite(statistics.stepMs))
    return fmt::format("a step lasts {} ms, expected more than zero", statistics.stepMs);
  if (statistics.recordedSamples > statistics.samples)
    return fmt::format("{} recorded of {} samples", statistics.recordedSamples, statistics.samples);
  for (const PopulationStatistics &each : statistics.populations) {
    if (std::string problem = problemOf(each.rate, each.population); !problem.empty())
      return problem;
    if (std::string problem = problemOf(each.intervals, each.population, statistics.steps);
        !problem.empty())
      return problem;
  }
  return "";
}

llvm::Error verify(const SpikeStatistics &statistics) {
  std::string problem = problemOf(statistics);
  return problem.empty() ? llvm::Error::success() : checkError("spike statistics", problem);
}

static Json rateToJson(const RateStatistics &rate, double stepMs) {
  return {{"mean", rate.mean},
          {"deviation", rate.deviation},
          {"least", rate.least},
          {"most", rate.most},
          {"silent", rate.silent},
          {"mean_hz", hertz(rate.mean, stepMs)},
          {"deviation_hz", hertz(rate.deviation, stepMs)},
          {"least_hz", hertz(rate.least, stepMs)},
          {"most_hz", hertz(rate.most, stepMs)}};
}

static Json intervalsToJson(const IntervalStatistics &intervals, double stepMs) {
  Json json = {
      {"count", intervals.count}, {"mean", intervals.mean}, {"mean_ms", intervals.mean * stepMs}};
  if (intervals.cv)
    json["cv"] = *intervals.cv;
  json["cv_neurons"] = intervals.cvNeurons;
  if (intervals.neuronCv)
    json["neuron_cv"] = *intervals.neuronCv;
  std::vector<uint64_t> starts;
  for (size_t bin = 0; bin < intervals.histogram.size(); ++bin)
    starts.push_back(intervalBinStart(bin));
  json["from"] = starts;
  json["histogram"] = intervals.histogram;
  return json;
}

llvm::Error writeSpikeStatistics(const std::string &path, const SpikeStatistics &statistics) {
  SPINDLE_RETURN_IF_ERROR(verify(statistics));
  Json json = jsonHeader(kStatisticsFormat);
  json["steps"] = statistics.steps;
  json["step_ms"] = statistics.stepMs;
  json["samples"] = statistics.samples;
  json["recorded_samples"] = statistics.recordedSamples;
  json["populations"] = populationsToJson(populationsOf(statistics));
  for (size_t p = 0; p < statistics.populations.size(); ++p) {
    json["populations"][p]["rate"] = rateToJson(statistics.populations[p].rate, statistics.stepMs);
    json["populations"][p]["intervals"] =
        intervalsToJson(statistics.populations[p].intervals, statistics.stepMs);
  }
  return writeJson(path, json);
}

static std::optional<double> optionalAt(const Json &json, const char *key) {
  return json.contains(key) ? std::optional(json.at(key).get<double>()) : std::nullopt;
}

static RateStatistics rateFromJson(const Json &json) {
  return {numberAt(json, "mean"), numberAt(json, "deviation"), numberAt(json, "least"),
          numberAt(json, "most"), unsignedAt<uint32_t>(json, "silent")};
}

static IntervalStatistics intervalsFromJson(const Json &json) {
  IntervalStatistics intervals{unsignedAt<uint64_t>(json, "count"),
                               numberAt(json, "mean"),
                               optionalAt(json, "cv"),
                               unsignedAt<uint32_t>(json, "cv_neurons"),
                               optionalAt(json, "neuron_cv"),
                               {}};
  intervals.histogram = unsignedListAt<uint64_t>(json, "histogram");
  return intervals;
}

llvm::Expected<SpikeStatistics> readSpikeStatistics(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kStatisticsFormat));
  auto parse = [&](const Json &j) -> llvm::Expected<SpikeStatistics> {
    SpikeStatistics statistics;
    statistics.steps = unsignedAt<uint32_t>(j, "steps");
    statistics.stepMs = numberAt(j, "step_ms");
    statistics.samples = unsignedAt<uint64_t>(j, "samples");
    statistics.recordedSamples = unsignedAt<uint64_t>(j, "recorded_samples");
    SPINDLE_ASSIGN(std::vector<Population> populations,
                   populationsFromJson(path, listAt(j, "populations")));
    for (size_t p = 0; p < populations.size(); ++p) {
      const Json &item = entryAt(memberAt(j, "populations"), p);
      statistics.populations.push_back({populations[p], rateFromJson(memberAt(item, "rate")),
                                        intervalsFromJson(memberAt(item, "intervals"))});
    }
    if (std::string problem = problemOf(statistics); !problem.empty())
      return inputError(path, problem);
    return statistics;
  };
  return parseJson<SpikeStatistics>(path, json, parse);
}

} // namespace spindle
