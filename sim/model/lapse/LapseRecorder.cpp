#include "sim/model/lapse/LapseRecorder.h"

#include "core/chip/routing/GatedParts.h"
#include "sim/model/energy/TemperatureGrid.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spindle {

namespace {

constexpr size_t kNoFrame = SIZE_MAX;

EventCounts difference(EventCounts counts, const EventCounts &before) {
  counts.neuronAccesses -= before.neuronAccesses;
  counts.neuronUpdates -= before.neuronUpdates;
  return counts;
}

} // namespace

LapseRecorder::LapseRecorder(const Chip &target, const SlotSchedule &slots,
                             const std::vector<Population> &layers, PacketNetwork &mesh,
                             std::vector<TileId> used)
    : chip(target), schedule(slots), populations(layers), network(mesh), usedTiles(std::move(used)),
      isWhole(slots.slotsOfFirst() == slots.slots()), leaveCycle(target.mesh.routers()),
      choice(kMostWayHops) {
  lapse.chip = chip.name;
  lapse.mesh = chip.mesh;
  lapse.clockMhz = chip.clockMhz.value;
  lapse.synchronisation = kSynchronisationNames[static_cast<size_t>(chip.synchronisation)];
  lapse.slots = schedule.slotsOfFirst();
  uint64_t most =
      std::clamp<uint64_t>(kMostTileFigures / chip.mesh.tiles(), uint64_t(1), kMostFrames);
  lapse.slotsPerFrame = std::max<uint64_t>(1, (lapse.slots + most - 1) / most);
  lapse.frames.resize((lapse.slots + lapse.slotsPerFrame - 1) / lapse.slotsPerFrame);
  for (TileId router = 0; router < chip.mesh.routers(); ++router)
    for (uint32_t port = 0; port < kPorts; ++port)
      if (TileId next = neighbourOf(chip.mesh, router, port);
          !leadsToTile(chip.mesh, router, port) && next != router)
        linkOf[{router, next}] = 0;
  std::vector<WatchedLink> links;
  for (auto &[ends, number] : linkOf) {
    number = static_cast<uint32_t>(links.size());
    links.push_back({ends.first, ends.second});
    lapse.links.push_back({ends.first, ends.second});
  }
  if (isFree() && !isWhole) // the packets of all samples are sent at once
    madeBefore = lapse.slots * chip.stepCycles() + 1;
  network.watch(links, madeBefore);
  for (LapseFrame &frame : lapse.frames) {
    frame.linkFlits.resize(links.size());
    frame.sourceCycles.resize(chip.mesh.tiles());
    frame.routerCycles.resize(chip.mesh.tiles());
  }
  counts.assign(lapse.frames.size(), std::vector<EventCounts>(chip.mesh.tiles()));
  barriers.resize(lapse.frames.size());
  standings.resize(lapse.frames.size());
}

/// kNoFrame: after the first sample.
size_t LapseRecorder::frameAt(uint64_t cycle) const {
  if (!isFree())
    return isOpen() ? nextSlot / lapse.slotsPerFrame : kNoFrame;
  uint64_t frame = cycle / chip.stepCycles() / lapse.slotsPerFrame;
  if (cycle / chip.stepCycles() < lapse.slots)
    return frame;
  return isWhole ? lapse.frames.size() - 1 : kNoFrame;
}

/// The first cycle of a free-running chip that is in the next frame.
uint64_t LapseRecorder::endOf(size_t frame) const {
  if (frame + 1 < lapse.frames.size())
    return (frame + 1) * lapse.slotsPerFrame * chip.stepCycles();
  return isWhole ? UINT64_MAX : lapse.slots * chip.stepCycles();
}

EventCounts *LapseRecorder::countsAt(TileId tile, uint64_t cycle) {
  size_t frame = frameAt(cycle);
  return frame == kNoFrame ? nullptr : &counts[frame][tile];
}

