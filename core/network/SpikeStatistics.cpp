#include "core/network/SpikeStatistics.h"

#include "core/network/SpikeTrace.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace spindle {

// Intervals below 2 · kPerDoubling have a bin each.
static constexpr uint32_t kPerDoubling = 32;

size_t intervalBin(uint32_t interval) {
  if (interval < 2 * kPerDoubling)
    return interval;
  uint32_t doublings = static_cast<uint32_t>(std::bit_width(interval / (2 * kPerDoubling)));
  return doublings * kPerDoubling + (interval >> doublings);
}

uint64_t intervalBinStart(size_t bin) {
  if (bin < 2 * kPerDoubling)
    return bin;
  uint64_t doublings = bin / kPerDoubling - 1;
  return (bin - doublings * kPerDoubling) << doublings;
}

namespace {

/// Sums of whole numbers. A square of 32 bits and 2^32 of them leave room for products in 128 bits.
struct Sums {
  using Wide = unsigned __int128;
  uint64_t count = 0, sum = 0;
  Wide squares = 0;

  void add(uint64_t value) {
    ++count;
    sum += value;
    squares += Wide(value) * value;
  }
  Sums &operator+=(const Sums &other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
    return *this;
  }
  double mean() const { return count == 0 ? 0 : double(sum) / double(count); }
  /// count² · variance, exact: no difference of rounded numbers.
  double scaledVariance() const { return double(count * squares - Wide(sum) * sum); }
  double deviation() const { return count == 0 ? 0 : std::sqrt(scaledVariance()) / double(count); }
  std::optional<double> cv() const {
    return sum == 0 ? std::nullopt : std::optional(std::sqrt(scaledVariance()) / double(sum));
  }
};

/// The intervals of all neurons, sample by sample.
class IntervalSums {
public:
  explicit IntervalSums(const SpikeTrace &trace)
      : sums(neuronCount(trace.populations)), last(sums.size()), populationOf(sums.size()),
        histograms(trace.populations.size()) {
    for (size_t p = 0; p < trace.populations.size(); ++p)
      std::fill_n(populationOf.begin() + trace.populations[p].first, trace.populations[p].size,
                  static_cast<uint32_t>(p));
    for (const std::vector<Spike> &spikes : trace.recorded)
      add(spikes);
  }

  IntervalStatistics of(const SpikeTrace &trace, size_t p) const {
    const Population &population = trace.populations[p];
    IntervalStatistics result;
    Sums all;
    double cvs = 0;
    for (NeuronId n = population.first; n < population.first + population.size; ++n) {
      all += sums[n];
      if (std::optional<double> cv = sums[n].cv(); cv && sums[n].count >= 2) {
        cvs += *cv;
        ++result.cvNeurons;
      }
    }
    result.count = all.count;
    result.mean = all.mean();
    result.cv = all.cv();
    if (result.cvNeurons > 0)
      result.neuronCv = cvs / result.cvNeurons;
    result.histogram = histograms[p];
    return result;
  }

private:
  static constexpr uint32_t kSilent = UINT32_MAX;

  void add(const std::vector<Spike> &spikes) {
    std::fill(last.begin(), last.end(), kSilent);
    for (const Spike &spike : spikes) {
      uint32_t before = std::exchange(last[spike.neuron], spike.step);
      if (before == kSilent)
        continue;
      uint32_t interval = spike.step - before;
      sums[spike.neuron].add(interval);
      std::vector<uint64_t> &histogram = histograms[populationOf[spike.neuron]];
      size_t bin = intervalBin(interval);
      if (bin >= histogram.size())
        histogram.resize(bin + 1);
      ++histogram[bin];
    }
  }

  std::vector<Sums> sums;     // per neuron
  std::vector<uint32_t> last; // step of the last spike
  std::vector<uint32_t> populationOf;
  std::vector<std::vector<uint64_t>> histograms;
};

RateStatistics ratesOf(const SpikeTrace &trace, const Population &population) {
  RateStatistics rate;
  Sums counts;
  uint64_t least = UINT64_MAX, most = 0;
  for (NeuronId n = population.first; n < population.first + population.size; ++n) {
    counts.add(trace.counts[n]);
    least = std::min(least, trace.counts[n]);
    most = std::max(most, trace.counts[n]);
    rate.silent += trace.counts[n] == 0;
  }
  double places = double(trace.samples) * trace.steps; // of one neuron
  if (places == 0)
    return rate;
  rate.mean = counts.mean() / places;
  rate.deviation = counts.deviation() / places;
  rate.least = double(least) / places;
  rate.most = double(most) / places;
  return rate;
}

} // namespace

SpikeStatistics spikeStatistics(const SpikeTrace &trace) {
  SpikeStatistics statistics{trace.steps, trace.stepMs, trace.samples, trace.recorded.size(), {}};
  IntervalSums intervals(trace);
  for (size_t p = 0; p < trace.populations.size(); ++p)
    statistics.populations.push_back(
        {trace.populations[p], ratesOf(trace, trace.populations[p]), intervals.of(trace, p)});
  return statistics;
}

} // namespace spindle
