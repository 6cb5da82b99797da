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
#include <utility>

namespace spindle {

namespace {

/// Something that works jobs one after the other; they are added in the order of their arrivals.
class Server {
public:
  void add(double arrivalCycle, double cycles) { done = std::max(done, arrivalCycle) + cycles; }

  /// When the last is done; forgets them.
  double finish() { return std::exchange(done, 0); }

private:
  double done = 0;
};

/// One step after the other, of one sample after the other.
class Steps {
public:
  Steps(const Clustering &network, const Chip &target, const SpikingGraph *graph)
      : clusterCycles(network.clusters.size()), clustering(network), chip(target), timing(target),
        wayCycles(double(headLatencyCycles(target, 1))), near(network.neurons),
        far(network.neurons), homes(network.neurons, kNone), crossbars(network.clusters.size()),
        portsIn(network.clusters.size()), portsOut(network.clusters.size()),
        awake(network.neurons, target.countsAccesses() ? graph : nullptr),
        spikesNow(network.neurons), order(columnOrder(network)), updated(network.units.size()),
        columns(network.clusters.size()), hostFlitsTo(network.clusters.size()),
        timesSlowest(network.clusters.size() + 1) {
    for (UnitId u = 0; u < clustering.units.size(); ++u)
      if (clustering.units[u].carryTo == kNone)
        homes[clustering.units[u].neuron] = u;
    for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
      for (const Axon &axon : clustering.clusters[c].axons) {
        double work = readingCycles({.rowReads = 1, .cells = SynapsesByKind<double>(axon.synapses)},
                                    chip.latency);
        bool isFar = passesPort(clusterOf(homes[axon.neuron]), c);
        (isFar ? far : near)[axon.neuron].push_back({c, work});
      }
  }

  void beginSample() { awake.beginSample(); }
  /// A step in which these neurons spike.
  void step(llvm::ArrayRef<NeuronId> spikes) {
    awake.beginStep(spikes);
    updateColumns(spikes);
    sendPackets(spikes);
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
    double cycles; // of the crossbar for a spike
  };
  struct Packet {
    double madeCycle;
    NeuronId neuron; // that spikes; kNone: sums
    UnitId unit;     // that makes it; kNone: the host
    uint32_t sums = 0;
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
        cycle += latency.axonOutCycles.value *
                 double((near[unit.neuron].size() + far[unit.neuron].size()));
    }
    for (NeuronId neuron : spikes)
      spikesNow[neuron] = false;
  }

  bool hasPorts() const { return chip.crossbarsPerTile == 1; }

  ClusterId clusterOf(UnitId unit) const {
    return unit == kNone ? kNone : clustering.units[unit].cluster;
  }
  bool passesPort(ClusterId from, ClusterId to) const {
    return hasPorts() && from != to && from != kNone;
  }

  /// Every packet leaves when it is made, and is then in its own cluster, and in others, behind
  /// ports, so much later; in the order of all these moments.
  void sendPackets(llvm::ArrayRef<NeuronId> spikes) {
    makePackets(spikes);
    auto behind = packets.begin();
    for (const Packet &packet : packets) {
      for (; behind->madeCycle + wayCycles < packet.madeCycle; ++behind)
        arriveFar(*behind);
      leave(packet);
      arriveNear(packet);
    }
    std::for_each(behind, packets.end(), [&](const Packet &packet) { arriveFar(packet); });
  }

  void makePackets(llvm::ArrayRef<NeuronId> spikes) {
    packets.clear();
    std::vector<bool> heard(crossbars.size());
    for (NeuronId neuron : spikes) {
      UnitId unit = homes[neuron];
      double made = unit == kNone ? 0 : updated[unit] + chip.latency.axonOutCycles.value;
      packets.push_back({.madeCycle = made, .neuron = neuron, .unit = unit});
      for (const auto *listeners : {&near[neuron], &far[neuron]})
        for (const Listener &listener : *listeners)
          heard[listener.cluster] = true;
    }
    for (auto [last, sums] : sumPackets(clustering, heard, [](const Unit &) { return true; }))
      packets.push_back({updated[last], kNone, last, sums});
    std::ranges::sort(packets, {}, &Packet::madeCycle);
  }

