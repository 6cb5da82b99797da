// What becomes of a network's accuracy on a chip, where spikes arrive late and weights are cells.
#pragma once

#include "core/chip/assessment/DeliveryCounts.h"
#include "core/support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

/// The network as one step time delivers its spikes.
struct DeliveredPoint {
  double stepUs = 0;
  uint64_t correct = 0;
  std::vector<DeliveryCounts> populations;
  bool operator==(const DeliveredPoint &) const = default;
};

/// The network with the weights that a device makes of its own; every spike in its step.
struct DevicePoint {
  double variation = 0;             // programming noise, standard deviation in conductances
  uint32_t adcBits = 0;             // 0: exact sums
  std::vector<uint64_t> correct;    // by seed
  std::vector<uint64_t> sameSpikes; // … samples all of whose spikes are the ideal ones
  bool operator==(const DevicePoint &) const = default;
};

/// File 85-assessment.json.
struct Assessment {
  std::string chip;
  uint32_t steps = 0;
  uint64_t samples = 0, idealCorrect = 0; // ideal: of the emulation, on the same samples
  LateSpikes late = LateSpikes::Next;
  std::vector<std::string> populations;
  std::vector<DeliveredPoint> delivered; // ascending step
  std::vector<DevicePoint> devices;
  bool operator==(const Assessment &) const = default;
};

/// Accuracy that the knee may cost, in percentage points.
inline constexpr double kKneePoints = 1;

/// Accuracy lost by so many right answers, in percentage points.
double lossPoints(const Assessment &assessment, uint64_t correct);

/// The knee: the shortest step of which neither it nor a longer one costs more than kKneePoints.
/// Nothing where the longest one does; the first one where none does.
std::optional<size_t> kneeOf(const Assessment &assessment);

/// Accuracy over the seeds of a device, in percent, with the sample standard deviation (zero for
/// one seed).
struct AccuracySpread {
  double mean = 0, deviation = 0;
};
AccuracySpread spreadOf(const Assessment &assessment, const DevicePoint &point);

/// Samples that spike as they do ideally, of those of all seeds.
double sameShare(const Assessment &assessment, const DevicePoint &point);

/// Steps above zero and ascending, a seed at least, no more right answers than samples, as many
/// counts as populations, of which late ones are no more than all, and lost ones no more than late
/// ones.
llvm::Error verify(const Assessment &assessment);

/// Sums and points are written beside what they follow from, and left out when it is read.
llvm::Error writeAssessment(const std::string &path, const Assessment &assessment);
llvm::Expected<Assessment> readAssessment(const std::string &path);

} // namespace spindle
