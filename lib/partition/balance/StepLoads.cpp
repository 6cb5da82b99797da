#include "lib/partition/balance/StepLoads.h"

#include "core/chip/RouterTiming.h"
#include "core/network/SpikeTrace.h"
#include "core/network/synapses/AwakeNeurons.h"
#include "core/network/synapses/SynapseRuns.h"

#include <algorithm>
#include <numeric>

namespace spindle {

namespace {

/// One step of a sample after the other: `visit(isFirst, spikes)`, a spike that comes several times
/// in a step each time.
template <typename Visit> void forEachStep(const SpikeTrace &trace, Visit visit) {
  std::vector<NeuronId> now;
  for (const std::vector<Spike> &spikes : trace.recorded) {
    auto next = spikes.begin();
    for (uint32_t step = 0; step < trace.steps; ++step) {
      now.clear();
      for (; next != spikes.end() && next->step == step; ++next)
        now.push_back(next->neuron);
      visit(step == 0, now);
    }
  }
}

class LoadsBuilder {
public:
  LoadsBuilder(const SpikingGraph &network, const std::vector<Unit> &columns,
               const SpikeTrace &recorded, const Chip &target)
      : graph(network), units(columns), trace(recorded), chip(target) {}

  StepLoads build() {
    chooseSteps();
    result.weights.assign(groups, 0);
    result.reads.assign(units.size() * groups, 0);
    result.updates.assign(units.size() * groups, 0);
    priceSpikes();
    collectSpikes();
    addSynapses();
    return std::move(result);
  }

private:
  static constexpr uint32_t kLeftOut = UINT32_MAX;

  /// `groupOf` each recorded step, `standsFor` its group.
  void chooseSteps() {
    std::vector<uint64_t> fanOut(graph.neurons());
    for (NeuronId source : graph.sources)
      ++fanOut[source];
    std::vector<uint64_t> driven;
    forEachStep(trace, [&](bool, llvm::ArrayRef<NeuronId> spikes) {
      driven.push_back(0);
      for (NeuronId neuron : spikes)
        driven.back() += fanOut[neuron];
    });
    std::vector<uint32_t> order(driven.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return driven[a] < driven[b]; });
    groups = std::min(order.size(), kMostSteps);
    chosen.assign(order.size(), kLeftOut);
    for (size_t g = 0; g < groups; ++g) {
      size_t begin = g * order.size() / groups, end = (g + 1) * order.size() / groups;
      chosen[order[(begin + end) / 2]] = uint32_t(g);
      members.push_back(end - begin);
    }
  }

  void priceSpikes() {
    const RouterTiming timing(chip);
    bool isToEach = chip.router.packetsTo == PacketTarget::Crossbar;
    result.row = chip.latency.rowReadCycles.value;
    result.axon = isToEach ? chip.latency.axonOutCycles.value : 0;
    result.isMulticast = chip.router.multicast != Multicast::Unicast;
    double flits = chip.router.spikePacketFlits;
    result.hostPortOut = flits * timing.busyInject / double(chip.mesh.hostTiles.size());
    if (!hasPorts())
      return;
    result.portIn = flits * timing.busyEject;
    result.portOut = flits * timing.busyInject;
  }

  bool hasPorts() const { return chip.crossbarsPerTile == 1; }

  /// Which neurons spike in the chosen steps, and what their columns take.
  void collectSpikes() {
    std::vector<std::vector<StepLoads::Spikes>> ofNeuron(graph.neurons());
    AwakeNeurons awake(graph.neurons(), chip.countsAccesses() ? &graph : nullptr);
    std::vector<UnitId> home(graph.neurons(), kNone);
    for (UnitId u = 0; u < units.size(); ++u)
      home[units[u].neuron] = u;
    size_t at = 0;
    forEachStep(trace, [&](bool isFirst, llvm::ArrayRef<NeuronId> spikes) {
      if (isFirst)
        awake.beginSample();
      awake.beginStep(spikes);
      if (uint32_t step = chosen[at]; step != kLeftOut) {
        result.weights[step] = double(members[step]) / double(trace.recorded.size());
        for (NeuronId neuron : spikes) {
          std::vector<StepLoads::Spikes> &own = ofNeuron[neuron];
          if (!own.empty() && own.back().step == step) {
            ++own.back().spikes;
            continue;
          }
          own.push_back({step, 1});
          if (home[neuron] != kNone)
            result.updates[home[neuron] * groups + step] +=
                float(chip.latency.neuronSpikeCycles.value);
        }
        addUpdates(step, awake);
      }
      awake.endStep(spikes);
      ++at;
    });
    for (const std::vector<StepLoads::Spikes> &own : ofNeuron) {
      result.spikes.insert(result.spikes.end(), own.begin(), own.end());
      result.first.push_back(result.spikes.size());
    }
  }

  void addUpdates(uint32_t step, const AwakeNeurons &awake) {
    const LatencyTable &latency = chip.latency;
    for (UnitId u = 0; u < units.size(); ++u) {
      bool isUpdated = !chip.countsAccesses() || awake.isAwake(units[u].neuron);
      result.updates[u * groups + step] += float(
          latency.neuronAccessCycles.value + (isUpdated ? latency.neuronUpdateCycles.value : 0));
    }
  }

  void addSynapses() {
    SynapseRuns runs(graph);
    std::vector<uint64_t> offsets = unitOffsets(graph, units);
    for (UnitId u = 0; u < units.size(); ++u)
      runs.forEach(units[u].neuron, offsets[u], offsets[u + 1],
                   [&](uint64_t begin, uint64_t end, SynapseKind kind) {
                     auto cycles = float(chip.latency.synapseCyclesOf(kind));
                     for (uint64_t s = begin; s < end; ++s)
                       for (StepLoads::Spikes spikes : result.spikesOf(graph.sources[s]))
                         result.reads[u * groups + spikes.step] += cycles * float(spikes.spikes);
                   });
  }

  const SpikingGraph &graph;
  const std::vector<Unit> &units;
  const SpikeTrace &trace;
  const Chip &chip;
  size_t groups = 0;
  std::vector<uint32_t> chosen; // per recorded step: its group, where it stands for it
  std::vector<size_t> members;  // per group
  StepLoads result;
};

} // namespace

StepLoads stepLoads(const SpikingGraph &graph, const std::vector<Unit> &units,
                    const SpikeTrace &trace, const Chip &chip) {
  return LoadsBuilder(graph, units, trace, chip).build();
}

} // namespace spindle
