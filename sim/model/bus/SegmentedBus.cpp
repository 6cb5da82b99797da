#include "sim/model/bus/SegmentedBus.h"

#include "core/chip/routing/Ports.h"

#include "fmt/format.h"

#include <algorithm>
#include <cassert>

namespace spindle {

SegmentedBus::SegmentedBus(const Mesh &chipMesh, const Router &router)
    : mesh(chipMesh), line(mesh.bus()), transfers(chipMesh, router), flitsUp(line.segments()),
      flitsDown(line.segments()), flitsReceived(mesh.tiles()) {}

PacketId SegmentedBus::queue(Packet packet, BusSpan span) {
  assert(packet.target < mesh.tiles() && packetTable.size() < (1u << 29));
  packetTable.push_back(packet);
  return transfers.add(packet.source, span, packet.flits, packet.madeCycle);
}

PacketId SegmentedBus::send(TileId source, TileId target, uint32_t flits, uint64_t madeCycle) {
  return queue({source, target, flits, madeCycle}, line.spanOf(source, llvm::ArrayRef(target)));
}

uint32_t SegmentedBus::addTree(const MulticastTree &tree) {
  assert(!tree.targets.empty());
  TileId source = tree.nodes[0].tile;
  trees.push_back({source, tree.targets, line.spanOf(source, tree.targets)});
  return static_cast<uint32_t>(trees.size() - 1);
}

PacketId SegmentedBus::sendTree(uint32_t tree, uint32_t flits, uint64_t madeCycle) {
  Packet packet{trees[tree].source, trees[tree].source, flits, madeCycle};
  packet.tree = tree;
  packet.missing = static_cast<uint32_t>(trees[tree].targets.size());
  packet.firstArrival = static_cast<uint32_t>(arrivals.size());
  arrivals.resize(arrivals.size() + packet.missing);
  return queue(packet, trees[tree].span);
}

bool SegmentedBus::runUntil(uint64_t endCycle) {
  return transfers.runUntil(endCycle, [this](PacketId id, uint32_t lane, uint64_t cycle) {
    deliver(id, cycle);
    record(id, lane, cycle);
  });
}

llvm::ArrayRef<TileId> SegmentedBus::targetsOf(const Packet &packet) const {
  if (packet.tree != Packet::kNoTree)
    return trees[packet.tree].targets;
  return packet.target;
}

BusSpan SegmentedBus::spanOf(const Packet &packet) const {
  return packet.tree != Packet::kNoTree ? trees[packet.tree].span
                                        : line.spanOf(packet.source, llvm::ArrayRef(packet.target));
}

/// Writes the cycles of a packet.
void SegmentedBus::deliver(PacketId id, uint64_t sentCycle) {
  Packet &packet = packetTable[id];
  const uint64_t tail = transfers.tailCycles(packet.flits);
  llvm::ArrayRef<TileId> targets = targetsOf(packet);
  for (uint32_t target = 0; target < targets.size(); ++target) {
    uint64_t head = sentCycle + transfers.headCycles(line.hops(packet.source, targets[target]));
    packet.headCycle = std::max(packet.headCycle, head);
    if (packet.tree != Packet::kNoTree)
      arrivals[packet.firstArrival + target] = {head, head + tail};
    if (receptions)
      receptions->push_back({id, target, head + tail});
    flitsReceived[targets[target]] += packet.flits;
  }
  packet.injectedCycle = sentCycle;
  packet.tailCycle = packet.headCycle + tail;
  packet.missing = 0;
  ++deliveredPackets;
}

void SegmentedBus::watch(const std::vector<WatchedLink> &links, uint64_t madeBefore) {
  watchedUp.assign(links.empty() ? 0 : line.segments(), kUnwatched);
  watchedDown = watchedUp;
  watchedBefore = madeBefore;
  for (uint32_t link = 0; link < links.size(); ++link) {
    bool isUp = line.placeOf(links[link].from) < line.placeOf(links[link].to);
    (isUp ? watchedUp : watchedDown)[line.segmentOf(links[link].from, links[link].to)] = link;
  }
}

/// Counts what passes segments, and keeps what passes those that are watched.
void SegmentedBus::record(PacketId id, uint32_t lane, uint64_t sentCycle) {
  const BusSpan span = spanOf(packetTable[id]);
  const uint32_t flits = packetTable[id].flits, place = line.placeOf(packetTable[id].source);
  const bool isWatched = !watchedUp.empty() && packetTable[id].madeCycle < watchedBefore;
  auto keep = [&](uint32_t link, uint32_t segmentsAway) {
    if (link == kUnwatched)
      return;
    uint64_t head = sentCycle + transfers.wireCycles(segmentsAway);
    for (uint32_t flit = 0; flit < flits; ++flit)
      seenFlits.push_back({head + uint64_t(flit) * transfers.intervalCycles(), link, id, lane,
                           flit == 0, flit + 1 == flits});
  };
  for (uint32_t segment = span.first; segment < place; ++segment) {
    flitsDown[segment] += flits;
    if (isWatched)
      keep(watchedDown[segment], place - segment);
  }
  for (uint32_t segment = place; segment < span.last; ++segment) {
    flitsUp[segment] += flits;
    if (isWatched)
      keep(watchedUp[segment], segment + 1 - place);
  }
}

std::string SegmentedBus::stuckText() const {
  return fmt::format("{} of {} packets delivered, the others are stuck", deliveredPackets,
                     packetTable.size());
}

void SegmentedBus::forgetPackets() {
  assert(deliveredPackets == packetTable.size());
  transfers.forget();
  packetTable.clear();
  arrivals.clear();
  seenFlits.clear();
  deliveredPackets = 0;
}

uint64_t SegmentedBus::linkFlits(TileId tile, uint32_t port) const {
  if (port == kLocal)
    return flitsReceived[tile];
  TileId next = neighbourOf(mesh, tile, port);
  if (next == tile)
    return 0;
  uint32_t from = line.placeOf(tile), to = line.placeOf(next);
  return from < to ? flitsUp[from] : flitsDown[to];
}

} // namespace spindle