/// A stretch of time at a router, in the frames that it falls into.
void LapseRecorder::addTime(std::vector<uint64_t> LapseFrame::*figure, TileId router,
                            uint64_t begin, uint64_t end) {
  while (begin < end) {
    size_t frame = frameAt(begin);
    if (frame == kNoFrame)
      return;
    uint64_t until = isFree() ? std::min(end, endOf(frame)) : end;
    (lapse.frames[frame].*figure)[chip.mesh.tileBelow(router)] += until - begin;
    begin = until;
  }
}

/// Counts the flits that have passed links.
void LapseRecorder::countFlits() {
  for (const LinkFlit &flit : network.watchedFlits()) {
    size_t frame = frameAt(flit.cycle);
    if (frame == kNoFrame)
      continue;
    ++lapse.frames[frame].linkFlits[flit.link];
    const LapseLink &link = lapse.links[flit.link];
    EventCounts &from = counts[frame][chip.mesh.tileBelow(link.from)];
    from.hopsX += chip.mesh.hopsX(link.from, link.to);
    from.hopsY += chip.mesh.hopsY(link.from, link.to);
    from.chipLinks += chip.mesh.crossings(link.from, link.to);
  }
}

LapseRecorder::Passings LapseRecorder::passings() const {
  const std::vector<LinkFlit> &flits = network.watchedFlits();
  const std::vector<Packet> &packets = network.packets();
  Passings made{{}, std::vector<size_t>(packets.size() + 1)};
  for (const LinkFlit &flit : flits)
    made.begins[flit.packet + 1] += flit.head;
  std::partial_sum(made.begins.begin(), made.begins.end(), made.begins.begin());
  made.all.resize(made.begins.back());
  std::vector<size_t> next = made.begins;
  for (const LinkFlit &flit : flits)
    if (flit.head)
      made.all[next[flit.packet]++] = {flit.link, flit.cycle, flit.cycle};
  auto of = [&](PacketId id) {
    return llvm::MutableArrayRef(made.all).slice(made.begins[id],
                                                 made.begins[id + 1] - made.begins[id]);
  };
  for (const LinkFlit &flit : flits)
    if (flit.tail && !flit.head)
      llvm::find_if(of(flit.packet), [&](const Passing &passing) {
        return passing.link == flit.link;
      })->tailCycle = flit.cycle;
  for (PacketId id = 0; id < packets.size(); ++id)
    llvm::sort(of(id), [&](const Passing &a, const Passing &b) {
      // On a bus a head passes all segments at once.
      auto hops = [&](const Passing &passing) {
        return chip.mesh.hops(packets[id].source, lapse.links[passing.link].to);
      };
      return a.headCycle != b.headCycle ? a.headCycle < b.headCycle : hops(a) < hops(b);
    });
  return made;
}

std::vector<WayEnd> LapseRecorder::endsOf(const Carried &carried) const {
  const Packet &packet = network.packets()[carried.id];
  if (packet.tree == Packet::kNoTree)
    return {{packet.target, packet.headCycle, packet.tailCycle}};
  std::vector<WayEnd> ends;
  for (uint32_t i = 0; i < carried.targets.size(); ++i) {
    const Arrival &arrival = network.arrivalAt(carried.id, i);
    ends.push_back({carried.targets[i], arrival.headCycle, arrival.tailCycle});
  }
  return ends;
}

/// A head is at a router until the last of the links behind it, and the tile, has it.
void LapseRecorder::addPacket(const Packet &packet, llvm::ArrayRef<Passing> hops,
                              llvm::ArrayRef<WayEnd> ends) {
  if (packet.madeCycle >= madeBefore)
    return;
  auto leave = [&](TileId router, uint64_t cycle) {
    leaveCycle[router] = std::max(leaveCycle[router], cycle);
  };
  for (const Passing &hop : hops)
    leave(lapse.links[hop.link].from, hop.headCycle);
  for (const WayEnd &end : ends)
    leave(end.tile, end.headCycle);
  auto stay = [&](TileId router, uint64_t cycle) {
    addTime(&LapseFrame::routerCycles, router, cycle, leaveCycle[router]);
    leaveCycle[router] = 0;
  };
  addTime(&LapseFrame::sourceCycles, packet.source, packet.madeCycle, packet.injectedCycle);
  stay(packet.source, packet.injectedCycle);
  for (const Passing &hop : hops)
    stay(lapse.links[hop.link].to, hop.headCycle);
}