  void arriveNear(const Packet &packet) {
    if (packet.neuron != kNone) {
      for (const Listener &listener : near[packet.neuron])
        crossbars[listener.cluster].add(packet.madeCycle, listener.cycles);
      return;
    }
    if (ClusterId to = targetOf(packet); !passesPort(clusterOf(packet.unit), to))
      crossbars[to].add(packet.madeCycle, cyclesOf(packet));
  }

  void arriveFar(const Packet &packet) {
    double atPort = packet.madeCycle + double(timing.inject),
           atCrossbar = packet.madeCycle + wayCycles;
    if (packet.neuron != kNone) {
      for (const Listener &listener : far[packet.neuron]) {
        portsIn[listener.cluster].add(atPort, chip.router.spikePacketFlits * timing.busyEject);
        crossbars[listener.cluster].add(atCrossbar, listener.cycles);
      }
      return;
    }
    if (ClusterId to = targetOf(packet); passesPort(clusterOf(packet.unit), to)) {
      portsIn[to].add(atPort, flitsOf(packet) * timing.busyEject);
      crossbars[to].add(atCrossbar, cyclesOf(packet));
    }
  }

  /// Of sums.
  ClusterId targetOf(const Packet &packet) const {
    return clustering.units[clustering.units[packet.unit].carryTo].cluster;
  }
  double cyclesOf(const Packet &packet) const {
    return readingCycles({.partialSums = double(packet.sums)}, chip.latency);
  }
  double flitsOf(const Packet &packet) const {
    return partialSumFlits(chip.router, 1, packet.sums);
  }

  void leave(const Packet &packet) {
    ClusterId from = clusterOf(packet.unit);
    if (packet.neuron == kNone) {
      if (hasPorts()) // else they may stay in the tile
        leave(from, packet.madeCycle, flitsOf(packet));
      return;
    }
    const std::vector<Listener> &beside = near[packet.neuron], &others = far[packet.neuron];
    double flits = chip.router.spikePacketFlits;
    if (from != kNone) {
      auto isOther = [&](const Listener &listener) { return listener.cluster != from; };
      auto targets = static_cast<uint32_t>(others.size()) +
                     static_cast<uint32_t>(std::ranges::count_if(beside, isOther));
      return leave(from, packet.madeCycle,
                   packetsAtLeast(targets, chip.crossbarsPerTile - 1, 0) * flits);
    }
    auto targets = static_cast<uint32_t>(beside.size());
    if (!hasPacketForEach()) {
      hostFlits += packetsAtLeast(targets, 0, hostTiles()) * flits;
      return;
    }
    hostFlits += targets * flits;
    for (const Listener &listener : beside)
      hostFlitsTo[listener.cluster] += flits;
  }

  void leave(ClusterId from, double madeCycle, double flits) {
    if (flits > 0)
      portsOut[from].add(madeCycle, flits * timing.busyInject);
  }

  /// Whether each crossbar that hears a spike gets a packet of its own.
  bool hasPacketForEach() const {
    return chip.router.multicast == Multicast::Unicast &&
           (hasPorts() || chip.router.packetsTo == PacketTarget::Crossbar);
  }

  /// To so many crossbars, wherever they are placed: as many as may be lie in the sender's tile,
  /// or in `tiles` that are reached without a packet, and as few tiles as can be hold the others.
  uint32_t packetsAtLeast(uint32_t others, uint32_t besideSender, uint32_t tiles) const {
    uint32_t perTile = chip.crossbarsPerTile, reached = besideSender + tiles * perTile;
    uint32_t left = others > reached ? others - reached : 0;
    if (chip.router.multicast != Multicast::Unicast)
      return std::min(left, 1u);
    return hasPacketForEach() ? left : (left + perTile - 1) / perTile;
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
  double wayCycles;                                 // of a packet from port to port, over one link
  std::vector<Packet> packets;                      // of this step
  std::vector<std::vector<Listener>> near, far;     // per neuron: behind no port, behind ports
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
