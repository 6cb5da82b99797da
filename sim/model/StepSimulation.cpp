#include "sim/model/StepSimulation.h"

#include "core/chip/CrossbarWork.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace spindle {

StepSimulation::StepSimulation(const Clustering &network_, const SpikeFanOut &tables,
                               const Chip &target, const MulticastPlan *multicast,
                               PacketLog *packetLog)
    : tileSpikes(target.mesh.tiles()), tileSynapticEvents(target.mesh.tiles()),
      clustering(network_), chip(target), fanOut(tables), plan(multicast), log(packetLog),
      network(target.mesh, target.router),
      neuronUpdateCycles(static_cast<uint64_t>(target.latency.neuronUpdateCycles.value)),
      stepBarrierCycles(static_cast<uint64_t>(target.latency.stepBarrierCycles.value)) {
  std::set<TileId> used;
  for (ClusterId c = 0; c < clustering.clusters.size(); ++c) {
    const Cluster &cluster = clustering.clusters[c];
    allUpdatesCycles = std::max(allUpdatesCycles, cluster.units * neuronUpdateCycles);
    neurons += cluster.neurons;
    used.insert(fanOut.tile(c));
  }
  tilesInUse = used.size();
  if (plan)
    for (const MulticastTree &tree : plan->trees)
      network.addTree(tree);
}

llvm::Error StepSimulation::run(llvm::ArrayRef<Spike> spikes, uint32_t sample, uint32_t step) {
  messages.clear();
  arrivals.clear();
  makePartialSums(spikes);
  makeSpikes(spikes);
  std::sort(messages.begin(), messages.end(), [](const Message &a, const Message &b) {
    return std::tie(a.madeCycle, a.order) < std::tie(b.madeCycle, b.order);
  });
  if (log)
    logMessages(sample, step);
  SPINDLE_RETURN_IF_ERROR(travel());
  uint64_t endCycle = std::max(cycles + allUpdatesCycles, workArrivals()) + stepBarrierCycles;
  counts.neuronUpdates += neurons;
  counts.tileSteps += tilesInUse;
  counts.tileCycles += tilesInUse * (endCycle - cycles);
  cycles = endCycle;
  return llvm::Error::success();
}

uint64_t StepSimulation::updatedCycle(UnitId unit) const {
  return cycles + (fanOut.column(unit) + 1) * neuronUpdateCycles;
}

void StepSimulation::makeSpikes(llvm::ArrayRef<Spike> spikes) {
  for (const Spike &spike : spikes) {
    UnitId unit = fanOut.spikingUnit(spike.neuron);
    ClusterId from = kNone;
    uint64_t madeCycle = cycles;
    if (unit != kNone) {
      from = clustering.units[unit].cluster;
      madeCycle = updatedCycle(unit);
      ++tileSpikes[fanOut.tile(from)];
      ++counts.neuronSpikes;
    }
    size_t before = messages.size();
    make({.madeCycle = madeCycle,
          .flits = chip.router.spikePacketFlits,
          .neuron = spike.neuron,
          .kind = PacketKind::Spike},
         from, fanOut.stops(spike.neuron));
    spikePackets += messages.size() - before;
  }
}

/// A unit has something to carry when its crossbar heard a spike in this step or a sum was carried
/// to it: a clustering does not say which rows meet which column, so this is an upper bound.
void StepSimulation::makePartialSums(llvm::ArrayRef<Spike> spikes) {
  std::vector<bool> driven(clustering.clusters.size()), carriedTo(clustering.units.size());
  struct Vector {
    UnitId last;
    uint64_t madeCycle = 0;
    uint32_t sums = 0;
  };
  std::map<std::pair<ClusterId, ClusterId>, Vector> vectors;
  for (const Spike &spike : spikes)
    for (const Stop &stop : fanOut.stops(spike.neuron))
      driven[stop.cluster] = true;
  for (UnitId u = 0; u < clustering.units.size(); ++u) {
    const Unit &unit = clustering.units[u];
    if (unit.carryTo == kNone || (!driven[unit.cluster] && !carriedTo[u]))
      continue;
    carriedTo[unit.carryTo] = true;
    if (clustering.units[unit.carryTo].cluster == unit.cluster)
      continue; // stays in the crossbar
    if (clustering.sums == PartialSums::Packets) {
      sendPartialSums(u, updatedCycle(u), 1);
      continue;
    }
    Vector &vector = vectors[{unit.cluster, clustering.units[unit.carryTo].cluster}];
    vector.last = u;
    vector.madeCycle = std::max(vector.madeCycle, updatedCycle(u));
    ++vector.sums;
  }
  for (const auto &[ends, vector] : vectors)
    sendPartialSums(vector.last, vector.madeCycle, vector.sums);
}

/// So many sums of the crossbar of `last` to the one that `last` carries to.
void StepSimulation::sendPartialSums(UnitId last, uint64_t madeCycle, uint32_t sums) {
  size_t before = messages.size();
  make({.madeCycle = madeCycle,
        .flits = static_cast<uint32_t>(partialSumFlits(chip.router, 1, sums)),
        .neuron = clustering.units[last].neuron,
        .kind = PacketKind::PartialSum,
        .sums = sums},
       clustering.units[last].cluster, fanOut.carryStop(last));
  partialSumPackets += messages.size() - before;
}