PacketWay LapseRecorder::wayOf(const Packet &packet, llvm::ArrayRef<Passing> hops,
                               std::vector<WayEnd> ends) {
  PacketWay way{packet.source, packet.madeCycle, packet.injectedCycle, {}, std::move(ends)};
  for (const Passing &hop : hops)
    way.hops.push_back({hop.link, hop.headCycle, hop.tailCycle});
  return way;
}

void LapseRecorder::take(llvm::ArrayRef<Carried> packets) {
  if (!isOpen() && !isFree())
    return;
  countFlits();
  const Passings passed = passings();
  auto hopsOf = [&](PacketId id) { return passed.of(id); };
  std::map<std::pair<uint64_t, NeuronId>, std::vector<const Carried *>> spikes;
  std::vector<const std::vector<const Carried *> *> inTime;
  for (const Carried &carried : packets) {
    addPacket(network.packets()[carried.id], hopsOf(carried.id), endsOf(carried));
    if (!carried.step)
      continue;
    std::vector<const Carried *> &spike = spikes[{carried.slot, carried.neuron}];
    if (spike.empty())
      inTime.push_back(&spike);
    spike.push_back(&carried);
  }
  for (const std::vector<const Carried *> *spike : inTime) {
    uint64_t last = 0;
    for (const Carried *carried : *spike)
      last = std::max(last, network.packets()[carried->id].tailCycle);
    choice.add(last - network.packets()[spike->front()->id].madeCycle, [&] {
      const Population &layer = populations[schedule.population(spike->front()->neuron)];
      SpikeWay way{layer.name, spike->front()->neuron - layer.first, *spike->front()->step, {}};
      for (const Carried *carried : *spike)
        way.packets.push_back(
            wayOf(network.packets()[carried->id], hopsOf(carried->id), endsOf(*carried)));
      return way;
    });
  }
}

void LapseRecorder::stand(uint64_t cycle, const std::vector<EventCounts> &neurons) {
  Standing &standing = standings[nextSlot / lapse.slotsPerFrame];
  standing.neurons = neurons;
  if (isFree() || !chip.router.gating)
    return;
  for (TileId router = 0; router < chip.mesh.routers(); ++router)
    standing.routers.push_back(network.gatingUse(router, cycle));
}

void LapseRecorder::endSlot(uint64_t beginCycle, uint64_t endCycle, bool hasBarrier,
                            llvm::function_ref<std::vector<EventCounts>()> neurons) {
  if (!isOpen())
    return;
  LapseFrame &frame = lapse.frames[nextSlot / lapse.slotsPerFrame];
  bool isFirst = nextSlot % lapse.slotsPerFrame == 0;
  bool isLast = (nextSlot + 1) % lapse.slotsPerFrame == 0 || nextSlot + 1 == lapse.slots;
  if (isFirst)
    frame.beginCycle = beginCycle;
  frame.endCycle = endCycle;
  barriers[nextSlot / lapse.slotsPerFrame] += hasBarrier;
  if (isLast)
    stand(endCycle, neurons());
  ++nextSlot;
  if (!isOpen() && !isFree())
    network.watch({}, 0);
}

/// What was counted in each frame, from what had been at its end.
void LapseRecorder::addStandings() {
  for (size_t f = 0; f < lapse.frames.size(); ++f)
    for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile)
      counts[f][tile] += difference(standings[f].neurons[tile],
                                    f == 0 ? EventCounts() : standings[f - 1].neurons[tile]);
}

