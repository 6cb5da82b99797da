#include "lib/sdf/placed/PacketMesh.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace spindle {

PacketMesh::PacketMesh(const Chip &chip)
    : mesh(chip.mesh), timing(chip.router), route(chip.mesh, chip.router),
      channels(chip.router.virtualChannels), capacity(chip.router.bufferFlits),
      interval(std::max(timing.stages.switchAllocation, timing.stages.switchTraversal)),
      outputs(mesh.routers() * kPorts), before(outputs),
      buffers((outputs + mesh.tiles()) * channels), entries(buffers.size() * capacity),
      places(entries.size()), asks(outputs), linkFree(outputs), inputFree(outputs), turns(outputs),
      flits(outputs), sources(mesh.tiles()), nextEvent(outputs + mesh.tiles(), kUnknown),
      wheel(std::bit_ceil(2 * timing.horizon() + 2)) {
  for (TileId tile = 0; tile < mesh.routers(); ++tile)
    for (uint32_t port = 0; port < kPorts; ++port) {
      bool isTile = spindle::leadsToTile(mesh, tile, port);
      uint32_t input = isTile
                           ? outputs + tile
                           : neighbourOf(mesh, tile, port) * kPorts + inputBehind(mesh, tile, port);
      behind.push_back(input);
      if (isTile)
        before[tile * kPorts + kLocal] = outputs + tile; // the source
      else if (neighbourOf(mesh, tile, port) != tile)
        before[input] = tile * kPorts + port;
      if (mesh.isJoined())
        crosses.push_back(mesh.chipOf(tile) != mesh.chipOf(neighbourOf(mesh, tile, port)));
    }
}

uint32_t PacketMesh::addTree(const MulticastTree &tree) {
  auto first = static_cast<uint32_t>(nodes.size());
  roots.push_back(first);
  for (TreeNode node : tree.nodes) {
    for (uint32_t &next : node.next)
      next += first;
    nodes.push_back(node);
  }
  return static_cast<uint32_t>(roots.size() - 1);
}

bool PacketMesh::run(llvm::ArrayRef<MeshPacket> all,
                     llvm::function_ref<void(uint32_t, uint32_t, uint64_t)> received) {
  packets = all;
  deliver = received;
  left = 0;
  std::fill(flits.begin(), flits.end(), 0);
  std::vector<uint64_t> sent(mesh.tiles());
  for (uint32_t id = 0; id < all.size(); ++id) {
    assert(id == 0 || all[id - 1].madeCycle <= all[id].madeCycle);
    sources[all[id].source].queue.push_back(id);
    sent[all[id].source] += all[id].flits;
    uint32_t node = all[id].isTree ? roots[all[id].target] : 0;
    if (!all[id].isTree)
      ++left;
    else
      for (uint32_t last = all[id].target + 1 < roots.size() ? roots[all[id].target + 1]
                                                             : static_cast<uint32_t>(nodes.size());
           node < last; ++node)
        left += nodes[node].tile < mesh.tiles() && nodes[node].outputs >> kLocal & 1;
  }
  start = now;
  for (size_t released = 0; pending > 0 || released < all.size(); ++now) {
    if (pending == 0)
      now = std::max(now, start + all[released].madeCycle);
    for (; released < all.size() && start + all[released].madeCycle <= now; ++released)
      wake(outputs + all[released].source, now);
    std::vector<uint32_t> &events = wheel[now & (wheel.size() - 1)];
    for (size_t i = 0; i < events.size(); ++i) { // a source's packet may be in its router at once
      --pending;
      if (nextEvent[events[i]] == now)
        visit(events[i]);
    }
    events.clear();
  }
  now += 2 * timing.horizon(); // every place is free again
  for (Source &source : sources) {
    source.queue.clear();
    source.served = 0;
  }
  busiest = {};
  for (uint32_t output = 0; output < outputs; ++output) {
    if (leadsToTile(output))
      busiest.received = std::max(busiest.received, flits[output]);
    else
      busiest.linkCycles =
          std::max(busiest.linkCycles, double(flits[output]) * linkAt(output).busy);
  }
  busiest.sent = sent.empty() ? 0 : *std::max_element(sent.begin(), sent.end());
  return left == 0;
}

