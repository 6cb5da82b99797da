// Plain lists of connections and spikes, as published partitioners read and write them.
#pragma once

#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"

namespace spindle {

struct ConnectionLists {
  SpikingGraph graph;
  SpikeTrace trace; // one sample
};

/// Reads `connection_info` (a line: source neuron, then its targets) and `spike_info` (a line:
/// neuron, then its spike times in steps). Neurons without a line have no targets or no spikes. The
/// format knows neither weights, which are read as 1, nor populations: each run of neurons without
/// inputs becomes an input population, each run of the others a population of neurons.
llvm::Expected<ConnectionLists> readConnectionLists(const std::string &connections,
                                                    const std::string &spikes);

/// Writes both lists; the recorded samples of the trace follow each other in time.
llvm::Error writeConnectionLists(const std::string &connections, const std::string &spikes,
                                 const SpikingGraph &graph, const SpikeTrace &trace);

} // namespace spindle
