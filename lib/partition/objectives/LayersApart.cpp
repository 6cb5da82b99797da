#include "lib/partition/objectives/Search.h"

#include <map>

namespace spindle {

/// Units of different populations, and different blocks of the sources of one, never meet: clusters
/// drive each other in a circle only where populations do.
Clustering clusterLayersApart(const PartitionProblem &problem) {
  if (problem.groups)
    return problem.cluster(
        growPacking(problem.hypergraph, problem.rules(), problem.groups->partsByLayer()));
  std::vector<uint32_t> populationOf(problem.graph.neurons());
  for (uint32_t p = 0; p < problem.graph.populations.size(); ++p) {
    const Population &population = problem.graph.populations[p];
    std::fill_n(populationOf.begin() + population.first, population.size, p);
  }
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> parts; // by population and block
  std::vector<uint32_t> partOf;
  NeuronId neuron = kNone;
  uint32_t block = 0;
  for (const Unit &unit : problem.units) { // those of a neuron follow each other
    block = unit.neuron == neuron ? block + 1 : 0;
    neuron = unit.neuron;
    auto next = static_cast<uint32_t>(parts.size());
    partOf.push_back(
        parts.emplace(std::pair(populationOf[unit.neuron], block), next).first->second);
  }
  return problem.cluster(growPacking(problem.hypergraph, problem.rules(), partOf));
}

} // namespace spindle
