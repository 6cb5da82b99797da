// Spike statistics as JSON.
#include "core/network/PopulationFile.h"
#include "core/network/SpikeStatistics.h"
#include "core/support/formats/JsonMapping.h"

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

static std::string faultOf(const RateStatistics &rate, const Population &population) {
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

static std::string faultOf(const IntervalStatistics &intervals, const Population &population,
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

static std::string faultOf(const SpikeStatistics &statistics) {
  if (std::string fault = populationFault(populationsOf(statistics)); !fault.empty())
    return fault;
  if (!(statistics.stepMs > 0) || !std::isfinite(statistics.stepMs))
    return fmt::format("a step lasts {} ms, expected more than zero", statistics.stepMs);
  if (statistics.recordedSamples > statistics.samples)
    return fmt::format("{} recorded of {} samples", statistics.recordedSamples, statistics.samples);
  for (const PopulationStatistics &each : statistics.populations) {
    if (std::string fault = faultOf(each.rate, each.population); !fault.empty())
      return fault;
    if (std::string fault = faultOf(each.intervals, each.population, statistics.steps);
        !fault.empty())
      return fault;
  }
  return "";
}

llvm::Error verify(const SpikeStatistics &statistics) {
  std::string fault = faultOf(statistics);
  return fault.empty() ? llvm::Error::success() : checkError("spike statistics", fault);
}

static void describe(auto &file, MaybeConst<RateStatistics> auto &rate, double stepMs) {
  file.field("mean", rate.mean);
  file.field("deviation", rate.deviation);
  file.field("least", rate.least);
  file.field("most", rate.most);
  file.field("silent", rate.silent);
  file.derived("mean_hz", [&] { return hertz(rate.mean, stepMs); });
  file.derived("deviation_hz", [&] { return hertz(rate.deviation, stepMs); });
  file.derived("least_hz", [&] { return hertz(rate.least, stepMs); });
  file.derived("most_hz", [&] { return hertz(rate.most, stepMs); });
}

static std::vector<uint64_t> binStarts(size_t bins) {
  std::vector<uint64_t> starts;
  for (size_t bin = 0; bin < bins; ++bin)
    starts.push_back(intervalBinStart(bin));
  return starts;
}

static void describe(auto &file, MaybeConst<IntervalStatistics> auto &intervals, double stepMs) {
  file.field("count", intervals.count);
  file.field("mean", intervals.mean);
  file.derived("mean_ms", [&] { return intervals.mean * stepMs; });
  file.optional("cv", intervals.cv);
  file.field("cv_neurons", intervals.cvNeurons);
  file.optional("neuron_cv", intervals.neuronCv);
  file.derived("from", [&] { return binStarts(intervals.histogram.size()); });
  file.field("histogram", intervals.histogram);
}

static void describe(auto &file, MaybeConst<PopulationStatistics> auto &statistics, double stepMs) {
  describe(file, statistics.population);
  file.group("rate", [&](auto &rate) { describe(rate, statistics.rate, stepMs); });
  file.group("intervals",
             [&](auto &intervals) { describe(intervals, statistics.intervals, stepMs); });
}

static void describe(auto &file, MaybeConst<SpikeStatistics> auto &statistics) {
  file.field("steps", statistics.steps);
  file.field("step_ms", statistics.stepMs);
  file.field("samples", statistics.samples);
  file.field("recorded_samples", statistics.recordedSamples);
  file.list("populations", statistics.populations,
            [&](auto &entry, auto &each) { describe(entry, each, statistics.stepMs); });
}

llvm::Error writeSpikeStatistics(const std::string &path, const SpikeStatistics &statistics) {
  SPINDLE_RETURN_IF_ERROR(verify(statistics));
  return writeDescribed(path, kStatisticsFormat, statistics);
}

llvm::Expected<SpikeStatistics> readSpikeStatistics(const std::string &path) {
  SPINDLE_ASSIGN(SpikeStatistics statistics,
                 readDescribed<SpikeStatistics>(path, kStatisticsFormat));
  std::vector<Population> populations = populationsOf(statistics);
  SPINDLE_RETURN_IF_ERROR(numberPopulations(path, populations));
  for (size_t p = 0; p < populations.size(); ++p)
    statistics.populations[p].population = populations[p];
  if (std::string fault = faultOf(statistics); !fault.empty())
    return inputError(path, fault);
  return statistics;
}

} // namespace spindle
