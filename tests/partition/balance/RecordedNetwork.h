// Random networks with the spikes of single steps, and what crossbars do in each by definition; no
// neuron is divided.
#pragma once

#include "core/chip/RouterTiming.h"
#include "core/network/SpikeTrace.h"
#include "lib/partition/Decompose.h"
#include "lib/partition/balance/StepLoads.h"
#include "tests/partition/RandomGraph.h"

#include <map>
#include <set>

namespace spindle {

struct RecordedNetwork {
  SpikingGraph graph;
  SpikeTrace trace;

  /// Every neuron spikes in a step with a probability of its own; some twice.
  static RecordedNetwork random(uint64_t seed, const RandomGraphShape &shape, uint32_t samples,
                                uint32_t steps) {
    RecordedNetwork made{randomGraph(seed, shape), {}};
    CounterRandom random(seed, 11);
    std::vector<uint32_t> rate(made.graph.neurons());
    for (uint32_t &each : rate)
      each = random.below(3) == 0 ? 0 : random.below(100);
    made.trace.populations = made.graph.populations;
    made.trace.steps = steps;
    made.trace.maxSpikes = 2;
    made.trace.recorded.resize(samples);
    for (std::vector<Spike> &spikes : made.trace.recorded)
      for (uint32_t step = 0; step < steps; ++step)
        for (NeuronId n = 0; n < made.graph.neurons(); ++n)
          for (uint32_t twice = 0; twice < 2; ++twice)
            if (random.below(100) < (twice ? rate[n] / 8 : rate[n]))
              spikes.push_back({step, n});
    made.count();
    return made;
  }

  /// Of what is recorded.
  void count() {
    trace.samples = trace.recorded.size();
    graph.samples = uint32_t(trace.samples);
    graph.steps = trace.steps;
    graph.spikes.assign(graph.neurons(), 0);
    for (const std::vector<Spike> &spikes : trace.recorded)
      for (const Spike &spike : spikes)
        ++graph.spikes[spike.neuron];
    trace.counts = graph.spikes;
  }

  /// What the slowest part of each recorded step takes, of one sample after the other.
  std::vector<double> slowestParts(const std::vector<Unit> &units,
                                   const std::vector<ClusterId> &clusterOf, const Chip &chip) const;
  double cyclesPerSample(const std::vector<Unit> &units, const std::vector<ClusterId> &clusterOf,
                         const Chip &chip) const {
    double cycles = 0;
    for (double each : slowestParts(units, clusterOf, chip))
      cycles += each;
    return cycles / double(trace.recorded.size());
  }
};

inline std::vector<double> RecordedNetwork::slowestParts(const std::vector<Unit> &units,
                                                         const std::vector<ClusterId> &clusterOf,
                                                         const Chip &chip) const {
  const LatencyTable &price = chip.latency;
  RouterTiming timing(chip);
  bool isMulticast = chip.router.multicast != Multicast::Unicast;
  double flits = chip.router.spikePacketFlits;
  std::vector<uint64_t> offsets = unitOffsets(graph, units);
  std::map<NeuronId, ClusterId> home;
  for (UnitId u = 0; u < units.size(); ++u)
    if (units[u].carryTo == kNone)
      home[units[u].neuron] = clusterOf[u];
  std::vector<bool> restless = restlessNeurons(graph);
  std::vector<double> slowest;
  for (const std::vector<Spike> &sample : trace.recorded) {
    std::vector<bool> awake(graph.neurons());
    for (uint32_t step = 0; step < trace.steps; ++step) {
      std::map<NeuronId, double> now;
      for (const Spike &spike : sample)
        if (spike.step == step) {
          ++now[spike.neuron];
          awake[spike.neuron] = true;
        }
      std::map<ClusterId, double> reads, updates, in, out;
      double host = 0;
      std::map<NeuronId, std::set<ClusterId>> hears;
      for (UnitId u = 0; u < units.size(); ++u) {
        ClusterId c = clusterOf[u];
        bool isUpdated = !chip.countsAccesses() || awake[units[u].neuron];
        updates[c] +=
            price.neuronAccessCycles.value + (isUpdated ? price.neuronUpdateCycles.value : 0);
        if (units[u].carryTo == kNone && now.contains(units[u].neuron))
          updates[c] += price.neuronSpikeCycles.value;
        for (uint64_t s = offsets[u]; s < offsets[u + 1]; ++s) {
          hears[graph.sources[s]].insert(c);
          if (auto spikes = now.find(graph.sources[s]); spikes != now.end())
            reads[c] += spikes->second * price.synapseCycles.value;
        }
      }
      for (auto [neuron, spikes] : now) {
        const std::set<ClusterId> &listeners = hears[neuron];
        bool isHost = !home.contains(neuron);
        double others = double(listeners.size()) - (!isHost && listeners.contains(home[neuron]));
        double packets = spikes * (isMulticast ? std::min(others, 1.0) : others);
        for (ClusterId c : listeners) {
          reads[c] += spikes * price.rowReadCycles.value;
          if (!isHost && c != home[neuron] && chip.crossbarsPerTile == 1)
            in[c] += spikes * flits * timing.busyEject;
        }
        if (isHost) {
          host += packets * flits * timing.busyInject / double(chip.mesh.hostTiles.size());
          continue;
        }
        if (chip.crossbarsPerTile == 1)
          out[home[neuron]] += packets * flits * timing.busyInject;
        if (chip.router.packetsTo == PacketTarget::Crossbar)
          updates[home[neuron]] += spikes * price.axonOutCycles.value * double(listeners.size());
      }
      double most = host;
      for (const auto *loads : {&reads, &updates, &in, &out})
        for (auto [cluster, cycles] : *loads)
          most = std::max(most, cycles);
      slowest.push_back(most);
      for (auto [neuron, spikes] : now)
        awake[neuron] = restless[neuron];
      for (NeuronId n = 0; n < graph.neurons(); ++n)
        for (NeuronId source : graph.sourcesOf(n))
          if (now.contains(source))
            awake[n] = true;
    }
  }
  return slowest;
}

} // namespace spindle
