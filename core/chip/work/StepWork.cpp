#include "core/chip/work/StepWork.h"

#include "core/chip/RouterTiming.h"
#include "core/chip/work/ColumnOrder.h"
#include "core/chip/work/CrossbarWork.h"
#include "core/network/SpikeTrace.h"
#include "core/network/synapses/AwakeNeurons.h"

#include "fmt/format.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

namespace spindle {

namespace {

/// Something that works jobs one after the other.
class Server {
public:
  void add(double arrivalCycle, double cycles) { jobs.push_back({arrivalCycle, cycles}); }

  /// When the last is done; forgets them.
  double finish() {
    std::sort(jobs.begin(), jobs.end());
    double done = 0;
    for (auto [arrivalCycle, cycles] : jobs)
      done = std::max(done, arrivalCycle) + cycles;
    jobs.clear();
    return done;
  }

private:
  std::vector<std::pair<double, double>> jobs;
};

/// One step after the other, of one sample after the other.
class Steps {
public:
  Steps(const Clustering &network, const Chip &target, const SpikingGraph *graph)
      : clusterCycles(network.clusters.size()), clustering(network), chip(target), timing(target),
        listeners(network.neurons), homes(network.neurons, kNone),
        crossbars(network.clusters.size()), portsIn(network.clusters.size()),
        portsOut(network.clusters.size()),
        awake(network.neurons, target.countsAccesses() ? graph : nullptr),
        spikesNow(network.neurons), order(columnOrder(network)), updated(network.units.size()),
        columns(network.clusters.size()), hostFlitsTo(network.clusters.size()),
        timesSlowest(network.clusters.size() + 1) {
    for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
      for (const Axon &axon : clustering.clusters[c].axons)
        listeners[axon.neuron].push_back({c, axon.synapses});
    for (UnitId u = 0; u < clustering.units.size(); ++u)
      if (clustering.units[u].carryTo == kNone)
        homes[clustering.units[u].neuron] = u;
  }

  void beginSample() { awake.beginSample(); }
  /// A step in which these neurons spike.
  void step(llvm::ArrayRef<NeuronId> spikes) {
    awake.beginStep(spikes);
    updateColumns(spikes);
    std::vector<bool> heard(crossbars.size());
    for (NeuronId neuron : spikes) {
      send(neuron);
      for (const Listener &listener : listeners[neuron])
        heard[listener.cluster] = true;
    }
    carry(heard);
    endStep();
    awake.endStep(spikes);
  }

  double cycles = 0;
  std::vector<double> stepCycles;    // each
  std::vector<double> clusterCycles; // each cluster's own part of them
  ClusterId slowest() const {
    auto part = std::max_element(timesSlowest.begin(), timesSlowest.end()) - timesSlowest.begin();
    return size_t(part) == crossbars.size() ? kNone : static_cast<ClusterId>(part);
  }

private:
  struct Listener {
    ClusterId cluster;
    SynapsesByKind<uint32_t> synapses;
  };

  /// One after the other: a neuron at rest is accessed alone, where it is told apart; a spike takes
  /// its time, and then its packets, where each goes to one crossbar.
  void updateColumns(llvm::ArrayRef<NeuronId> spikes) {
    const LatencyTable &latency = chip.latency;
    bool isToEach = chip.router.packetsTo == PacketTarget::Crossbar;
    for (NeuronId neuron : spikes)
      spikesNow[neuron] = true;
    std::fill(columns.begin(), columns.end(), 0);
    for (UnitId u : order) {
      const Unit &unit = clustering.units[u];
      double &cycle = columns[unit.cluster];
      bool isUpdated = !chip.countsAccesses() || awake.isAwake(unit.neuron);
      cycle +=
          latency.neuronAccessCycles.value + (isUpdated ? latency.neuronUpdateCycles.value : 0);
      bool isSpike = unit.carryTo == kNone && spikesNow[unit.neuron];
      cycle += isSpike ? latency.neuronSpikeCycles.value : 0;
      updated[u] = cycle;
      if (isSpike && isToEach)
        cycle += latency.axonOutCycles.value * double(listeners[unit.neuron].size());
    }
    for (NeuronId neuron : spikes)
      spikesNow[neuron] = false;
  }

