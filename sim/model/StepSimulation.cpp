#include "sim/model/StepSimulation.h"

#include "fmt/format.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace spindle {

StepSimulation::StepSimulation(const Clustering &network_, const Mapping &mapping,
                               const Chip &target)
    : tileSpikes(target.mesh.tiles()), tileSynapticEvents(target.mesh.tiles()),
      clustering(network_), chip(target), fanOut(network_, mapping),
      network(target.mesh, target.router),
      rowReadCycles(static_cast<uint64_t>(target.latency.rowReadCycles.value)),
      synapseCycles(static_cast<uint64_t>(target.latency.synapseCycles.value)),
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
}

llvm::Error StepSimulation::run(llvm::ArrayRef<Spike> spikes) {
  messages.clear();
  arrivals.clear();
  makePartialSums(spikes);
  makeSpikes(spikes);
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
    make(from, madeCycle, chip.router.spikePacketFlits, fanOut.stops(spike.neuron));
    spikePackets += messages.size() - before;
  }
}

/// A unit has something to carry when its crossbar heard a spike in this step or a sum was carried
/// to it: a clustering does not say which rows meet which column, so this is an upper bound.
void StepSimulation::makePartialSums(llvm::ArrayRef<Spike> spikes) {
  std::vector<bool> driven(clustering.clusters.size()), carriedTo(clustering.units.size());
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
    size_t before = messages.size();
    make(unit.cluster, updatedCycle(u), chip.router.partialSumPacketFlits, fanOut.carryStop(u));
    partialSumPackets += messages.size() - before;
  }
}

/// One packet for each tile among the stops; `from` is kNone for the host.
void StepSimulation::make(ClusterId from, uint64_t madeCycle, uint32_t flits,
                          llvm::ArrayRef<Stop> stops) {
  TileId source = fanOut.tile(from);
  while (!stops.empty()) {
    TileId target = stops.front().tile;
    llvm::ArrayRef<Stop> here =
        stops.take_while([&](const Stop &stop) { return stop.tile == target; });
    stops = stops.drop_front(here.size());
    bool needsPacket = true;
    if (target != source) {
      messages.push_back({madeCycle, messages.size(), source, target, flits, here});
    } else {
      arrive(madeCycle, here);
      needsPacket = here.size() > 1 || here.front().cluster != from;
      localDeliveries += needsPacket;
    }
    counts.axonsOut += needsPacket && from != kNone;
    counts.axonsIn += needsPacket;
  }
}

void StepSimulation::arrive(uint64_t cycle, llvm::ArrayRef<Stop> stops) {
  for (const Stop &stop : stops) {
    arrivals.push_back({cycle, stop.cluster, stop.synapses});
    tileSynapticEvents[stop.tile] += stop.synapses;
    counts.synapticEvents += stop.synapses;
  }
}

llvm::Error StepSimulation::travel() {
  std::sort(messages.begin(), messages.end(), [](const Message &a, const Message &b) {
    return std::tie(a.madeCycle, a.order) < std::tie(b.madeCycle, b.order);
  });
  for (const Message &message : messages)
    network.send(message.source, message.target, message.flits, message.madeCycle);
  network.drain();
  if (network.delivered() != messages.size())
    return checkError("chip simulation",
                      fmt::format("{} of {} packets delivered, the others are stuck",
                                  network.delivered(), messages.size()));
  for (PacketId id = 0; id < messages.size(); ++id) {
    const Packet &packet = network.packets()[id];
    uint64_t latencyCycles = packet.tailCycle - packet.madeCycle;
    latencySumCycles += latencyCycles;
    latencyMaxCycles = std::max(latencyMaxCycles, latencyCycles);
    arrive(packet.tailCycle, messages[id].stops);
  }
  network.forgetPackets();
  return llvm::Error::success();
}

/// When the last crossbar is done with the arrivals of the step.
uint64_t StepSimulation::workArrivals() {
  // Whichever of two that arrive together goes first, the crossbar is done in the same cycle.
  std::sort(arrivals.begin(), arrivals.end(),
            [](const Arrival &a, const Arrival &b) { return a.cycle < b.cycle; });
  std::vector<uint64_t> freeCycle(clustering.clusters.size(), 0);
  uint64_t lastCycle = 0;
  for (const Arrival &arrival : arrivals) {
    uint64_t &free = freeCycle[arrival.cluster];
    free = std::max(free, arrival.cycle) + rowReadCycles + arrival.synapses * synapseCycles;
    lastCycle = std::max(lastCycle, free);
  }
  return lastCycle;
}

std::vector<LinkLoad> StepSimulation::linkLoads() const {
  // North, west, east, south: ascending tiles.
  constexpr MeshNetwork::Port ascending[] = {MeshNetwork::kNorth, MeshNetwork::kWest,
                                             MeshNetwork::kEast, MeshNetwork::kSouth};
  std::vector<LinkLoad> loads;
  for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile)
    for (MeshNetwork::Port port : ascending)
      if (uint64_t flits = network.linkFlits(tile, port))
        loads.push_back({tile, network.neighbour(tile, port), flits});
  return loads;
}

} // namespace spindle
