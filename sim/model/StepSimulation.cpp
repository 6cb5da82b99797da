#include "sim/model/StepSimulation.h"

#include "core/chip/work/CrossbarWork.h"

#include "fmt/format.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace spindle {

StepSimulation::StepSimulation(const Clustering &network_, const SpikeFanOut &tables,
                               const Chip &target, PacketNetwork &mesh, const SlotSchedule &slots,
                               const MulticastPlan *multicast, PacketLog *packetLog,
                               llvm::MutableArrayRef<CircuitTile> circuitTiles,
                               const SpikingGraph *graph, LapseRecorder *recorder)
    : tileCounts(target.mesh.tiles()), waits(target, network_.clusters.size()),
      tileSpikes(target.mesh.tiles()), tileSynapticEvents(target.mesh.tiles()),
      clustering(network_), chip(target), ways(target), fanOut(tables), plan(multicast),
      schedule(slots), log(packetLog), lapse(recorder), network(mesh),
      usedTiles(tables.usedTiles()), driven(network_.clusters.size()), circuits(circuitTiles),
      circuitOf(network_.clusters.size()),
      columns(network_, target, slots, graph, packetCounts(), clustersOfCircuits()) {
  for (CircuitTile &circuit : circuits)
    circuitOf[circuit.cluster] = &circuit;
  size_t populations = schedule.populations();
  layerCounts.resize(populations);
  workedSlots.resize(populations);
  size_t rows = 0;
  for (NeuronId neuron = 0; neuron < clustering.neurons; ++neuron)
    rows += fanOut.stops(neuron).size();
  rowsRead.resize(rows);
  if (plan)
    for (const MulticastTree &tree : plan->trees) {
      network.addTree(tree);
      Hops &hops = treeHops.emplace_back();
      for (const TreeNode &node : tree.nodes)
        for (uint32_t port = 0; port < kPorts; ++port)
          if (node.outputs >> port & 1) {
            TileId next = neighbourOf(chip.mesh, node.tile, port);
            hops.alongX += chip.mesh.hopsX(node.tile, next);
            hops.alongY += chip.mesh.hopsY(node.tile, next);
            hops.betweenChips += chip.mesh.crossings(node.tile, next);
          }
    }
}

/// In a tile, because of a neuron.
void StepSimulation::add(uint64_t EventCounts::*event, TileId tile, NeuronId neuron, uint64_t cycle,
                         uint64_t number) {
  tileCounts[tile].*event += number;
  layerCounts[schedule.population(neuron)].*event += number;
  if (EventCounts *counts = lapse ? lapse->countsAt(tile, cycle) : nullptr)
    counts->*event += number;
}

void StepSimulation::addSynapticEvents(const Stop &stop, NeuronId neuron, uint64_t cycle) {
  SynapsesByKind<uint64_t> events(stop.synapses);
  tileSynapticEvents[stop.tile] += events.all();
  tileCounts[stop.tile].synapticEvents += events;
  layerCounts[schedule.population(neuron)].synapticEvents += events;
  if (EventCounts *counts = lapse ? lapse->countsAt(stop.tile, cycle) : nullptr)
    counts->synapticEvents += events;
}

/// Of the layer; those of the tiles are the loads of the links.
void StepSimulation::countHops(const Message &message) {
  EventCounts &layer = layerCounts[schedule.population(message.neuron)];
  Hops hops;
  if (message.planned) {
    hops = treeHops[message.planned->tree];
  } else {
    hops.alongX = ways.hopsX(message.source, message.target);
    hops.alongY = ways.hops(message.source, message.target) - hops.alongX;
    hops.betweenChips = ways.crossings(message.source, message.target);
  }
  layer.hopsX += hops.alongX * message.flits;
  layer.hopsY += hops.alongY * message.flits;
  layer.chipLinks += hops.betweenChips * message.flits;
}

/// Accesses and updates of all neurons so far, per tile and per layer.
StepSimulation::NeuronCounts StepSimulation::neuronCounts() const {
  NeuronCounts counts{std::vector<EventCounts>(tileCounts.size()),
                      std::vector<EventCounts>(layerCounts.size())};
  for (const Unit &unit : clustering.units)
    if (unit.carryTo == kNone) {
      uint32_t layer = schedule.population(unit.neuron);
      uint64_t slots = workedSlots[layer];
      uint64_t updates = chip.countsAccesses() ? columns.updatesOf(unit.neuron) : slots;
      for (EventCounts *one : {&counts.tiles[fanOut.tile(unit.cluster)], &counts.layers[layer]}) {
        one->neuronAccesses += slots;
        one->neuronUpdates += updates;
      }
    }
  return counts;
}