/// One packet for each tile among the stops, or with a plan the packets planned for the neuron's
/// spikes; `from` is kNone for the host.
void StepSimulation::make(Message message, ClusterId from, llvm::ArrayRef<Stop> stops) {
  message.source = fanOut.tile(from);
  bool isPlanned = plan && message.kind == PacketKind::Spike;
  auto put = [&] {
    message.order = messages.size();
    messages.push_back(message);
    counts.axonsOut += from != kNone;
  };
  while (!stops.empty()) {
    message.target = stops.front().tile;
    message.stops = stops.take_while([&](const Stop &stop) { return stop.tile == message.target; });
    stops = stops.drop_front(message.stops.size());
    if (message.target != message.source) {
      if (!isPlanned)
        put();
      continue;
    }
    arrive(message.madeCycle, message.stops, message.sums);
    bool needsPacket = message.stops.size() > 1 || message.stops.front().cluster != from;
    localDeliveries += needsPacket;
    counts.axonsOut += needsPacket && from != kNone;
    counts.axonsIn += needsPacket;
  }
  if (!isPlanned)
    return;
  for (const PlannedPacket &planned : plan->packets[message.neuron]) {
    message.planned = &planned;
    put();
  }
}

void StepSimulation::logMessages(uint32_t sample, uint32_t step) {
  for (const Message &message : messages) {
    TracedPacket packet{message.madeCycle, message.source, {message.target}, message.flits};
    if (message.planned) {
      const std::vector<TileId> &targets = plan->trees[message.planned->tree].targets;
      packet.targets.assign(targets.begin(), targets.end());
    }
    log->packets.packets.push_back(std::move(packet));
    log->packets.origins.push_back({message.neuron, sample, step, message.kind});
  }
}

void StepSimulation::arrive(uint64_t cycle, llvm::ArrayRef<Stop> stops, uint32_t sums) {
  for (const Stop &stop : stops) {
    arrivals.push_back({cycle, stop.cluster, stop.synapses, sums});
    counts.partialSums += sums;
    tileSynapticEvents[stop.tile] += stop.synapses;
    counts.synapticEvents += stop.synapses;
  }
}

llvm::Error StepSimulation::travel() {
  for (const Message &message : messages)
    if (message.planned)
      network.sendTree(message.planned->tree, message.flits, message.madeCycle);
    else
      network.send(message.source, message.target, message.flits, message.madeCycle);
  network.drain();
  if (network.delivered() != messages.size())
    return checkError("chip simulation", network.stuckText());
  for (PacketId id = 0; id < messages.size(); ++id) {
    const Message &message = messages[id];
    const Packet &packet = network.packets()[id];
    auto receive = [&](TileId target, Arrival arrival, llvm::ArrayRef<Stop> stops) {
      uint64_t latencyCycles = arrival.tailCycle - packet.madeCycle;
      if (latencyCycles >= latencyCounts.size())
        latencyCounts.resize(latencyCycles + 1);
      ++latencyCounts[latencyCycles];
      networkLatencySumCycles += arrival.tailCycle - packet.injectedCycle;
      ++deliveries;
      ++counts.axonsIn;
      arrive(arrival.tailCycle, stops, message.sums);
      if (log)
        log->deliveries.push_back(
            {static_cast<uint32_t>(log->packets.packets.size() - messages.size() + id),
             message.source, target, message.flits, packet.madeCycle, packet.injectedCycle,
             arrival.headCycle, arrival.tailCycle, chip.mesh.hops(message.source, target)});
    };
    if (!message.planned) {
      receive(message.target, {packet.headCycle, packet.tailCycle}, message.stops);
      continue;
    }
    const std::vector<TileId> &targets = plan->trees[message.planned->tree].targets;
    for (uint32_t target = 0; target < targets.size(); ++target)
      receive(targets[target], network.arrivalAt(id, target), message.planned->stops[target]);
  }
  network.forgetPackets();
  return llvm::Error::success();
}

/// When the last crossbar is done with the arrivals of the step.
uint64_t StepSimulation::workArrivals() {
  // Whichever of two that arrive together goes first, the crossbar is done in the same cycle.
  std::sort(arrivals.begin(), arrivals.end(),
            [](const Work &a, const Work &b) { return a.cycle < b.cycle; });
  std::vector<uint64_t> freeCycle(clustering.clusters.size(), 0);
  uint64_t lastCycle = 0;
  for (const Work &arrival : arrivals) {
    uint64_t &free = freeCycle[arrival.cluster];
    CrossbarWork work{.rowReads = arrival.sums == 0 ? 1.0 : 0.0,
                      .cells = double(arrival.synapses),
                      .partialSums = double(arrival.sums)};
    free = std::max(free, arrival.cycle) + static_cast<uint64_t>(readingCycles(work, chip.latency));
    lastCycle = std::max(lastCycle, free);
  }
  return lastCycle;
}

std::vector<LinkLoad> StepSimulation::linkLoads() const {
  // North, west, east, south: ascending tiles.
  constexpr Port ascending[] = {kNorth, kWest, kEast, kSouth};
  std::vector<LinkLoad> loads;
  for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile)
    for (Port port : ascending)
      if (uint64_t flits = network.linkFlits(tile, port))
        loads.push_back({tile, network.neighbour(tile, port), flits});
  return loads;
}

} // namespace spindle
