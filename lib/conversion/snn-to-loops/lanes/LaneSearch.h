// Which of several forms each layer of a circuit takes, so that all of them fit.
#pragma once

#include "core/kernel/DeviceArea.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

/// What is to be small: the cycles per sample in a stream, or those of one sample from its first
/// layer to its last.
enum class LaneObjective { Throughput, Latency };

/// A form of a layer: what it takes of the device, and its cycles per sample.
struct LayerForm {
  hls::DeviceArea area;
  double cycles = 0;
};

/// Cycles of layers one after the other, or of the slowest one.
double combinedCycles(const std::vector<double> &cycles, bool isSum);
double cyclesOfAll(const std::map<std::string, double> &cycles, bool isSum); // by name

/// One form of each layer with the fewest cycles whose areas, with `rest`, fit into the budget; of
/// equals, the fewest LUTs, then the first in order. Nothing where none fits. By branch and bound;
/// beyond a million partial choices, the best of those.
std::optional<std::vector<size_t>> searchForms(const std::vector<std::vector<LayerForm>> &layers,
                                               const hls::DeviceArea &rest,
                                               const hls::DeviceArea &budget, bool isSum);

} // namespace spindle