/// Routers that carry no packet in the whole simulation of so many cycles are off for good. On a
/// free-running chip, whose network runs at the end, those that sleep do it as much in every frame.
void LapseRecorder::addRouters(size_t frame, uint64_t cycles) {
  const uint64_t length = lapse.frames[frame].endCycle - lapse.frames[frame].beginCycle;
  for (TileId router = 0; router < chip.mesh.routers(); ++router) {
    uint64_t flits = 0;
    for (uint32_t port = 0; port < kPorts; ++port)
      flits += network.linkFlits(router, port);
    if (flits == 0)
      continue;
    EventCounts &tile = counts[frame][chip.mesh.tileBelow(router)];
    GatingUse use{.onCycles = length};
    if (chip.router.gating && isFree()) {
      GatingUse all = network.gatingUse(router, cycles);
      auto share = [&](uint64_t count) {
        auto upTo = [&](uint64_t cycle) {
          return static_cast<uint64_t>(
              std::llround(double(count) * (double(cycle) / double(cycles))));
        };
        return upTo(lapse.frames[frame].endCycle) - upTo(lapse.frames[frame].beginCycle);
      };
      use = {share(all.onCycles), share(all.wakes), 0, share(all.partOnCycles),
             share(all.partWakes)};
    } else if (chip.router.gating) {
      use = standings[frame].routers[router];
      if (frame > 0) {
        use.onCycles -= standings[frame - 1].routers[router].onCycles;
        use.wakes -= standings[frame - 1].routers[router].wakes;
        use.partOnCycles -= standings[frame - 1].routers[router].partOnCycles;
        use.partWakes -= standings[frame - 1].routers[router].partWakes;
      }
    }
    tile.routerOnCycles += use.onCycles;
    tile.routerGatedCycles += length - use.onCycles;
    tile.routerWakes += use.wakes;
    tile.partOnCycles += use.partOnCycles;
    tile.partGatedCycles += gatedParts(chip.router) * length - use.partOnCycles;
    tile.partWakes += use.partWakes;
  }
}

void LapseRecorder::price() {
  for (size_t f = 0; f < lapse.frames.size(); ++f) {
    LapseFrame &frame = lapse.frames[f];
    for (const EventCounts &events : counts[f])
      frame.pj.push_back(pjOf(priceEvents(events, chip), ""));
    if (!chip.thermal || frame.beginCycle == frame.endCycle)
      continue;
    double seconds = double(frame.endCycle - frame.beginCycle) * 1e-6 / chip.clockMhz.value;
    std::vector<double> watts;
    for (double pj : frame.pj)
      watts.push_back(pj * 1e-12 / seconds);
    frame.celsius = tileTemperatures(chip.mesh, *chip.thermal, watts);
  }
}

TimeLapse LapseRecorder::finish(uint64_t cycles) {
  if (isWhole && !lapse.frames.empty())
    lapse.frames.back().endCycle = cycles;
  addStandings();
  for (size_t f = 0; f < lapse.frames.size(); ++f) {
    addRouters(f, cycles);
    for (TileId tile : usedTiles) {
      counts[f][tile].tileSteps += barriers[f];
      counts[f][tile].tileCycles += lapse.frames[f].endCycle - lapse.frames[f].beginCycle;
    }
  }
  price();
  lapse.spikes = choice.spikes();
  lapse.ways = choice.take();
  keepUsedLinks();
  return std::move(lapse);
}

void LapseRecorder::keepUsedLinks() {
  std::vector<bool> isUsed(lapse.links.size());
  for (const LapseFrame &frame : lapse.frames)
    for (size_t link = 0; link < isUsed.size(); ++link)
      isUsed[link] = isUsed[link] || frame.linkFlits[link] > 0;
  for (const SpikeWay &spike : lapse.ways) // of a free-running chip, beyond the last frame
    for (const PacketWay &way : spike.packets)
      for (const WayHop &hop : way.hops)
        isUsed[hop.link] = true;
  auto keepIn = [&](auto &list) {
    size_t place = 0;
    std::erase_if(list, [&](const auto &) { return !isUsed[place++]; });
  };
  keepIn(lapse.links);
  for (LapseFrame &frame : lapse.frames)
    keepIn(frame.linkFlits);
  std::vector<uint32_t> placeOf;
  for (uint32_t place = 0; bool used : isUsed)
    placeOf.push_back(used ? place++ : place);
  for (SpikeWay &spike : lapse.ways)
    for (PacketWay &way : spike.packets)
      for (WayHop &hop : way.hops)
        hop.link = placeOf[hop.link];
}

} // namespace spindle
