#include "lib/emulation/graph/ExtractGraph.h"

#include "core/network/SpikeTrace.h"
#include "lib/emulation/graph/SharedSources.h"
#include "lib/emulation/network/Synapses.h"

#include "fmt/format.h"

namespace spindle {

/// Membranes are no events: they cannot travel to another crossbar.
static llvm::Error checkSpikesOnly(const Network &network) {
  for (const NetworkOp &each : network.ops)
    if (mlir::isa<snn::NeuronOp>(each.op) &&
        mlir::isa<snn::CurrentType>(each.op->getResult(0).getType()))
      for (mlir::Operation *user : each.op->getResult(0).getUsers())
        if (!mlir::isa<snn::DecodeOp>(user))
          return inputError(placeOrNameOf(user),
                            fmt::format("{} reads the membranes of {}, a chip carries "
                                        "spikes only; expected a population that spikes",
                                        nameOf(user), nameOf(each.op)));
  return llvm::Error::success();
}

/// A reset by subtraction leaves what is beyond the threshold.
static std::vector<uint8_t> restlessPopulations(const Network &network) {
  std::vector<uint8_t> restless(network.populations.size(), 0);
  for (const NetworkOp &each : network.ops)
    if (auto neurons = mlir::dyn_cast<snn::NeuronOp>(each.op); neurons && each.population) {
      snn::NeuronModel model = neurons.neuronModel();
      restless[*each.population] = model.spikes() && model.resetBySubtraction;
    }
  return restless;
}

llvm::Expected<SpikingGraph> extractGraph(mlir::ModuleOp snn, const SpikeTrace &trace,
                                          uint64_t mostListed) {
  SPINDLE_ASSIGN(Network network, readNetwork(snn));
  if (network.populations.empty())
    return inputError(placeOrNameOf(network.function), "the network has no populations, expected a "
                                                       "spiking one; run spindle convert first");
  if (trace.populations != network.populations)
    return inputError(placeOrNameOf(network.function),
                      fmt::format("the spike trace has other populations ({} neurons) than the "
                                  "network ({}); run spindle emulate again",
                                  neuronCount(trace.populations),
                                  neuronCount(network.populations)));
  SPINDLE_RETURN_IF_ERROR(checkSpikesOnly(network));
  SpikingGraph graph;
  graph.populations = network.populations;
  graph.samples = static_cast<uint32_t>(trace.recorded.size());
  graph.steps = trace.steps;
  graph.spikes.assign(neuronCount(network.populations), 0);
  for (const std::vector<Spike> &spikes : trace.recorded)
    for (const Spike &spike : spikes)
      ++graph.spikes[spike.neuron];
  if (estimateSynapses(network) > mostListed) {
    shareSources(network, graph);
  } else {
    Synapses synapses = composeSynapses(network);
    graph.offsets = std::move(synapses.offsets);
    graph.sources = std::move(synapses.sources);
    graph.weights = std::move(synapses.weights);
    graph.projections = std::move(synapses.projections);
  }
  graph.restless = restlessPopulations(network);
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  return graph;
}

} // namespace spindle
