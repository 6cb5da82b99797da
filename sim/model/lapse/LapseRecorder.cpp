#include "sim/model/lapse/LapseRecorder.h"

#include "core/chip/routing/Ports.h"
#include "sim/model/energy/RouterCycles.h"
#include "sim/model/energy/TemperatureGrid.h"
#include "sim/model/lapse/LinkPassings.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

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
  lapse.steps = schedule.stepsOfSample();
  lapse.slots = schedule.slotsOfFirst();
  uint64_t most =
      std::clamp<uint64_t>(kMostTileFigures / chip.mesh.tiles(), uint64_t(1), kMostFrames);
  lapse.slotsPerFrame = std::max<uint64_t>(1, (lapse.slots + most - 1) / most);
  lapse.frames.resize((lapse.slots + lapse.slotsPerFrame - 1) / lapse.slotsPerFrame);
  for (TileId router = 0; router < chip.mesh.routers(); ++router)
    for (uint32_t port = 0; port < kPorts; ++port)
      if (TileId next = neighbourOf(chip.mesh, router, port);
          !leadsToTile(chip.mesh, router, port) && next != router)
        lapse.links.push_back({router, next});
  auto ends = [](const LapseLink &link) { return std::pair(link.from, link.to); };
  std::ranges::sort(lapse.links, {}, ends);
  lapse.links.erase(std::unique(lapse.links.begin(), lapse.links.end()), lapse.links.end());
  std::vector<WatchedLink> links;
  for (const LapseLink &link : lapse.links)
    links.push_back({link.from, link.to});
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
void LapseRecorder::addPacket(const Packet &packet, llvm::ArrayRef<WayHop> hops,
                              llvm::ArrayRef<WayEnd> ends) {
  auto leave = [&](TileId router, uint64_t cycle) {
    leaveCycle[router] = std::max(leaveCycle[router], cycle);
  };
  for (const WayHop &hop : hops)
    leave(lapse.links[hop.link].from, hop.headCycle);
  for (const WayEnd &end : ends)
    leave(end.tile, end.headCycle);
  auto stay = [&](TileId router, uint64_t cycle) {
    addTime(&LapseFrame::routerCycles, router, cycle, leaveCycle[router]);
    leaveCycle[router] = 0;
  };
  addTime(&LapseFrame::sourceCycles, packet.source, packet.madeCycle, packet.injectedCycle);
  stay(packet.source, packet.injectedCycle);
  for (const WayHop &hop : hops)
    stay(lapse.links[hop.link].to, hop.headCycle);
}

PacketWay LapseRecorder::wayOf(const Packet &packet, llvm::ArrayRef<WayHop> hops,
                               std::vector<WayEnd> ends) {
  PacketWay way{packet.source, packet.madeCycle, packet.injectedCycle, hops.vec(), std::move(ends)};
  return way;
}

void LapseRecorder::take(llvm::ArrayRef<Carried> packets) {
  countFlits();
  const LinkPassings passed(network, packets.size(), lapse.links, chip.mesh);
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
  const LapseFrame &times = lapse.frames[frame];
  for (TileId router = 0; router < chip.mesh.routers(); ++router) {
    if (!carriesPackets(network, router))
      continue;
    GatingUse use;
    if (isFree() && chip.router.gating) {
      auto share = [&](uint64_t count) {
        auto upTo = [&](uint64_t cycle) {
          return static_cast<uint64_t>(
              std::llround(double(count) * (double(cycle) / double(cycles))));
        };
        return upTo(times.endCycle) - upTo(times.beginCycle);
      };
      GatingUse all = network.gatingUse(router, cycles);
      use = {share(all.onCycles), share(all.wakes), 0, share(all.partOnCycles),
             share(all.partWakes)};
    } else if (chip.router.gating) {
      use = standings[frame].routers[router];
      if (frame > 0)
        use -= standings[frame - 1].routers[router];
    }
    addRouterCycles(counts[frame][chip.mesh.tileBelow(router)], use,
                    times.endCycle - times.beginCycle, chip.router);
  }
}

void LapseRecorder::price() {
  for (size_t f = 0; f < lapse.frames.size(); ++f) {
    LapseFrame &frame = lapse.frames[f];
    for (const EventCounts &events : counts[f])
      frame.pj.push_back(pjOf(priceEvents(events, chip), ""));
    if (!chip.thermal || frame.beginCycle == frame.endCycle)
      continue; // warmed below
    double seconds = double(frame.endCycle - frame.beginCycle) * 1e-6 / chip.clockMhz.value;
    std::vector<double> watts;
    for (double pj : frame.pj)
      watts.push_back(pj * 1e-12 / seconds);
    frame.celsius = tileTemperatures(chip.mesh, *chip.thermal, watts);
  }
  if (chip.thermal)
    warmEmptyFrames();
}

/// In no time nothing gets warmer than it was, or at the start than it will be.
void LapseRecorder::warmEmptyFrames() {
  std::vector<double> last;
  for (const LapseFrame &frame : llvm::reverse(lapse.frames))
    if (!frame.celsius.empty())
      last = frame.celsius;
  if (last.empty())
    last = tileTemperatures(chip.mesh, *chip.thermal, std::vector<double>(chip.mesh.tiles()));
  for (LapseFrame &frame : lapse.frames)
    if (frame.celsius.empty())
      frame.celsius = last;
    else
      last = frame.celsius;
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
