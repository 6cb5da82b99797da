// How often the neurons of a network spike, and how regularly.
#pragma once

#include "core/network/Population.h"
#include "core/support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace spindle {

struct SpikeTrace;

/// Spikes per step of the neurons of a population, over all samples.
struct RateStatistics {
  double mean = 0, deviation = 0, least = 0, most = 0; // deviation: root mean square from the mean
  uint32_t silent = 0;                                 // neurons without a spike

  bool operator==(const RateStatistics &) const = default;
};

/// Steps between successive spikes of a neuron within a sample, over the recorded samples. The
/// coefficient of variation (cv) is deviation / mean; there is none where all intervals are zero.
struct IntervalStatistics {
  uint64_t count = 0;
  double mean = 0;                 // zero where there is no interval
  std::optional<double> cv;        // of all intervals together
  uint32_t cvNeurons = 0;          // neurons with two intervals or more, not all of them zero
  std::optional<double> neuronCv;  // the mean of their own cv
  std::vector<uint64_t> histogram; // by intervalBin; the last bin is not empty

  bool operator==(const IntervalStatistics &) const = default;
};

struct PopulationStatistics {
  Population population;
  RateStatistics rate;
  IntervalStatistics intervals;

  bool operator==(const PopulationStatistics &) const = default;
};

/// File 30-statistics.json.
struct SpikeStatistics {
  uint32_t steps = 0;
  double stepMs = 1.0;
  uint64_t samples = 0, recordedSamples = 0;
  std::vector<PopulationStatistics> populations; // ids contiguous

  bool operator==(const SpikeStatistics &) const = default;
};

/// The bin of an interval: one of its own below 64 steps, above 32 of equal width for every
/// doubling, so that a bin is never wider than 1/32 of its intervals.
size_t intervalBin(uint32_t interval);

/// The least interval of a bin.
uint64_t intervalBinStart(size_t bin);

/// Spikes per second of a rate per step.
inline double hertz(double perStep, double stepMs) { return perStep * 1000 / stepMs; }

/// Rates follow from the counts of a trace, intervals from its recorded spikes; memory grows with
/// neurons only. Sums are whole numbers, so that nothing depends on the order of samples.
SpikeStatistics spikeStatistics(const SpikeTrace &trace);

/// Bins add up to their count and are possible within the steps, rates and intervals are finite and
/// ordered, neurons are those of their population.
llvm::Error verify(const SpikeStatistics &statistics);

/// Rates in Hz and bounds of bins are written beside what they follow from, and left out when it is
/// read.
llvm::Error writeSpikeStatistics(const std::string &path, const SpikeStatistics &statistics);
llvm::Expected<SpikeStatistics> readSpikeStatistics(const std::string &path);

} // namespace spindle