  bool hasPorts() const { return chip.crossbarsPerTile == 1; }

  /// A spike goes to all that listen.
  void send(NeuronId neuron) {
    UnitId unit = homes[neuron];
    ClusterId from = unit == kNone ? kNone : clustering.units[unit].cluster;
    double made = unit == kNone ? 0 : updated[unit] + chip.latency.axonOutCycles.value;
    double flits = chip.router.spikePacketFlits;
    uint32_t others = 0;
    for (const Listener &listener : listeners[neuron]) {
      others += listener.cluster != from;
      arrive(from, listener.cluster, made, flits,
             {.rowReads = 1, .cells = SynapsesByKind<double>(listener.synapses)});
    }
    if (from != kNone)
      return leave(from, made, packetsAtLeast(others, chip.crossbarsPerTile - 1, 0) * flits);
    if (!hasPacketForEach()) {
      hostFlits += packetsAtLeast(others, 0, hostTiles()) * flits;
      return;
    }
    hostFlits += others * flits;
    for (const Listener &listener : listeners[neuron])
      hostFlitsTo[listener.cluster] += flits;
  }

  /// Whether each crossbar that hears a spike gets a packet of its own.
  bool hasPacketForEach() const {
    return chip.router.multicast == Multicast::Unicast &&
           (hasPorts() || chip.router.packetsTo == PacketTarget::Crossbar);
  }

  /// To so many crossbars, wherever they are placed: as many as may be lie in the sender's tile,
  /// or in `tiles` that are reached without a packet, and as few tiles as can be hold the others.
  uint32_t packetsAtLeast(uint32_t others, uint32_t besideSender, uint32_t tiles) const {
    uint32_t perTile = chip.crossbarsPerTile, near = besideSender + tiles * perTile;
    uint32_t far = others > near ? others - near : 0;
    if (chip.router.multicast != Multicast::Unicast)
      return std::min(far, 1u);
    return hasPacketForEach() ? far : (far + perTile - 1) / perTile;
  }

  void arrive(ClusterId from, ClusterId to, double made, double flits, const CrossbarWork &work) {
    bool passesPort = hasPorts() && from != to && from != kNone;
    if (passesPort)
      portsIn[to].add(made + double(timing.inject), flits * timing.busyEject);
    double wayCycles = passesPort ? double(headLatencyCycles(chip, 1)) : 0;
    crossbars[to].add(made + wayCycles, readingCycles(work, chip.latency));
  }

  void leave(ClusterId from, double made, double flits) {
    if (flits > 0)
      portsOut[from].add(made, flits * timing.busyInject);
  }

  void carry(const std::vector<bool> &heard) {
    for (auto [last, sums] : sumPackets(clustering, heard, [](const Unit &) { return true; })) {
      const Unit &unit = clustering.units[last];
      double flits = partialSumFlits(chip.router, 1, sums);
      arrive(unit.cluster, clustering.units[unit.carryTo].cluster, updated[last], flits,
             {.partialSums = double(sums)});
      if (hasPorts()) // else they may stay in the tile
        leave(unit.cluster, updated[last], flits);
    }
  }

  /// A port may be ahead of its mean rate by the flits that its buffers hold; on a bus by those
  /// that come at once, of which the last needs no interval behind it.
  double portFinish(Server &port, double busyCycles) const {
    if (chip.mesh.isBus())
      return port.finish() - timing.interval;
    return port.finish() - busyCycles * chip.router.bufferFlits * chip.router.virtualChannels;
  }