/// What has been counted for all neurons alike, or for all tiles.
void StepSimulation::countNeurons() {
  NeuronCounts neurons = neuronCounts();
  for (size_t tile = 0; tile < tileCounts.size(); ++tile)
    tileCounts[tile] += neurons.tiles[tile];
  for (size_t layer = 0; layer < layerCounts.size(); ++layer)
    layerCounts[layer] += neurons.layers[layer];
  for (TileId tile : usedTiles) {
    tileCounts[tile].tileSteps += tileSteps;
    tileCounts[tile].tileCycles += tileCycles;
  }
  for (const LinkLoad &link : linkLoads()) {
    EventCounts &counts = tileCounts[chip.mesh.tileBelow(link.from)];
    counts.hopsX += link.flits * chip.mesh.hopsX(link.from, link.to);
    counts.hopsY += link.flits * chip.mesh.hopsY(link.from, link.to);
    counts.chipLinks += link.flits * chip.mesh.crossings(link.from, link.to);
  }
}

/// Of each neuron with a column, where their time counts.
std::vector<uint32_t> StepSimulation::packetCounts() const {
  std::vector<uint32_t> counts(clustering.neurons);
  if (chip.latency.axonOutCycles.value > 0)
    for (NeuronId neuron = 0; neuron < clustering.neurons; ++neuron)
      counts[neuron] = packetsOf(neuron);
  return counts;
}

llvm::Error StepSimulation::run(uint64_t slot) {
  now = slot;
  begin = isFree() ? slot * chip.stepCycles() : cycles;
  const size_t first = messages.size();
  std::vector<NeuronId> spikes = schedule.spikes(slot);
  columns.begin(slot, spikes);
  if (isFree() && columns.allCycles() > chip.stepCycles())
    return inputError(
        chip.path, fmt::format("the columns of a crossbar are updated in {} cycles, but a step of "
                               "{} µs has {}; set step_us to {} or more",
                               columns.allCycles(), chip.stepUs.value, chip.stepCycles(),
                               double(columns.allCycles()) / chip.clockMhz.value));
  SPINDLE_RETURN_IF_ERROR(beginCircuits());
  makePartialSums(spikes);
  makeSpikes(spikes);
  SPINDLE_RETURN_IF_ERROR(timeCircuits(first));
  std::sort(messages.begin() + static_cast<std::ptrdiff_t>(first), messages.end(),
            [](const Message &a, const Message &b) {
              return std::tie(a.madeCycle, a.order) < std::tie(b.madeCycle, b.order);
            });
  if (log)
    logMessages(first);
  for (uint32_t population = 0; population < workedSlots.size(); ++population)
    workedSlots[population] += schedule.works(population, slot);
  if (isFree()) {
    endSlot(begin + chip.stepCycles());
    return llvm::Error::success();
  }
  SPINDLE_RETURN_IF_ERROR(travel());
  uint64_t endCycle = std::max(begin + columns.allCycles(), workArrivals());
  uint64_t circuitCycles = 0;
  for (const CircuitStep *step : circuitNow)
    circuitCycles = std::max(circuitCycles, step ? step->cycles : 0);
  endCycle = std::max(endCycle, begin + circuitCycles);
  waits.updateColumns(columns.allCycles());
  waits.compute(circuitCycles);
  waits.endSlot(network);
  if (chip.synchronisation == Synchronisation::Barrier) {
    endCycle += chip.barrierCycles(usedTiles.size());
    ++tileSteps;
  }
  endSlot(endCycle);
  return llvm::Error::success();
}

void StepSimulation::endSlot(uint64_t endCycle) {
  if (lapse)
    lapse->endSlot(begin, endCycle, chip.synchronisation == Synchronisation::Barrier,
                   [&] { return neuronCounts().tiles; });
  if (schedule.isSteady(now)) {
    ++steadySlots;
    steadyCycles += endCycle - begin;
  }
  tileCycles += endCycle - begin;
  cycles = endCycle;
}

llvm::Error StepSimulation::finish() {
  if (isFree()) {
    SPINDLE_RETURN_IF_ERROR(travel());
    uint64_t endCycle = std::max(cycles, workArrivals());
    tileCycles += endCycle - cycles;
    cycles = endCycle;
  }
  countNeurons();
  return llvm::Error::success();
}

