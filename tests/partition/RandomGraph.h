// Random networks and small chips for the tests of the partition stage.
#pragma once

#include "core/chip/Chip.h"
#include "core/network/SpikingGraph.h"
#include "core/support/CounterRandom.h"

#include <algorithm>
#include <string>

namespace spindle {

struct RandomGraphShape {
  uint32_t inputs = 6;
  uint32_t neurons = 20;
  uint32_t mostFanIn = 12;
  bool recurrent = true; // sources behind the target, and the target itself, too
};

/// For some pairs of populations.
inline std::vector<ProjectionKind> randomKinds(uint64_t seed, size_t populations) {
  CounterRandom random(seed, 7);
  std::vector<ProjectionKind> kinds;
  for (uint32_t from = 0; from < populations; ++from)
    for (uint32_t to = 0; to < populations; ++to)
      if (random.below(4) > 0)
        kinds.push_back({from, to, static_cast<SynapseKind>(random.below(4))});
  return kinds;
}

/// Fan-ins from zero up, float weights of both signs, unequal spike counts, many of them zero; two
/// populations of neurons, the synapses between them of kinds or not.
inline SpikingGraph randomGraph(uint64_t seed, const RandomGraphShape &shape = {}) {
  CounterRandom random(seed);
  SpikingGraph graph;
  uint32_t all = shape.inputs + shape.neurons;
  if (shape.inputs > 0)
    graph.populations.push_back({"input", PopulationKind::Input, {shape.inputs}, 0, shape.inputs});
  uint32_t first = shape.neurons > 2 ? shape.neurons / 3 : shape.neurons;
  graph.populations.push_back({"neurons", PopulationKind::Neuron, {first}, shape.inputs, first});
  if (uint32_t others = shape.neurons - first; others > 0)
    graph.populations.push_back(
        {"others", PopulationKind::Neuron, {others}, shape.inputs + first, others});
  if (seed % 3 > 0)
    graph.projections = randomKinds(seed, graph.populations.size());
  if (seed % 2 > 0)
    for (size_t p = 0; p < graph.populations.size(); ++p)
      graph.restless.push_back((seed >> p) % 2);
  graph.samples = 2;
  graph.steps = 16;
  graph.offsets.assign(1, 0);
  for (NeuronId n = 0; n < all; ++n) {
    graph.spikes.push_back(random.below(3) == 0 ? 0 : random.below(33));
    if (n >= shape.inputs) {
      uint32_t choices = shape.recurrent ? all : n;
      uint32_t fanIn = std::min(choices, random.below(shape.mostFanIn + 1));
      std::vector<NeuronId> sources;
      while (sources.size() < fanIn) {
        NeuronId source = random.below(choices);
        if (std::ranges::find(sources, source) == sources.end())
          sources.push_back(source);
      }
      std::ranges::sort(sources);
      graph.sources.insert(graph.sources.end(), sources.begin(), sources.end());
    }
    graph.offsets.push_back(graph.sources.size());
  }
  for (uint64_t s = 0; s < graph.synapses(); ++s)
    graph.weights.push_back(float(random.uniform() - 0.5) * float(1 + random.below(1000)));
  return graph;
}

/// A chip with room for anything.
inline Chip chipOf(uint32_t rows, uint32_t columns) {
  Chip chip;
  chip.path = "chip.yaml";
  chip.mesh = {100, 100};
  chip.crossbar.rows = rows;
  chip.crossbar.columns = columns;
  return chip;
}

} // namespace spindle
