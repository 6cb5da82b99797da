// Random networks of whole numbers, divided among crossbars.
#pragma once

#include "tests/sim/ExplicitDelivery.h"

namespace spindle {

/// Layers of random sizes, each driven by some of those before it (`onlyNext`: by the one before).
inline IntegerLayers randomLayers(CounterRandom &draw, bool onlyNext, uint32_t steps) {
  IntegerLayers made;
  SpikingGraph &graph = made.graph;
  graph.samples = 1;
  graph.steps = steps;
  uint32_t layers = 2 + draw.below(3);
  for (uint32_t p = 0; p < layers; ++p) {
    uint32_t size = 6 + draw.below(6);
    NeuronId first = graph.neurons();
    graph.populations.push_back({"p" + std::to_string(p),
                                 p == 0 ? PopulationKind::Input : PopulationKind::Neuron,
                                 {size},
                                 first,
                                 size});
    graph.spikes.resize(first + size);
  }
  graph.offsets = {0};
  for (uint32_t p = 0; p < layers; ++p)
    for (uint32_t n = 0; n < graph.populations[p].size; ++n) {
      NeuronId begin = p == 0 ? 0 : onlyNext ? graph.populations[p - 1].first : 0;
      NeuronId end = graph.populations[p].first;
      for (NeuronId source = begin; p > 0 && source < end; ++source)
        if (source >= graph.populations[p - 1].first ? draw.below(4) > 0 : draw.below(5) == 0) {
          graph.sources.push_back(source);
          graph.weights.push_back(float(draw.below(9)) - 3);
        }
      graph.offsets.push_back(graph.sources.size());
    }
  made.inputs.resize(1);
  for (uint32_t t = 0; t < steps; ++t) {
    made.inputs[0].emplace_back(graph.populations[0].size);
    for (auto spike : made.inputs[0].back())
      spike = draw.below(2) == 0;
  }
  return made;
}

/// Units, axons and links of a network on a chip; `clusterOf(population, part)` places units.
template <typename ClusterOf>
void place(ChipCase &made, const IntegerLayers &layers, ClusterOf clusterOf, CounterRandom *parts) {
  const SpikingGraph &graph = layers.graph;
  made.trace.populations = graph.populations;
  made.clustering.neurons = graph.neurons();
  for (size_t p = 1; p < graph.populations.size(); ++p)
    for (uint32_t n = 0; n < graph.populations[p].size; ++n) {
      NeuronId neuron = graph.populations[p].first + n;
      uint32_t count = parts && graph.fanIn(neuron) > 3
                           ? 1 + parts->below(made.clustering.shape == FanInShape::Tree ? 5 : 3)
                           : 1;
      if (count > 1 && made.clustering.shape == FanInShape::Pairs)
        count = graph.fanIn(neuron) - 1;
      for (uint32_t part = 0; part < count; ++part) {
        auto unit = static_cast<UnitId>(made.clustering.units.size());
        UnitId next = carryTarget(made.clustering.shape, unit, unit + count - 1 - part);
        made.clustering.units.push_back({neuron, clusterOf(p, part), next});
      }
    }
  std::vector<uint64_t> offsets = unitOffsets(graph, made.clustering.units);
  std::vector<std::map<NeuronId, SynapsesByKind<uint32_t>>> axons(made.clustering.clusters.size());
  for (UnitId u = 0; u < made.clustering.units.size(); ++u)
    for (uint64_t s = offsets[u]; s < offsets[u + 1]; ++s)
      ++axons[made.clustering.units[u].cluster][graph.sources[s]]
             [layers.kindOf(graph.sources[s], made.clustering.units[u].neuron)];
  for (ClusterId c = 0; c < axons.size(); ++c)
    for (auto [neuron, cells] : axons[c])
      made.clustering.clusters[c].axons.push_back({neuron, cells, 0});
  made.complete();
}

} // namespace spindle