  uint32_t hostTiles() const { return static_cast<uint32_t>(chip.mesh.hostTiles.size()); }

  /// The clusters in each of the host's tiles are reached without a packet; the tiles share the
  /// others evenly.
  double hostFinish() {
    auto last =
        hostFlitsTo.begin() + std::min<ptrdiff_t>(ptrdiff_t(hostTiles()) * chip.crossbarsPerTile,
                                                  std::ssize(hostFlitsTo));
    std::partial_sort(hostFlitsTo.begin(), last, hostFlitsTo.end(), std::greater<>());
    double beside = std::accumulate(hostFlitsTo.begin(), last, 0.0);
    Server port;
    port.add(0, (hostFlits - beside) / hostTiles() * timing.busyInject);
    hostFlits = 0;
    std::fill(hostFlitsTo.begin(), hostFlitsTo.end(), 0);
    return portFinish(port, timing.busyInject);
  }

  void endStep() {
    double longest = hostFinish();
    size_t part = crossbars.size();
    for (ClusterId c = 0; c < crossbars.size(); ++c) {
      double done =
          std::max({columns[c], crossbars[c].finish(), portFinish(portsIn[c], timing.busyEject),
                    portFinish(portsOut[c], timing.busyInject)});
      clusterCycles[c] += std::max(done, 0.0);
      if (done > longest) {
        longest = done;
        part = c;
      }
    }
    stepCycles.push_back(std::max(longest, 0.0));
    cycles += stepCycles.back();
    ++timesSlowest[part];
  }

  const Clustering &clustering;
  const Chip &chip;
  RouterTiming timing;
  std::vector<std::vector<Listener>> listeners;     // per neuron
  std::vector<UnitId> homes;                        // per neuron: the unit that spikes
  std::vector<Server> crossbars, portsIn, portsOut; // per cluster
  AwakeNeurons awake;
  std::vector<bool> spikesNow;        // per neuron
  std::vector<UnitId> order;          // in which columns are updated
  std::vector<double> updated;        // per unit: when its column is done, and its spike made
  std::vector<double> columns;        // per cluster: when all are done
  double hostFlits = 0;               // of this step
  std::vector<double> hostFlitsTo;    // per cluster: those that go to it alone
  std::vector<uint64_t> timesSlowest; // per cluster, then the host
};

} // namespace

llvm::Expected<StepWork> stepWork(const Clustering &clustering, const SpikeTrace &trace,
                                  const Chip &chip, const SpikingGraph *graph) {
  if (neuronCount(trace.populations) != clustering.neurons)
    return inputError("", fmt::format("the spike trace has {} neurons, the clustering {}; "
                                      "partition the graph of this trace again",
                                      neuronCount(trace.populations), clustering.neurons));
  if (trace.recorded.empty() || clustering.clusters.empty())
    return StepWork();
  if (graph && graph->neurons() != clustering.neurons)
    return inputError("", fmt::format("the graph has {} neurons, the clustering {}; partition this "
                                      "graph again",
                                      graph->neurons(), clustering.neurons));
  Steps steps(clustering, chip, graph);
  std::vector<NeuronId> now;
  for (const std::vector<Spike> &spikes : trace.recorded) {
    const Spike *begin = spikes.data(), *last = begin + spikes.size();
    steps.beginSample();
    for (uint32_t step = 0; step < trace.steps; ++step) {
      const Spike *end = std::find_if(begin, last, [&](const Spike &s) { return s.step != step; });
      now.clear();
      for (const Spike *spike = begin; spike != end; ++spike)
        now.push_back(spike->neuron);
      steps.step(now);
      begin = end;
    }
  }
  double samples = double(trace.recorded.size());
  for (double &cycles : steps.clusterCycles)
    cycles /= samples;
  return StepWork{steps.cycles / samples, steps.slowest(), std::move(steps.stepCycles),
                  std::move(steps.clusterCycles)};
}

} // namespace spindle
