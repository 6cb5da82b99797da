// How a spiking network becomes loops: the section `hardware` of a flow.
#pragma once

#include "core/kernel/TaskGraph.h"
#include "core/network/HardwareNetwork.h"
#include "core/support/formats/Yaml.h"
#include "lib/conversion/snn-to-loops/lanes/LaneSearch.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

/// How one layer works through its inputs and neurons.
struct LayerOptions {
  int64_t lanes = 1;  // neurons side by side
  int64_t inputs = 1; // inputs of a dense layer that each of them takes at a time
  LayerStyle style = LayerStyle::Clock;
  LayerKind kind = LayerKind::Spiking;
  bool isToSpike = false; // said so
  bool operator==(const LayerOptions &) const = default;
};

/// No budget.
inline constexpr hls::DeviceArea kUnlimited = {
    std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
    std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

struct CircuitOptions {
  int64_t steps = 64;
  /// Lanes of layers that are not named are looked for (ChooseLanes.h); until then as many as there
  /// are neurons.
  bool picksLanes = false;
  /// Which layers spike and which are tensor kernels is looked for (HybridSearch.h).
  bool picksKinds = false;
  LaneObjective objective = LaneObjective::Throughput;
  hls::DeviceArea budget = kUnlimited; // of the estimate
  /// Layers one after the other with memories between them, or (none, in style event, too) all of
  /// them at work, each on its own step or sample.
  std::optional<hls::SystemKind> system;
  LayerOptions others;                        // of layers that are not named
  std::map<std::string, LayerOptions> layers; // by name

  /// Those of a layer; one that is not named has at most a lane for each neuron.
  LayerOptions of(const std::string &layer, int64_t neurons) const;
  /// Whether some layer is to take events: then all have to.
  bool takesEvents() const;
  bool isCentralised() const { return system == hls::SystemKind::Centralised; }
  /// Spikes of all populations are arguments, so that they can be read after a run.
  bool recordsSpikes = false;
  /// Encoders are in the circuit, which takes pixels; else their spikes come from outside.
  bool encodes = false;
  /// The answer is a class; else a value for each.
  bool classifies = false;
  /// Weights and parameters of single neurons are arguments, else constants of the program.
  bool takesWeights = false;
  /// The population to make a circuit of alone, for a tile of a chip; empty: all.
  std::string tile;
  int64_t tileTargets = 16; // packets of a spike that its table has room for
};

/// Reads `system`, `style`, `encoder`, `answer`, `lanes`, `budget`, `objective`, `layers` (with
/// `as`), `record` and `tile` of the section `hardware`, weights being arguments unless `weights:
/// constants`.
void readCircuitOptions(YamlReader &reader, CircuitOptions &options);

} // namespace spindle