uint64_t StepSimulation::updatedCycle(UnitId unit) const { return begin + columns.doneCycle(unit); }

void StepSimulation::makeSpikes(llvm::ArrayRef<NeuronId> spikes) {
  for (NeuronId neuron : spikes) {
    UnitId unit = fanOut.spikingUnit(neuron);
    ClusterId from = kNone;
    uint64_t madeCycle = begin;
    if (unit != kNone) {
      from = clustering.units[unit].cluster;
      madeCycle = updatedCycle(unit);
      ++tileSpikes[fanOut.tile(from)];
      add(&EventCounts::neuronSpikes, fanOut.tile(from), neuron, madeCycle);
    }
    size_t before = messages.size();
    make({.madeCycle = madeCycle,
          .flits = chip.router.spikePacketFlits,
          .neuron = neuron,
          .kind = PacketKind::Spike,
          .slot = now},
         from, fanOut.stops(neuron));
    spikePackets += messages.size() - before;
    uint64_t targets = 0;
    for (size_t i = before; i < messages.size(); ++i)
      targets += messages[i].planned ? messages[i].planned->stops.size() : 1;
    spikesOut += targets > 0;
    spikeTargets += targets;
    mostSpikeTargets = std::max(mostSpikeTargets, targets);
  }
}

/// With barriers the spikes that count for this update are those of this slot, else of the one
/// before.
void StepSimulation::makePartialSums(llvm::ArrayRef<NeuronId> spikes) {
  std::vector<bool> drivenNow(clustering.clusters.size());
  for (NeuronId neuron : spikes)
    for (const Stop &stop : fanOut.stops(neuron))
      drivenNow[stop.cluster] = true;
  const bool isBarrier = chip.synchronisation == Synchronisation::Barrier;
  auto works = [&](const Unit &unit) { return schedule.turnOf(unit.neuron, now).has_value(); };
  for (auto [last, sums] : sumPackets(clustering, isBarrier ? drivenNow : driven, works))
    sendPartialSums(last, updatedCycle(last), sums);
  driven = std::move(drivenNow);
}

/// So many sums of the crossbar of `last` to the one that `last` carries to.
void StepSimulation::sendPartialSums(UnitId last, uint64_t madeCycle, uint32_t sums) {
  size_t before = messages.size();
  make({.madeCycle = madeCycle,
        .flits = static_cast<uint32_t>(partialSumFlits(chip.router, 1, sums)),
        .neuron = clustering.units[last].neuron,
        .kind = PacketKind::PartialSum,
        .slot = now,
        .sums = sums},
       clustering.units[last].cluster, fanOut.carryStop(last));
  partialSumPackets += messages.size() - before;
}

/// The stops that the next packet goes to, taken off the front.
llvm::ArrayRef<Stop> StepSimulation::takePacket(llvm::ArrayRef<Stop> &stops,
                                                PacketKind kind) const {
  bool isToOne = kind == PacketKind::Spike && chip.router.packetsTo == PacketTarget::Crossbar;
  llvm::ArrayRef<Stop> taken =
      stops.take_while([&](const Stop &stop) { return stop.tile == stops.front().tile; });
  taken = isToOne ? taken.take_front(1) : taken;
  stops = stops.drop_front(taken.size());
  return taken;
}

/// Of stops in the tile that they are reached from.
bool StepSimulation::needsPacket(llvm::ArrayRef<Stop> stops, ClusterId from,
                                 PacketKind kind) const {
  if (kind == PacketKind::PartialSum && clustering.sums == PartialSums::Tile)
    return false;
  if (kind == PacketKind::Spike && chip.router.packetsTo == PacketTarget::Crossbar)
    return true;
  return stops.size() > 1 || stops.front().cluster != from;
}

/// Made by a spike, those inside the tile included; 0 for the host's, which is not timed.
uint32_t StepSimulation::packetsOf(NeuronId neuron) const {
  if (fanOut.spikingUnit(neuron) == kNone)
    return 0;
  ClusterId from = fanOut.home(neuron);
  auto packets = static_cast<uint32_t>(plan ? plan->packets[neuron].size() : 0);
  for (llvm::ArrayRef<Stop> stops = fanOut.stops(neuron); !stops.empty();) {
    llvm::ArrayRef<Stop> taken = takePacket(stops, PacketKind::Spike);
    bool isLocal = taken.front().tile == fanOut.tile(from);
    packets += isLocal ? needsPacket(taken, from, PacketKind::Spike) : !plan;
  }
  return packets;
}

