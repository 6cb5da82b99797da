#include "sim/model/DeliveredSample.h"

#include "core/chip/work/CrossbarWork.h"

#include <algorithm>
#include <tuple>

namespace spindle {

DeliveredSample::DeliveredSample(const DeliveredChip &chip, SteppedNetwork &stepped,
                                 uint32_t stepsOfSample, std::vector<DeliveryCounts> &all)
    : tables(chip), clustering(chip.clustering), network(stepped), steps(stepsOfSample),
      counts(all), stepCycles(chip.chip.stepCycles()),
      neuronUpdateCycles(static_cast<uint64_t>(columnCycles(chip.chip.latency))),
      mesh(makeModel(chip.chip.mesh, chip.chip.router)), freeCycle(clustering.clusters.size()),
      spikes(steps, std::vector<uint8_t>(clustering.neurons)),
      heard(steps, std::vector<bool>(clustering.clusters.size())), corrections(steps),
      carriedTo(steps, std::vector<bool>(clustering.units.size())) {
  mesh->tellReceptions(receptions);
  if (chip.plan)
    for (const MulticastTree &tree : chip.plan->trees)
      mesh->addTree(tree);
}

void DeliveredSample::run() {
  uint64_t slots = steps;
  for (uint32_t depth : tables.populationDepths)
    slots = std::max<uint64_t>(slots, steps + depth);
  dueAt.resize(slots);
  for (uint64_t slot = 0; slot < slots; ++slot) {
    makeSums(slot);
    makeSpikes(slot);
    travel(slot);
    readRows(slot);
    settle(slot);
  }
  for (const Delivery &delivery : deliveries)
    count(delivery);
}

/// After the last slot, when all that is late is known to be.
void DeliveredSample::count(const Delivery &delivery) {
  bool isLost = delivery.isLost || (delivery.isLate && delivery.readSlot == kNever);
  if (delivery.parts.empty()) {
    DeliveryCounts &spike = counts[tables.populationOf[delivery.neuron]];
    ++spike.spikes;
    spike.lateSpikes += delivery.isLate;
    spike.lostSpikes += isLost;
  }
  for (UnitId part : delivery.parts) {
    DeliveryCounts &sum = counts[tables.populationOf[clustering.units[part].neuron]];
    ++sum.sums;
    sum.lateSums += delivery.isLate;
    sum.lostSums += isLost;
  }
}

uint64_t DeliveredSample::madeCycle(uint64_t slot, UnitId unit) const {
  return slot * stepCycles + (tables.fanOut.column(unit) + 1) * neuronUpdateCycles;
}

/// What a unit has sent: its own rows and what was carried to it, a block of synapses, as spikes
/// were made in a step, and what was corrected of them. Nothing is corrected after a unit has
/// worked a step.
double DeliveredSample::sumOf(UnitId unit, uint32_t step) const {
  const SpikingGraph &graph = tables.graph;
  double sum = 0;
  for (uint64_t s = tables.sumSynapses[unit]; s < tables.unitSynapses[unit + 1]; ++s)
    sum += double(graph.weights[s]) * spikes[step][graph.sources[s]];
  return corrections[step].empty() ? sum : sum + corrections[step][unit];
}

/// Units of several populations may share a vector of sums.
uint32_t DeliveredSample::stepOf(const Delivery &delivery, UnitId part) const {
  return static_cast<uint32_t>(delivery.slot - tables.unitLags[part]);
}

std::vector<double> &DeliveredSample::correctionsOf(uint64_t step) {
  corrections[step].resize(clustering.units.size());
  return corrections[step];
}

/// A unit has something to carry when its crossbar was sent a spike for its step, or a sum was
/// carried to it: the upper bound that StepSimulation takes.
void DeliveredSample::makeSums(uint64_t slot) {
  std::map<std::pair<ClusterId, ClusterId>, std::vector<UnitId>> vectors;
  for (UnitId u : tables.partUnits) {
    if (slot < tables.unitLags[u] || slot - tables.unitLags[u] >= steps)
      continue;
    auto step = static_cast<uint32_t>(slot - tables.unitLags[u]);
    const Unit &unit = clustering.units[u];
    double correction = corrections[step].empty() ? 0 : corrections[step][u];
    if (!heard[step][unit.cluster] && !carriedTo[step][u] && correction == 0)
      continue;
    carriedTo[step][unit.carryTo] = true;
    if (correction != 0)
      correctionsOf(step)[unit.carryTo] += correction;
    ClusterId next = clustering.units[unit.carryTo].cluster;
    if (next == unit.cluster)
      continue; // stays in the crossbar
    if (clustering.sums != PartialSums::Vector)
      sendSums(slot, u, {u});
    else
      vectors[{unit.cluster, next}].push_back(u);
  }
  for (auto &[ends, parts] : vectors) {
    UnitId last = *std::max_element(parts.begin(), parts.end(), [&](UnitId a, UnitId b) {
      return tables.fanOut.column(a) < tables.fanOut.column(b);
    });
    sendSums(slot, last, std::move(parts));
  }
}

void DeliveredSample::sendSums(uint64_t slot, UnitId last, std::vector<UnitId> parts) {
  const Stop &stop = tables.fanOut.carryStop(last).front();
  auto sums = static_cast<uint32_t>(parts.size());
  Delivery delivery;
  delivery.slot = slot;
  delivery.parts = std::move(parts);
  dueAt[slot].push_back({deliveries.size(), 0});
  deliveries.push_back(std::move(delivery));
  TileId source = tables.fanOut.tile(clustering.units[last].cluster);
  size_t id = deliveries.size() - 1;
  if (stop.tile == source)
    return arrive(madeCycle(slot, last), id);
  waiting.push_back({madeCycle(slot, last),
                     waiting.size(),
                     source,
                     stop.tile,
                     static_cast<uint32_t>(partialSumFlits(tables.chip.router, 1, sums)),
                     nullptr,
                     {{id}}});
}

void DeliveredSample::makeSpikes(uint64_t slot) {
  std::vector<float> extra;
  for (uint32_t p = 0; p < tables.graph.populations.size(); ++p) {
    uint32_t depth = tables.populationDepths[p];
    if (slot < depth || slot - depth >= steps)
      continue;
    auto step = static_cast<uint32_t>(slot - depth);
    const Population &population = tables.graph.populations[p];
    extra.clear();
    for (NeuronId n = 0; n < population.size && !corrections[step].empty(); ++n) {
      UnitId unit = tables.fanOut.spikingUnit(population.first + n);
      if (unit == kNone || corrections[step][unit] == 0)
        continue;
      extra.resize(population.size);
      extra[n] = static_cast<float>(corrections[step][unit]);
    }
    for (NeuronId neuron : network.step(p, step, extra)) {
      ++spikes[step][neuron];
      sendSpike(slot, step, neuron);
    }
  }
}

size_t DeliveredSample::addSpike(uint32_t step, NeuronId neuron, const Stop &stop) {
  size_t id = deliveries.size();
  Delivery delivery;
  delivery.step = step;
  delivery.neuron = neuron;
  delivery.stop = tables.stopIndex(stop);
  for (size_t g = tables.groupOffsets[delivery.stop]; g < tables.groupOffsets[delivery.stop + 1];
       ++g)
    dueAt[step + tables.groups[g].lag - 1].push_back({id, g});
  heard[step][stop.cluster] = true;
  deliveries.push_back(std::move(delivery));
  return id;
}

/// One packet for each tile with a crossbar that listens, or those of the multicast plan.
void DeliveredSample::sendSpike(uint64_t slot, uint32_t step, NeuronId neuron) {
  UnitId unit = tables.fanOut.spikingUnit(neuron);
  uint64_t cycle = unit == kNone ? slot * stepCycles : madeCycle(slot, unit);
  auto addAll = [&](llvm::ArrayRef<Stop> stops) {
    std::vector<size_t> ids;
    for (const Stop &stop : stops)
      ids.push_back(addSpike(step, neuron, stop));
    return ids;
  };
  uint32_t flits = tables.chip.router.spikePacketFlits;
  for (llvm::ArrayRef<Stop> stops = tables.fanOut.stops(neuron); !stops.empty();) {
    TileId tile = stops.front().tile;
    TileId source = tables.fanOut.sourceTile(tables.fanOut.home(neuron), tile);
    auto here = tables.chip.router.packetsTo == PacketTarget::Crossbar
                    ? stops.take_front(1)
                    : stops.take_while([&](const Stop &stop) { return stop.tile == tile; });
    stops = stops.drop_front(here.size());
    if (tile == source)
      for (size_t id : addAll(here))
        arrive(cycle, id);
    else if (!tables.plan)
      waiting.push_back({cycle, waiting.size(), source, tile, flits, nullptr, {addAll(here)}});
  }
  if (!tables.plan)
    return;
  for (const PlannedPacket &planned : tables.plan->packets[neuron]) {
    TileId source = tables.plan->trees[planned.tree].nodes[0].tile;
    Message message{cycle, waiting.size(), source, source, flits, &planned, {}};
    for (llvm::ArrayRef<Stop> stops : planned.stops)
      message.deliveries.push_back(addAll(stops));
    waiting.push_back(std::move(message));
  }
}

void DeliveredSample::arrive(uint64_t cycle, size_t id) {
  const Delivery &delivery = deliveries[id];
  CrossbarWork work;
  ClusterId cluster;
  if (delivery.parts.empty()) {
    const Stop &stop = tables.fanOut.stops(0).data()[delivery.stop];
    cluster = stop.cluster;
    work.rowReads = 1;
    work.cells = SynapsesByKind<double>(stop.synapses);
  } else {
    cluster = clustering.units[clustering.units[delivery.parts.front()].carryTo].cluster;
    work.partialSums = double(delivery.parts.size());
  }
  arrivals.push_back(
      {cycle, id, cluster, static_cast<uint32_t>(readingCycles(work, tables.chip.latency))});
}

/// Sends what is made before the end of the slot, and runs the routers up to it.
void DeliveredSample::travel(uint64_t slot) {
  std::sort(waiting.begin(), waiting.end(), [](const Message &a, const Message &b) {
    return std::tie(a.madeCycle, a.order) < std::tie(b.madeCycle, b.order);
  });
  size_t count = 0;
  for (; count < waiting.size() && waiting[count].madeCycle < endCycle(slot); ++count) {
    Message &message = waiting[count];
    if (message.planned)
      mesh->sendTree(message.planned->tree, message.flits, message.madeCycle);
    else
      mesh->send(message.source, message.target, message.flits, message.madeCycle);
    sent.push_back(std::move(message));
  }
  waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
  for (size_t order = 0; order < waiting.size(); ++order)
    waiting[order].order = order;
  mesh->runUntil(endCycle(slot));
  for (const ClockedNetwork::Reception &reception : receptions)
    for (size_t id : sent[reception.packet].deliveries[reception.target])
      arrive(reception.cycle, id);
  receptions.clear();
}

/// Crossbars read what has arrived before the end of the slot, one after the other, those of
/// earlier steps first where they arrive together; so the slots in which they are done are known.
void DeliveredSample::readRows(uint64_t slot) {
  std::sort(arrivals.begin(), arrivals.end(), [](const Work &a, const Work &b) {
    return std::tie(a.cycle, a.delivery) < std::tie(b.cycle, b.delivery);
  });
  size_t count = 0;
  for (; count < arrivals.size() && arrivals[count].cycle < endCycle(slot); ++count) {
    const Work &work = arrivals[count];
    uint64_t &free = freeCycle[work.cluster];
    free = std::max(free, work.cycle) + work.readCycles;
    // The end of a slot belongs to it.
    Delivery &delivery = deliveries[work.delivery];
    delivery.readSlot = free == 0 ? 0 : (free - 1) / stepCycles;
    if (work.delivery >= missingDues.size())
      continue;
    for (const Due &due : missingDues[work.delivery])
      addLate(delivery, due.group);
    missingDues[work.delivery].clear();
  }
  arrivals.erase(arrivals.begin(), arrivals.begin() + static_cast<std::ptrdiff_t>(count));
}

/// At the end of a slot: what was due and is not read is late.
void DeliveredSample::settle(uint64_t slot) {
  for (const Due &due : dueAt[slot]) {
    Delivery &delivery = deliveries[due.delivery];
    if (delivery.readSlot != kNever && delivery.readSlot <= slot)
      continue;
    delivery.isLate = true;
    takeOff(delivery, due.group);
    if (delivery.readSlot != kNever) {
      addLate(delivery, due.group);
      continue;
    }
    missingDues.resize(deliveries.size());
    missingDues[due.delivery].push_back(due);
  }
  dueAt[slot].clear();
}

void DeliveredSample::takeOff(const Delivery &delivery, size_t group) {
  if (delivery.parts.empty()) {
    std::vector<double> &missing = correctionsOf(delivery.step);
    const DeliveredChip::Group &cells = tables.groups[group];
    for (size_t c = cells.first; c < cells.last; ++c)
      missing[tables.cells[c].unit] -= tables.cells[c].weight;
    return;
  }
  for (UnitId part : delivery.parts)
    correctionsOf(stepOf(delivery, part))[clustering.units[part].carryTo] -=
        sumOf(part, stepOf(delivery, part));
}

/// Counts in the update of the slot after the one in which it was read.
void DeliveredSample::addLate(Delivery &delivery, size_t group) {
  auto stepAfter = [&](uint32_t lag) { return delivery.readSlot + 1 - lag; };
  bool isDropped = tables.late == LateSpikes::Drop;
  if (delivery.parts.empty()) {
    const DeliveredChip::Group &cells = tables.groups[group];
    uint64_t step = stepAfter(cells.lag);
    if (isDropped || step >= steps) {
      delivery.isLost = true;
      return;
    }
    for (size_t c = cells.first; c < cells.last; ++c)
      correctionsOf(step)[tables.cells[c].unit] += tables.cells[c].weight;
    return;
  }
  for (UnitId part : delivery.parts) {
    UnitId next = clustering.units[part].carryTo;
    uint64_t step = stepAfter(tables.unitLags[next]);
    if (isDropped || step >= steps) {
      delivery.isLost = true;
      continue;
    }
    correctionsOf(step)[next] += sumOf(part, stepOf(delivery, part));
  }
}

} // namespace spindle
