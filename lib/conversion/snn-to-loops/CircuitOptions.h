// How a spiking network becomes loops: the section `hardware` of a flow.
#pragma once

#include "core/support/formats/Yaml.h"

#include <cstdint>
#include <map>
#include <string>

namespace spindle {

/// How one layer works through its inputs and neurons.
struct LayerOptions {
  int64_t lanes = 1;  // neurons side by side
  int64_t inputs = 1; // inputs of a dense layer that each of them takes at a time
  bool operator==(const LayerOptions &) const = default;
};

struct CircuitOptions {
  int64_t steps = 64;
  LayerOptions others;                        // of layers that are not named
  std::map<std::string, LayerOptions> layers; // by name
  /// Spikes of all populations are arguments, so that they can be read behind a run.
  bool recordsSpikes = false;
  /// Weights and parameters of single neurons are arguments, else constants of the program.
  bool takesWeights = false;
};

/// Reads `layers` and `record` of the section `hardware`, weights being arguments unless
/// `weights: constants`.
void readCircuitOptions(YamlReader &reader, CircuitOptions &options);

} // namespace spindle
