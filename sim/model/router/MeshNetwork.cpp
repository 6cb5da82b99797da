// Sources, buffers and links; what a router does in a cycle is in RouterStages.cpp.
#include "sim/model/router/MeshNetwork.h"

#include <algorithm>
#include <cassert>

namespace spindle {

MeshNetwork::MeshNetwork(const Mesh &chipMesh, const Router &router)
    : mesh(chipMesh), timing(router), route(chipMesh, router), allocation(router.allocator),
      channels(router.virtualChannels), capacity(router.bufferFlits), routers(mesh.routers()),
      areLinksSlow(std::max(timing.link.interval, timing.chipLink.interval) > 1),
      agenda(routers, timing.horizon()), busy(routers),
      buffers((routers * kPorts + mesh.tiles()) * channels), routes(routers * kPorts * channels),
      places(buffers.size() * capacity), freedCycle(routers * kPorts * channels),
      choices(routers * kPorts * channels), admissions(choices.size()), switches(routers),
      batches(routers), sources(mesh.tiles()), askers(kPorts * channels) {
  for (uint32_t bit = 0; bit < kPorts * channels; ++bit)
    portOfBit.push_back(static_cast<uint8_t>(bit / channels));
  for (TileId tile = 0; tile < routers; ++tile)
    for (uint32_t port = 0; port < kPorts; ++port)
      ports.push_back(portOf(tile, port));
  for (Source &source : sources)
    source.channel = channels - 1;
  if (router.gating)
    power.emplace(router, routers);
}

MeshNetwork::Port MeshNetwork::portOf(TileId tile, uint32_t port) const {
  Port made{};
  made.neighbour = neighbourOf(mesh, tile, port);
  made.isTile = port == kLocal && tile < mesh.tiles();
  bool crosses = mesh.isJoined() && mesh.chipOf(tile) != mesh.chipOf(made.neighbour);
  const RouterTiming::Link &link = crosses ? timing.chipLink : timing.link;
  made.firstBehind = made.isTile ? (routers * kPorts + tile) * channels
                                 : at(made.neighbour, inputBehind(mesh, tile, port), 0);
  made.forwardCycles = made.isTile ? timing.eject : link.forward;
  made.creditCycles = made.isTile ? timing.recredit : link.credit;
  made.intervalCycles = link.interval;
  made.freeAhead = static_cast<uint16_t>((1u << channels) - 1);
  return made;
}

PacketId MeshNetwork::queue(Packet packet) {
  assert(packet.source < mesh.tiles() && packet.target < mesh.tiles() && packet.flits > 0);
  assert(packet.madeCycle >= (packetTable.empty() ? cycle : packetTable.back().madeCycle));
  assert(packetTable.size() < (1u << 29));
  packetTable.push_back(packet);
  return static_cast<PacketId>(packetTable.size() - 1);
}

PacketId MeshNetwork::send(TileId source, TileId target, uint32_t flits, uint64_t madeCycle) {
  return queue({source, target, flits, madeCycle});
}

uint32_t MeshNetwork::addTree(const MulticastTree &tree) {
  assert(!tree.targets.empty());
  auto firstNode = static_cast<uint32_t>(treeNodes.size());
  trees.push_back({firstNode, static_cast<uint32_t>(tree.targets.size())});
  for (TreeNode node : tree.nodes) {
    for (uint32_t &next : node.next)
      next += firstNode;
    treeNodes.push_back(node);
  }
  branches.resize(routers * kPorts * channels * kPorts);
  return static_cast<uint32_t>(trees.size() - 1);
}

PacketId MeshNetwork::sendTree(uint32_t tree, uint32_t flits, uint64_t madeCycle) {
  assert(flits <= capacity);
  const TreeNode &root = treeNodes[trees[tree].firstNode];
  Packet packet{root.tile, root.tile, flits, madeCycle};
  packet.tree = tree;
  packet.missing = trees[tree].targets;
  packet.firstArrival = static_cast<uint32_t>(arrivals.size());
  arrivals.resize(arrivals.size() + packet.missing);
  return queue(packet);
}

void MeshNetwork::watch(const std::vector<WatchedLink> &links, uint64_t madeBefore) {
  watchedBefore = madeBefore;
  isWatched = !links.empty();
  for (Port &port : ports)
    port.watchedAs = kUnwatched;
  for (uint32_t link = 0; link < links.size(); ++link)
    for (uint32_t port = 0; port < kPorts; ++port)
      if (neighbour(links[link].from, port) == links[link].to)
        portAt(links[link].from, port).watchedAs = link;
}

void MeshNetwork::drain() {
  movedCycle = cycle;
  while (deliveredPackets < packetTable.size() && runUntil(UINT64_MAX))
    ;
}

bool MeshNetwork::runUntil(uint64_t endCycle) {
  // Nothing moves for as long as the slowest event takes: nothing will.
  const uint64_t patience = 4 * timing.horizon();
  while (cycle < endCycle && deliveredPackets < packetTable.size())
    if (!step() || cycle > movedCycle + patience)
      return false;
  return true;
}

void MeshNetwork::forgetPackets() {
  assert(deliveredPackets == packetTable.size());
  packetTable.clear();
  arrivals.clear();
  seenFlits.clear();
  released = 0;
  deliveredPackets = 0;
  for (Source &source : sources) {
    source.queue.clear();
    source.served = 0;
  }
}

/// One cycle, idle ones skipped. False when nothing is left to happen.
bool MeshNetwork::step() {
  if (agenda.last() < cycle) {
    if (released == packetTable.size())
      return false;
    cycle = movedCycle = std::max(cycle, packetTable[released].madeCycle);
  }
  releaseMade();
  agenda.take(cycle, [this](TileId tile) { visit(tile); });
  ++cycle;
  return true;
}

void MeshNetwork::releaseMade() {
  for (; released < packetTable.size() && packetTable[released].madeCycle <= cycle; ++released) {
    TileId source = packetTable[released].source;
    sources[source].queue.push_back(released);
    busy[source] |= kSourceBit;
    agenda.add(source, cycle);
  }
}

/// The source sends a flit of the packet at the front of its queue.
void MeshNetwork::inject(TileId tile) {
  Source &source = sources[tile];
  if (source.readyCycle > cycle)
    return agenda.add(tile, source.readyCycle);
  bool isHead = source.sentFlits == 0;
  if (isHead ? !chooseSourceChannel(tile, source)
             : !hasPlace(at(tile, kLocal, source.channel), tile))
    return;
  PacketId id = source.queue[source.served];
  Packet &packet = packetTable[id];
  bool isTail = ++source.sentFlits == packet.flits;
  if (isHead)
    packet.injectedCycle = cycle;
  bool isMulticast = packet.tree != Packet::kNoTree;
  TileId next = isMulticast ? trees[packet.tree].firstNode : packet.target;
  push(tile, at(tile, kLocal, source.channel), {id, isMulticast, isHead, isTail, next},
       cycle + timing.inject);
  if (isTail) {
    source.sentFlits = 0;
    ++source.served;
  }
  source.readyCycle = cycle + timing.interval;
  if (source.served < source.queue.size())
    agenda.add(tile, source.readyCycle);
  else
    busy[tile] &= ~kSourceBit;
}

/// The channels take turns; one without a place is passed over.
bool MeshNetwork::chooseSourceChannel(TileId tile, Source &source) {
  uint32_t channel = source.channel;
  for (uint32_t left = channels; left > 0; --left) {
    channel = channel + 1 == channels ? 0 : channel + 1;
    if (!hasPlace(at(tile, kLocal, channel), tile))
      continue;
    source.channel = channel;
    return true;
  }
  return false;
}

void MeshNetwork::push(TileId receiver, uint32_t index, Flit flit, uint64_t arrival) {
  Channel &buffer = buffers[index];
  if (power) {
    uint64_t worked =
        power->come(receiver, placeOfRouter(receiver, index, buffer.back), cycle, arrival);
    bufferedFlitCycles += worked - arrival;
    arrival = worked;
  }
  place(index, buffer.back) = {flit, arrival};
  advance(buffer.back);
  ++buffer.count;
  busy[receiver] |= uint64_t(1) << (index - receiver * kPorts * channels);
  if (arrival > cycle)
    agenda.add(receiver, arrival);
  movedCycle = cycle;
}

void MeshNetwork::leaveBuffer(const Input &input) {
  Channel &buffer = buffers[input.buffer];
  Place &left = place(input.buffer, buffer.front);
  bufferedFlitCycles += cycle - left.cycle;
  headHops += left.flit.head;
  if (power)
    power->leave(input.tile, placeOfRouter(input.tile, input.buffer, buffer.front), cycle);
  const Port &port = portAt(input.tile, input.port);
  left.cycle = cycle + port.creditCycles;
  advance(buffer.front);
  if (--buffer.count == 0)
    busy[input.tile] &= ~(uint64_t(1) << input.bit);
  if (buffer.awaited)
    agenda.add(port.neighbour, left.cycle);
  buffer.awaited = false;
}

/// The tile takes a flit as it comes; its place is free again one credit later.
void MeshNetwork::receive(uint32_t index, Flit flit, uint64_t arrival) {
  Channel &end = buffers[index];
  place(index, end.back).cycle = arrival + timing.tileCredit;
  advance(end.back);
  movedCycle = cycle;
  if (!flit.head && !flit.tail)
    return;
  Packet &packet = packetTable[flit.packet];
  if (flit.head)
    packet.headCycle = arrival;
  if (flit.tail) {
    packet.tailCycle = arrival;
    deliveredPackets += --packet.missing == 0;
  }
  if (!flit.multicast) {
    if (flit.tail && receptions)
      receptions->push_back({flit.packet, 0, arrival});
    return;
  }
  Arrival &one = arrivals[packet.firstArrival + treeNodes[flit.target].target];
  if (flit.head)
    one.headCycle = arrival;
  if (!flit.tail)
    return;
  one.tailCycle = arrival;
  if (receptions)
    receptions->push_back({flit.packet, treeNodes[flit.target].target, arrival});
}

bool MeshNetwork::isFull(uint32_t buffer) const {
  const Channel &state = buffers[buffer];
  return state.count == capacity || place(buffer, state.back).cycle > cycle;
}

/// Whether `sender` may send to the buffer now; if not, it is visited again when it may.
bool MeshNetwork::hasPlace(uint32_t buffer, TileId sender) {
  Channel &state = buffers[buffer];
  if (state.count == capacity) {
    state.awaited = true;
    return false;
  }
  uint64_t freeCycle = place(buffer, state.back).cycle;
  if (freeCycle > cycle)
    agenda.add(sender, freeCycle);
  return freeCycle <= cycle;
}

} // namespace spindle