/// Looks at an output, or a source, again; what lies too far ahead is looked at on the way.
void PacketMesh::wake(uint32_t event, uint64_t when) {
  when = std::min(std::max(when, now), now + wheel.size() - 1);
  if (when >= nextEvent[event])
    return;
  nextEvent[event] = when;
  wheel[when & (wheel.size() - 1)].push_back(event);
  ++pending;
}

void PacketMesh::visit(uint32_t event) {
  nextEvent[event] = kUnknown;
  if (event < outputs)
    pass(event);
  else
    inject(event - outputs);
}

/// When a buffer has places for a packet that comes in flit by flit; kUnknown while one is taken.
uint64_t PacketMesh::placesCycle(uint32_t buffer, uint32_t flitCount) const {
  uint64_t cycle = 0;
  uint32_t place = buffers[buffer].back, between = intervalAt(buffer / channels);
  for (uint32_t k = 0; k < std::min(flitCount, capacity); ++k) {
    uint64_t free = places[buffer * capacity + place];
    if (free == kUnknown)
      return kUnknown;
    cycle = std::max(cycle, free - std::min<uint64_t>(free, uint64_t(k) * between));
    place = place + 1 == capacity ? 0 : place + 1;
  }
  return cycle;
}

/// Takes the places for the flits of a packet, the first of which leaves now from where it waits in
/// `from` (a source has all). Returns when the last one leaves.
uint64_t PacketMesh::fill(uint32_t buffer, uint32_t flitCount, uint64_t first, const Entry *from,
                          uint32_t loopCycles) {
  Buffer &to = buffers[buffer];
  uint64_t cycle = first;
  uint64_t behindHead = from ? from->tailCycle - from->headCycle : 0;
  uint32_t between = intervalAt(buffer / channels);
  for (uint32_t k = 0; k < flitCount; ++k) {
    uint64_t &place = places[buffer * capacity + to.back];
    if (k > 0) {
      cycle += between;
      if (from)
        cycle = std::max(cycle, from->headCycle + behindHead * k / (flitCount - 1));
      // A packet longer than the buffer takes the places that it has left itself.
      if (k >= capacity && place == kUnknown)
        cycle = std::max(cycle, first + uint64_t(k / capacity) * loopCycles +
                                    uint64_t(k % capacity) * between);
      else
        cycle = std::max(cycle, place);
    }
    place = kUnknown;
    to.back = to.back + 1 == capacity ? 0 : to.back + 1;
  }
  return cycle;
}

void PacketMesh::inject(TileId tile) {
  Source &source = sources[tile];
  if (source.served == source.queue.size())
    return;
  uint32_t id = source.queue[source.served];
  const MeshPacket &packet = packets[id];
  uint64_t earliest = std::max(source.freeCycle, start + packet.madeCycle);
  uint64_t best = kUnknown;
  uint32_t input = tile * kPorts + kLocal, chosen = 0;
  for (uint32_t k = 1; k <= channels; ++k) {
    uint32_t channel = (source.channel + k) % channels;
    uint64_t free = placesCycle(input * channels + channel, packet.flits);
    if (free == kUnknown || std::max(earliest, free) >= best)
      continue;
    best = std::max(earliest, free);
    chosen = channel;
  }
  if (best == kUnknown)
    return; // woken when a packet leaves
  if (best > now)
    return wake(outputs + tile, best);
  source.channel = chosen;
  ++source.served;
  uint32_t buffer = input * channels + chosen;
  uint64_t last = fill(buffer, packet.flits, now, nullptr, timing.inject + timing.recredit);
  source.freeCycle = last + timing.interval;
  enter(buffer,
        {id, packet.isTree ? roots[packet.target] : 0, now + timing.inject, last + timing.inject});
  wake(outputs + tile, source.freeCycle);
}