/// One packet for each tile among the stops (or each stop, on chips that send to crossbars), or
/// with a plan the packets planned for the neuron's spikes; `from` is kNone for the host.
void StepSimulation::make(Message message, ClusterId from, llvm::ArrayRef<Stop> stops) {
  bool isPlanned = plan && message.kind == PacketKind::Spike;
  bool isTimed = message.kind == PacketKind::Spike && from != kNone;
  auto axonOutCycles = isTimed ? static_cast<uint64_t>(chip.latency.axonOutCycles.value) : 0;
  auto put = [&] {
    message.madeCycle += axonOutCycles;
    message.order = messages.size();
    messages.push_back(message);
    add(&EventCounts::axonsOut, message.source, message.neuron, message.madeCycle, from != kNone);
    countHops(message);
  };
  while (!stops.empty()) {
    message.stops = takePacket(stops, message.kind);
    message.target = message.stops.front().tile;
    message.source = fanOut.sourceTile(from, message.target);
    if (message.target != message.source) {
      if (!isPlanned)
        put();
      continue;
    }
    bool isPacket = needsPacket(message.stops, from, message.kind);
    message.madeCycle += isPacket ? axonOutCycles : 0;
    arrive(message, message.madeCycle, message.stops);
    localDeliveries += isPacket;
    add(&EventCounts::axonsOut, message.source, message.neuron, message.madeCycle,
        isPacket && from != kNone);
    add(&EventCounts::axonsIn, message.target, message.neuron, message.madeCycle, isPacket);
  }
  if (!isPlanned)
    return;
  for (const PlannedPacket &planned : plan->packets[message.neuron]) {
    message.planned = &planned;
    message.source = plan->trees[planned.tree].nodes[0].tile;
    put();
  }
}

void StepSimulation::logMessages(size_t first) {
  for (const Message &message : llvm::ArrayRef(messages).drop_front(first)) {
    TracedPacket packet{message.madeCycle, message.source, {message.target}, message.flits};
    if (message.planned) {
      const std::vector<TileId> &targets = plan->trees[message.planned->tree].targets;
      packet.targets.assign(targets.begin(), targets.end());
    }
    log->packets.packets.push_back(std::move(packet));
    SlotSchedule::Turn turn = *schedule.turnOf(message.neuron, now);
    log->packets.origins.push_back({message.neuron, turn.sample, turn.step, message.kind});
  }
}

void StepSimulation::arrive(const Message &message, uint64_t cycle, llvm::ArrayRef<Stop> stops) {
  for (const Stop &stop : stops) {
    arrivals.push_back(
        {cycle, stop.cluster, stop.synapses, message.slot, message.sums, message.neuron});
    add(&EventCounts::partialSums, stop.tile, message.neuron, cycle, message.sums);
    addSynapticEvents(stop, message.neuron, cycle);
    if (message.sums == 0 && !circuitOf[stop.cluster])
      ++rowsRead[static_cast<size_t>(&stop - fanOut.stops(0).data())];
  }
}

/// A delivery by the mesh.
void StepSimulation::count(const Message &message, TileId target, uint64_t injectedCycle,
                           Arrival arrival) {
  auto note = [](std::vector<uint64_t> &latencies, uint64_t latencyCycles) {
    if (latencyCycles >= latencies.size())
      latencies.resize(latencyCycles + 1);
    ++latencies[latencyCycles];
  };
  note(latencyCounts, arrival.tailCycle - message.madeCycle);
  note(networkLatencyCounts, arrival.tailCycle - injectedCycle);
  ++deliveries;
  add(&EventCounts::axonsIn, target, message.neuron, arrival.tailCycle);
  hopsSum += ways.hops(message.source, target);
  flitsReceived += message.flits;
  if (message.kind == PacketKind::Spike)
    timing.add(message.neuron, schedule.turnOf(message.neuron, message.slot)->sample, target,
               message.madeCycle, arrival.tailCycle);
}

