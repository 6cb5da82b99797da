// Random graphs whose neurons share lists of sources, and the same with every synapse listed.
#pragma once

#include "tests/partition/RandomGraph.h"

namespace spindle {

/// Layers of channels at places: a channel reads all channels of some places of the layer before,
/// or of the one before that, or of its own, too. Neurons of a list are not neighbours in number.
inline SpikingGraph randomSharedGraph(uint64_t seed) {
  CounterRandom random(seed, 11);
  SpikingGraph graph;
  graph.samples = 2;
  graph.steps = 16;
  graph.offsets = {0};
  struct Layer {
    NeuronId first;
    uint32_t channels, places;
  };
  std::vector<Layer> layers;
  for (uint32_t l = 0, first = 0; l < 4; ++l) {
    Layer layer{first, 1 + random.below(9), 1 + random.below(7)};
    uint32_t size = layer.channels * layer.places;
    graph.populations.push_back({"layer" + std::to_string(l),
                                 l == 0 ? PopulationKind::Input : PopulationKind::Neuron,
                                 {layer.channels, layer.places},
                                 first,
                                 size});
    auto lists = static_cast<uint32_t>(graph.offsets.size() - 1);
    for (uint32_t n = 0; n < size; ++n) {
      graph.lists.push_back(lists + (l == 0 ? 0 : n % layer.places));
      graph.spikes.push_back(random.below(3) == 0 ? 0 : random.below(33));
    }
    for (uint32_t place = 0; place < (l == 0 ? 1 : layer.places); ++place) {
      for (uint32_t before = l > 1 && random.below(3) == 0 ? l - 2 : l - 1; l > 0 && before < l;
           ++before)
        for (uint32_t c = 0; c < layers[before].channels; ++c)
          for (uint32_t p = 0; p < layers[before].places; ++p)
            if ((place + p) % 7 < 4)
              graph.sources.push_back(layers[before].first + c * layers[before].places + p);
      for (uint32_t n = 0; l == 3 && seed % 5 == 3 && n < size; ++n) // and its own layer
        if ((place + n) % 7 < 2)
          graph.sources.push_back(first + n);
      graph.offsets.push_back(graph.sources.size());
    }
    layers.push_back(layer);
    first += size;
  }
  for (uint32_t n = 0; seed % 5 == 4 && n < layers[1].channels * layers[1].places; ++n)
    graph.lists[layers[1].first + n] = 0; // the host drives it: nobody does in the graph
  if (seed % 3 > 0)
    graph.projections = randomKinds(seed, graph.populations.size());
  return graph;
}

/// Every neuron with a list of its own, weights of one.
inline SpikingGraph listed(const SpikingGraph &shared) {
  SpikingGraph graph = shared;
  graph.lists.clear();
  graph.offsets = {0};
  graph.sources.clear();
  for (NeuronId n = 0; n < shared.neurons(); ++n) {
    std::span<const NeuronId> sources = shared.sourcesOf(n);
    graph.sources.insert(graph.sources.end(), sources.begin(), sources.end());
    graph.offsets.push_back(graph.sources.size());
  }
  graph.weights.assign(graph.sources.size(), 1.0f);
  return graph;
}

} // namespace spindle
