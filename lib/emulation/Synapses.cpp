#include "lib/emulation/Synapses.h"

#include <algorithm>

using namespace mlir;

namespace spindle {

/// The synapse operations before a population, first to last, and the value they start from.
static std::vector<snn::SynapseOp> chainBefore(Value current, Value &start) {
  std::vector<snn::SynapseOp> chain;
  while (auto synapse = current.getDefiningOp<snn::SynapseOp>()) {
    if (!isa<snn::ReshapeOp>(synapse)) // elements keep their numbers
      chain.push_back(synapse);
    current = synapse.getSources()[0];
  }
  std::reverse(chain.begin(), chain.end());
  start = current;
  return chain;
}

static snn::LinearMap identity(int64_t size) {
  snn::LinearMapBuilder builder(size, size);
  for (int64_t n = 0; n < size; ++n) {
    builder.connect(n, 1);
    builder.endOutput();
  }
  return builder.take();
}

/// The chain as one operator. The weights of a checked network are constant.
static snn::LinearMap composeChain(std::vector<snn::SynapseOp> &chain, int64_t size) {
  snn::LinearMap map = chain.empty() ? identity(size) : *chain.front().linearMap(0);
  for (size_t link = 1; link < chain.size(); ++link)
    map = snn::compose(map, *chain[link].linearMap(0));
  return map;
}

Synapses composeSynapses(const Network &network) {
  Synapses synapses;
  synapses.offsets.push_back(0);
  llvm::DenseMap<Value, size_t> populationAt; // by the value that carries its spikes
  for (const NetworkOp &each : network.ops) {
    if (!each.population)
      continue;
    populationAt[each.op->getResult(0)] = *each.population;
    const Population &population = network.populations[*each.population];
    Value start;
    std::vector<snn::SynapseOp> chain = chainBefore(each.op->getOperand(0), start);
    auto source = populationAt.find(start);
    if (!isa<snn::NeuronOp>(each.op) || source == populationAt.end()) {
      synapses.offsets.insert(synapses.offsets.end(), population.size, synapses.sources.size());
      continue;
    }
    snn::LinearMap map = composeChain(chain, population.size);
    NeuronId first = network.populations[source->second].first;
    uint64_t before = synapses.sources.size();
    for (uint32_t n = 0; n < population.size; ++n)
      synapses.offsets.push_back(before + map.offsets[n + 1]);
    for (uint32_t index : map.indices)
      synapses.sources.push_back(first + index);
    synapses.weights.insert(synapses.weights.end(), map.weights.begin(), map.weights.end());
  }
  return synapses;
}

} // namespace spindle