llvm::Error StepSimulation::travel() {
  for (const Message &message : messages) {
    waits.send(message.source, message.flits);
    if (message.planned)
      network.sendTree(message.planned->tree, message.flits, message.madeCycle);
    else
      network.send(message.source, message.target, message.flits, message.madeCycle);
  }
  network.drain();
  if (network.delivered() != messages.size())
    return checkError("chip simulation", network.stuckText());
  for (PacketId id = 0; id < messages.size(); ++id) {
    const Message &message = messages[id];
    const Packet &packet = network.packets()[id];
    auto receive = [&](TileId target, Arrival arrival, llvm::ArrayRef<Stop> stops) {
      count(message, target, packet.injectedCycle, arrival);
      arrive(message, arrival.tailCycle, stops);
      if (log)
        log->deliveries.push_back(
            {static_cast<uint32_t>(log->packets.packets.size() - messages.size() + id),
             message.source, target, message.flits, packet.madeCycle, packet.injectedCycle,
             arrival.headCycle, arrival.tailCycle, ways.hops(message.source, target)});
    };
    if (!message.planned) {
      receive(message.target, {packet.headCycle, packet.tailCycle}, message.stops);
      continue;
    }
    const std::vector<TileId> &targets = plan->trees[message.planned->tree].targets;
    for (uint32_t target = 0; target < targets.size(); ++target)
      receive(targets[target], network.arrivalAt(id, target), message.planned->stops[target]);
  }
  timing.endBatch();
  if (lapse)
    lapse->take(carried());
  network.forgetPackets();
  messages.clear();
  return llvm::Error::success();
}

/// The packets that the network has delivered, and that the time-lapse wants.
std::vector<LapseRecorder::Carried> StepSimulation::carried() const {
  std::vector<LapseRecorder::Carried> packets;
  for (PacketId id = 0; id < messages.size(); ++id) {
    const Message &message = messages[id];
    if (!lapse->wants(message.madeCycle))
      break;
    LapseRecorder::Carried packet{id, message.neuron, std::nullopt, message.slot, {}};
    SlotSchedule::Turn turn = *schedule.turnOf(message.neuron, message.slot);
    if (message.kind == PacketKind::Spike && turn.sample == 0)
      packet.step = turn.step;
    if (message.planned)
      packet.targets = plan->trees[message.planned->tree].targets;
    packets.push_back(packet);
  }
  return packets;
}

/// When the last crossbar is done with the arrivals.
uint64_t StepSimulation::workArrivals() {
  // Whichever of two that arrive together goes first, the crossbar is done in the same cycle; on a
  // free-running chip the earlier slot goes first.
  std::sort(arrivals.begin(), arrivals.end(), [](const Work &a, const Work &b) {
    return std::tie(a.cycle, a.slot) < std::tie(b.cycle, b.slot);
  });
  std::vector<uint64_t> freeCycle(clustering.clusters.size(), 0);
  uint64_t lastCycle = 0;
  for (const Work &arrival : arrivals) {
    uint64_t &free = freeCycle[arrival.cluster];
    if (circuitOf[arrival.cluster]) {
      free = takeArrival(arrival, free);
      lastCycle = std::max(lastCycle, free);
      continue;
    }
    ++rowReads;
    CrossbarWork work{.rowReads = arrival.sums == 0 ? 1.0 : 0.0,
                      .cells = SynapsesByKind<double>(arrival.synapses),
                      .partialSums = double(arrival.sums)};
    auto working = static_cast<uint64_t>(readingCycles(work, chip.latency));
    free = std::max(free, arrival.cycle) + working;
    waits.read(arrival.cluster, working);
    lastCycle = std::max(lastCycle, free);
    uint64_t dueCycle = isFree() ? (arrival.slot + 1) * chip.stepCycles() : free;
    if (free > dueCycle) {
      ++lateRowReads;
      latenessMaxCycles = std::max(latenessMaxCycles, free - dueCycle);
    }
  }
  arrivals.clear();
  return lastCycle;
}

/// Ascending, each once: on a torus two tiles in a row are neighbours by both ports.
std::vector<LinkLoad> StepSimulation::linkLoads() const {
  std::map<std::pair<TileId, TileId>, uint64_t> flitsOf;
  for (TileId router = 0; router < chip.mesh.routers(); ++router)
    for (uint32_t port = 0; port < kPorts; ++port)
      if (!leadsToTile(chip.mesh, router, port))
        if (uint64_t flits = network.linkFlits(router, port))
          flitsOf[{router, neighbourOf(chip.mesh, router, port)}] += flits;
  std::vector<LinkLoad> loads;
  for (auto [ends, flits] : flitsOf)
    loads.push_back({ends.first, ends.second, flits});
  return loads;
}

} // namespace spindle