/// When the packet at the front of a buffer may pass an output.
PacketMesh::Start PacketMesh::startOf(uint32_t buffer, uint32_t output) const {
  const Buffer &from = buffers[buffer];
  const Entry &entry = entries[buffer * capacity + from.front];
  uint64_t earliest = std::max(from.readyCycle, linkFree[output]);
  if (channels > 1 && !isTree(entry))
    earliest = std::max(earliest, inputFree[buffer / channels]);
  // In a buffer of fewer than two such packets heads go far ahead of their tails: nobody waits for
  // all places with the channel in hand.
  const uint32_t flitCount = packets[entry.packet].flits;
  const bool keeps = 2 * flitCount <= capacity;
  Start best;
  auto consider = [&](uint32_t first, uint32_t last) {
    for (uint32_t channel = first; channel <= last; ++channel) {
      uint32_t to = bufferBehind(output, channel);
      if (buffers[to].holder != kNobody && buffers[to].holder != buffer)
        continue;
      uint64_t all = placesCycle(to, flitCount), head = keeps ? placesCycle(to, 1) : all;
      if (head == kUnknown)
        continue;
      uint64_t begins = std::max(earliest, buffers[to].ownedCycle);
      head = std::max(head, begins);
      if (buffers[to].holder == buffer || head < best.headCycle)
        best = {std::max(all, begins), head, channel};
      if (buffers[to].holder == buffer)
        return;
    }
  };
  if (isTree(entry))
    consider(0, channels - 1);
  else
    for (const RouteOption &option : from.options)
      if (option.port == output % kPorts)
        consider(option.first, option.last);
  return best;
}

/// Of the packets that ask for an output and may pass now, the one whose turn it is.
void PacketMesh::pass(uint32_t output) {
  if (linkFree[output] > now)
    return asks[output] != 0 ? wake(output, linkFree[output]) : void();
  const uint32_t inputs = kPorts * channels, first = output / kPorts * inputs;
  uint64_t earliest = kUnknown;
  uint32_t chosen = inputs, nearest = inputs;
  Start best;
  for (uint64_t bits = asks[output]; bits != 0; bits &= bits - 1) {
    auto bit = static_cast<uint32_t>(std::countr_zero(bits));
    Start at = startOf(first + bit, output);
    bool isHeld = buffers[bufferBehind(output, at.channel)].holder == first + bit;
    if (uint64_t next = isHeld ? at.cycle : at.headCycle; next > now) {
      earliest = std::min(earliest, next);
      continue;
    }
    uint32_t distance = bit >= turns[output] ? bit - turns[output] : bit + inputs - turns[output];
    if (distance < nearest) {
      nearest = distance;
      chosen = bit;
      best = at;
    }
  }
  if (chosen < inputs) {
    uint32_t &holder = buffers[bufferBehind(output, best.channel)].holder;
    if (holder == kNobody)
      turns[output] = static_cast<uint8_t>(chosen + 1 == inputs ? 0 : chosen + 1);
    if (best.cycle <= now) {
      holder = kNobody;
      send(first + chosen, output, best.channel);
      earliest = linkFree[output];
    } else {
      holder = first + chosen;
      commit(holder, output);
      earliest = now + 1;
    }
  }
  if (asks[output] != 0 && earliest != kUnknown)
    wake(output, earliest);
}

