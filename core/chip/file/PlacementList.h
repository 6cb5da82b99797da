// Neurons and the crossbars that hold them, listed by the user or by another tool.
#pragma once

#include "core/chip/Mapping.h"

namespace spindle {

struct ListedNeuron {
  NeuronId neuron;
  Placement place;
  size_t line = 0; // of the file
  bool operator==(const ListedNeuron &) const = default;
};

struct PlacementList {
  std::string path;                  // for errors
  std::vector<ListedNeuron> neurons; // ascending

  /// Where the neuron is; none where it is not listed.
  const ListedNeuron *find(NeuronId neuron) const;
  std::string placeOf(const ListedNeuron &listed) const;
};

/// CSV with the columns neuron, tile, crossbar (docs/formats/placement.md). Refuses tiles and
/// crossbars that the chip has not, and neurons that are listed twice.
llvm::Expected<PlacementList> readPlacementList(const std::string &path, const Chip &chip);
std::string placementText(const std::vector<ListedNeuron> &neurons);

} // namespace spindle
