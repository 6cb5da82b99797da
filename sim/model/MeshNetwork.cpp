#include "sim/model/MeshNetwork.h"

#include <algorithm>
#include <cassert>

namespace spindle {

/// The port of the neighbour that a port looks at: east ↔ west, south ↔ north.
static uint32_t opposite(uint32_t port) { return port ^ 1; }

static TileId neighbourOf(const Mesh &mesh, TileId tile, uint32_t port) {
  uint32_t x = mesh.x(tile), y = mesh.y(tile);
  switch (port) {
  case MeshNetwork::kEast:
    return x + 1 < mesh.columns ? tile + 1 : tile;
  case MeshNetwork::kWest:
    return x > 0 ? tile - 1 : tile;
  case MeshNetwork::kSouth:
    return y + 1 < mesh.rows ? tile + mesh.columns : tile;
  case MeshNetwork::kNorth:
    return y > 0 ? tile - mesh.columns : tile;
  default:
    return tile;
  }
}

MeshNetwork::MeshNetwork(const Mesh &chipMesh, const Router &router)
    : mesh(chipMesh), timing(router), capacity(router.bufferFlits),
      agenda(mesh.tiles(), timing.horizon()), busy(mesh.tiles()),
      buffers(mesh.tiles() * (kPorts + 1)), places(buffers.size() * capacity),
      outputs(mesh.tiles() * kPorts), sources(mesh.tiles()), flitsOut(mesh.tiles() * kPorts) {
  for (TileId tile = 0; tile < mesh.tiles(); ++tile) {
    xs.push_back(static_cast<uint16_t>(mesh.x(tile)));
    ys.push_back(static_cast<uint16_t>(mesh.y(tile)));
    for (uint32_t port = 0; port < kPorts; ++port)
      neighbours.push_back(neighbourOf(mesh, tile, port));
  }
}

PacketId MeshNetwork::send(TileId source, TileId target, uint32_t flits, uint64_t madeCycle) {
  assert(source < mesh.tiles() && target < mesh.tiles() && flits > 0);
  assert(madeCycle >= (packetTable.empty() ? cycle : packetTable.back().madeCycle));
  assert(packetTable.size() < (1u << 30));
  packetTable.push_back({source, target, flits, madeCycle});
  return static_cast<PacketId>(packetTable.size() - 1);
}

void MeshNetwork::drain() {
  while (deliveredPackets < packetTable.size() && step())
    ;
}

void MeshNetwork::forgetPackets() {
  assert(deliveredPackets == packetTable.size());
  packetTable.clear();
  released = 0;
  deliveredPackets = 0;
  for (Source &source : sources)
    source = {};
}

/// One cycle, idle ones skipped. False when nothing is left to happen.
bool MeshNetwork::step() {
  if (agenda.last() < cycle) {
    if (released == packetTable.size())
      return false;
    cycle = std::max(cycle, packetTable[released].madeCycle);
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
    busy[source] |= 1u << kPorts;
    agenda.add(source, cycle);
  }
}

/// One cycle of one tile: its source, then every output with the inputs that ask for it.
void MeshNetwork::visit(TileId tile) {
  if (busy[tile] >> kPorts)
    inject(tile);
  uint8_t inputsOf[kPorts] = {};
  uint32_t wanted = 0; // outputs
  for (uint32_t left = busy[tile] & ((1u << kPorts) - 1); left != 0; left &= left - 1) {
    uint32_t input = static_cast<uint32_t>(std::countr_zero(left));
    if (!requests(tile, input))
      continue;
    uint32_t output = buffers[tile * kPorts + input].output;
    inputsOf[output] |= static_cast<uint8_t>(1u << input);
    wanted |= 1u << output;
  }
  for (; wanted != 0; wanted &= wanted - 1) {
    uint32_t output = static_cast<uint32_t>(std::countr_zero(wanted));
    serveOutput(tile, output, inputsOf[output]);
  }
}

void MeshNetwork::inject(TileId tile) {
  Source &source = sources[tile];
  if (!hasPlace(tile * kPorts + kLocal, tile))
    return;
  PacketId id = source.queue[source.served];
  bool head = source.sentFlits == 0, tail = ++source.sentFlits == packetTable[id].flits;
  if (head)
    packetTable[id].injectedCycle = cycle;
  push(tile, kLocal, {id, head, tail, packetTable[id].target}, cycle + timing.inject);
  if (tail) {
    source.sentFlits = 0;
    ++source.served;
  }
  if (source.served < source.queue.size())
    agenda.add(tile, cycle + 1);
  else
    busy[tile] &= static_cast<uint8_t>(~(1u << kPorts));
}

/// Whether the packet at the front of an input asks for its output in this cycle.
bool MeshNetwork::requests(TileId tile, uint32_t input) {
  Buffer &buffer = buffers[tile * kPorts + input];
  const Place &front = place(tile * kPorts + input, buffer.front);
  if (front.cycle > cycle)
    return false;
  if (buffer.output == kPorts) {
    buffer.output = static_cast<uint8_t>(routeXY(tile, front.flit.target));
    buffer.readyCycle = cycle + (timing.setup > 0 ? timing.setup - 1 : 0);
  }
  if (buffer.readyCycle > cycle)
    agenda.add(tile, buffer.readyCycle);
  return buffer.readyCycle <= cycle;
}

/// Allocates a free output to one of the inputs, then lets its owner send a flit if it can.
void MeshNetwork::serveOutput(TileId tile, uint32_t output, uint32_t inputs) {
  Output &state = outputs[tile * kPorts + output];
  if (state.owner == kPorts) {
    state.owner = static_cast<uint8_t>(state.arbiter.pick(inputs, kPorts));
    state.switchCycle = cycle + (timing.setup > 0 ? 1 : 0);
  }
  if ((inputs >> state.owner & 1) == 0)
    return; // the owner's next flit is still on its way
  if (state.switchCycle > cycle) {
    agenda.add(tile, state.switchCycle);
    return;
  }
  uint32_t target =
      output == kLocal ? endBuffer(tile) : neighbour(tile, output) * kPorts + opposite(output);
  if (hasPlace(target, tile))
    forward(tile, state.owner, output);
}

/// The flit at the front of `input` passes the switch and the link.
void MeshNetwork::forward(TileId tile, uint32_t input, uint32_t output) {
  uint32_t buffer = tile * kPorts + input;
  Flit flit = place(buffer, buffers[buffer].front).flit;
  leaveBuffer(tile, input);
  if (output == kLocal) {
    receive(tile, flit);
  } else {
    TileId next = neighbour(tile, output);
    push(next, opposite(output), flit, cycle + timing.forward);
  }
  ++flitsOut[tile * kPorts + output];
  if (flit.tail) {
    outputs[tile * kPorts + output].owner = kPorts;
    buffers[buffer].output = kPorts;
  }
  // The next flit, or whoever waited for the output. Later arrivals come with a visit of their own.
  if (flit.tail || buffers[buffer].count > 0)
    agenda.add(tile, cycle + 1);
}

void MeshNetwork::leaveBuffer(TileId tile, uint32_t input) {
  Buffer &buffer = buffers[tile * kPorts + input];
  Place &left = place(tile * kPorts + input, buffer.front);
  left.cycle = cycle + (input == kLocal ? timing.recredit : timing.credit);
  advance(buffer.front);
  if (--buffer.count == 0)
    busy[tile] &= static_cast<uint8_t>(~(1u << input));
  if (buffer.awaited)
    agenda.add(neighbour(tile, input), left.cycle);
  buffer.awaited = false;
}

/// The tile takes a flit as it comes; its place is free again one credit later.
void MeshNetwork::receive(TileId tile, Flit flit) {
  Buffer &end = buffers[endBuffer(tile)];
  place(endBuffer(tile), end.back).cycle = cycle + timing.forward + timing.credit;
  advance(end.back);
  Packet &packet = packetTable[flit.packet];
  if (flit.head)
    packet.headCycle = cycle + timing.forward;
  if (flit.tail) {
    packet.tailCycle = cycle + timing.forward;
    ++deliveredPackets;
  }
}

/// Whether `sender` may send to the buffer now; if not, it is visited again when it may.
bool MeshNetwork::hasPlace(uint32_t buffer, TileId sender) {
  Buffer &state = buffers[buffer];
  if (state.count == capacity) {
    state.awaited = true;
    return false;
  }
  uint64_t freeCycle = place(buffer, state.back).cycle;
  if (freeCycle > cycle)
    agenda.add(sender, freeCycle);
  return freeCycle <= cycle;
}

void MeshNetwork::push(TileId receiver, uint32_t input, Flit flit, uint64_t arrivalCycle) {
  Buffer &state = buffers[receiver * kPorts + input];
  place(receiver * kPorts + input, state.back) = {flit, arrivalCycle};
  advance(state.back);
  ++state.count;
  busy[receiver] |= static_cast<uint8_t>(1u << input);
  if (arrivalCycle > cycle)
    agenda.add(receiver, arrivalCycle);
}

uint32_t MeshNetwork::routeXY(TileId tile, TileId target) const {
  if (xs[tile] != xs[target])
    return xs[tile] < xs[target] ? kEast : kWest;
  if (ys[tile] != ys[target])
    return ys[tile] < ys[target] ? kSouth : kNorth;
  return kLocal;
}

} // namespace spindle
