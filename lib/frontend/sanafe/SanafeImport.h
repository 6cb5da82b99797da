// Files of SANA-FE, version 2, as a chip, a network and a placement.
#pragma once

#include "core/support/Error.h"

#include <string>
#include <vector>

namespace spindle {

struct SanafeSource {
  std::string architecture, network; // files; network may be empty: the chip alone
  uint32_t steps = 0;                // of the flow; 0: those of the longest list of spikes
};

/// A file of the result, beside the others.
struct NamedText {
  std::string name, text;
};

struct ImportedSanafe {
  std::string chip;    // the text of chip.yaml
  std::string network; // of network.yaml; empty: there is none
  /// What the network and the flow read: synapses, and a recording of the spikes of inputs.
  std::vector<NamedText> parts;
  uint32_t inputs = 0; // in the recording; 0: there is none, the network drives itself
  /// Tile and crossbar of each neuron of a population that is not of inputs, in the order of the
  /// populations and of their neurons; the network decides the numbers of neurons.
  struct PlacedPopulation {
    std::string name;
    std::vector<std::pair<uint32_t, uint32_t>> places;
  };
  std::vector<PlacedPopulation> placed;
  uint32_t steps = 0;
  std::vector<std::string> notes; // what is different here
};

/// Errors have places and remedies: files of versions before 2, what this tool has no counterpart
/// for, and units of a core of which neurons use several that differ in their prices.
llvm::Expected<ImportedSanafe> importSanafe(const SanafeSource &source);

} // namespace spindle