void PacketMesh::send(uint32_t buffer, uint32_t output, uint32_t channel) {
  Buffer &from = buffers[buffer];
  Entry entry = frontOf(buffer);
  const MeshPacket &packet = packets[entry.packet];
  bool isTreePacket = packet.isTree, isEnd = leadsToTile(output);
  uint32_t to = bufferBehind(output, channel);
  const RouterTiming::Link &link = linkAt(output);
  uint32_t way = isEnd ? timing.eject : link.forward, between = intervalAt(output);
  uint32_t loop = isEnd ? timing.eject + timing.tileCredit : link.forward + link.credit;
  uint32_t firstPlace = buffers[to].back;
  uint64_t last = fill(to, packet.flits, now, &entry, loop);
  linkFree[output] = channels == 1 ? last + between : now + uint64_t(packet.flits) * between;
  if (channels > 1)
    inputFree[buffer / channels] = now + packet.flits;
  buffers[to].ownedCycle = last + timing.stages.switchAllocation +
                           (timing.stages.speculative ? 0 : timing.stages.channelAllocation);
  flits[output] += packet.flits;
  uint32_t node = entry.node;
  if (isEnd) {
    // The tile takes a flit as it comes.
    uint64_t spread = last - now;
    uint32_t place = firstPlace;
    for (uint32_t k = 0; k < packet.flits; ++k) {
      places[to * capacity + place] =
          now + (packet.flits > 1 ? spread * k / (packet.flits - 1) : 0) + way + timing.tileCredit;
      place = place + 1 == capacity ? 0 : place + 1;
    }
    --left;
    deliver(entry.packet, isTreePacket ? nodes[node].target : 0, last + way - start);
  } else {
    enter(to, {entry.packet, isTreePacket ? nodes[node].next[output % kPorts] : 0, now + way,
               last + way});
  }
  commit(buffer, output);
  from.headLeft = std::max(from.headLeft, now);
  from.tailLeft = std::max(from.tailLeft, last);
  asks[output] &= ~bitOf(buffer);
  from.branches &= static_cast<uint8_t>(~(1u << output % kPorts));
  if (from.branches == 0)
    leave(buffer);
}

/// A packet with one target takes this output and no other.
void PacketMesh::commit(uint32_t buffer, uint32_t output) {
  Buffer &from = buffers[buffer];
  if (isTree(frontOf(buffer)))
    return;
  for (const RouteOption &option : from.options)
    if (uint32_t other = output / kPorts * kPorts + option.port; other != output)
      asks[other] &= ~bitOf(buffer);
  from.branches = static_cast<uint8_t>(1u << output % kPorts);
}

/// A packet is on its way to a buffer.
void PacketMesh::enter(uint32_t buffer, Entry entry) {
  Buffer &to = buffers[buffer];
  uint32_t index = to.front + to.waiting;
  entries[buffer * capacity + (index >= capacity ? index - capacity : index)] = entry;
  if (++to.waiting == 1)
    begin(buffer);
}

/// The packet at the front asks for its outputs from the cycle on in which it is there.
void PacketMesh::begin(uint32_t buffer) {
  Buffer &at = buffers[buffer];
  const Entry &entry = frontOf(buffer);
  uint32_t input = buffer / channels;
  TileId tile = input / kPorts;
  at.readyCycle = std::max(entry.headCycle, at.freeCycle) + timing.allocation();
  at.branches = 0;
  if (isTree(entry)) {
    at.branches = nodes[entry.node].outputs;
  } else {
    at.options = route(tile, packets[entry.packet].target, input % kPorts, buffer % channels);
    for (const RouteOption &option : at.options)
      at.branches |= static_cast<uint8_t>(1u << option.port);
  }
  for (uint32_t wanted = at.branches; wanted != 0; wanted &= wanted - 1) {
    uint32_t output = tile * kPorts + static_cast<uint32_t>(std::countr_zero(wanted));
    asks[output] |= bitOf(buffer);
    wake(output, std::max(at.readyCycle, linkFree[output]));
  }
}

/// The packet at the front has left: its places are free a loop of credits later.
void PacketMesh::leave(uint32_t buffer) {
  Buffer &at = buffers[buffer];
  uint32_t input = buffer / channels, count = packets[frontOf(buffer).packet].flits;
  uint32_t credit = leadsToTile(input) ? timing.recredit : linkAt(input).credit;
  uint64_t spread = at.tailLeft - at.headLeft;
  for (uint32_t k = 0; k < count; ++k) {
    places[buffer * capacity + at.frontPlace] =
        at.headLeft + (count > 1 ? spread * k / (count - 1) : 0) + credit;
    at.frontPlace = at.frontPlace + 1 == capacity ? 0 : at.frontPlace + 1;
  }
  at.front = at.front + 1 == capacity ? 0 : at.front + 1;
  wake(before[input], std::max(now + 1, at.headLeft + credit));
  at.freeCycle = at.tailLeft + timing.stages.switchAllocation;
  at.tailLeft = at.headLeft = 0;
  if (--at.waiting > 0)
    begin(buffer);
}

} // namespace spindle
