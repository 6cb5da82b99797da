// A network of SANA-FE, version 2, and the cores of its neurons. Private to this folder.
#pragma once

#include "lib/frontend/sanafe/YamlField.h"

#include <map>
#include <memory>

namespace spindle::sanafe {

/// What neurons that are listed together have.
struct NeuronAttributes {
  std::map<std::string, Field> of;     // of the soma, by their names
  std::string soma, synapse, dendrite; // units; empty: the first ones of the core
};

struct MappedNeuron {
  uint32_t attributes = 0; // in the network's list
  uint32_t units = 0;      // … of unit names that its mapping gives
  bool isMapped = false;
  uint32_t tile = 0, core = 0, order = 0; // order: of the mappings
};

struct NeuronGroup {
  std::string name, place;
  std::vector<MappedNeuron> neurons;
};

struct Edge {
  uint32_t source, target; // neurons of their groups
  double weight;
};

struct EdgeList {
  uint32_t source = 0, target = 0; // groups
  std::vector<Edge> edges;
};

/// Units that a mapping names; empty: those of the attributes.
struct MappedUnits {
  std::string soma, synapse, dendrite;
  auto operator<=>(const MappedUnits &) const = default;
};

struct MappedNetwork {
  std::shared_ptr<YamlDocument> document; // that the attributes are of
  std::string path;
  std::vector<NeuronGroup> groups;
  std::vector<NeuronAttributes> attributes;
  std::vector<MappedUnits> units;
  std::vector<EdgeList> lists; // one for each two groups that are joined, ascending
  uint64_t doubled = 0;        // edges that join what another one joins: their weights are added

  const NeuronAttributes &attributesOf(const MappedNeuron &neuron) const {
    return attributes[neuron.attributes];
  }
  /// The unit that a neuron names: `part` is soma, synapse or dendrite.
  const std::string &unitOf(const MappedNeuron &neuron, std::string MappedUnits::*part) const;
};

/// Errors have the place. At most 4,194,304 neurons and 33,554,432 edges, whatever ranges and
/// convolutions say.
llvm::Expected<MappedNetwork> readMappedNetwork(const std::string &path);

} // namespace spindle::sanafe
