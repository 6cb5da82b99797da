#include "sim/chip/pins/Chip.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle::pins {

Chip::Chip(sc_core::sc_module_name name, const spindle::Chip &chip, PacketBook &packets)
    : sc_module(name), mesh(chip.mesh), route(chip.mesh, chip.router), book(packets),
      patience(4 * RouterTiming(chip.router).horizon()),
      links(std::make_unique<Link[]>(mesh.tiles() * kPorts)),
      inward(std::make_unique<Link[]>(mesh.tiles() * kPorts)) {
  tiles.init(mesh.tiles(), [&](const char *tile, size_t at) {
    return new Tile(tile, static_cast<TileId>(at), chip.router, route, book);
  });
  wire();
  SC_HAS_PROCESS(Chip);
  SC_METHOD(toggle);
  sensitive << started;
  dont_initialize();
  SC_METHOD(look);
  sensitive << clock.posedge_event();
  dont_initialize();
}

void Chip::wire() {
  for (TileId tile = 0; tile < mesh.tiles(); ++tile) {
    Tile &here = tiles[tile];
    here.router.clock(clock);
    here.interface.clock(clock);
    for (uint32_t port = 0; port < kLocal; ++port) {
      here.router.out[port].bind(links[tile * kPorts + port]);
      TileId neighbour = neighbourOf(mesh, tile, port);
      bool isJoined = neighbour != tile || mesh.wraps(); // on a ring of one tile, with itself
      here.router.in[port].bind(isJoined ? links[neighbour * kPorts + opposite(port)]
                                         : inward[tile * kPorts + port]);
    }
    here.router.out[kLocal].bind(links[tile * kPorts + kLocal]);
    here.interface.in.bind(links[tile * kPorts + kLocal]);
    here.interface.out.bind(inward[tile * kPorts + kLocal]);
    here.router.in[kLocal].bind(inward[tile * kPorts + kLocal]);
  }
}

void Chip::run() {
  if (book.delivered == book.packets.size())
    return;
  movedCycle = nextCycle;
  started.notify(sc_core::SC_ZERO_TIME);
  sc_core::sc_start();
}

/// Drives the clock. Between two cycles, when all that belongs to the first one is done, it decides
/// in which one to go on.
void Chip::toggle() {
  switch (phase) {
  case Phase::Rise:
    clock.write(true);
    phase = Phase::Fall;
    next_trigger(cycles(1) / 2);
    return;
  case Phase::Fall:
    clock.write(false);
    phase = Phase::Decide;
    next_trigger(cycles(1) / 4);
    return;
  case Phase::Decide:
    uint64_t next = nextEdge();
    if (next == UINT64_MAX)
      return; // until it is started again
    nextCycle = next + 1;
    phase = Phase::Rise;
    next_trigger(cycles(next) - sc_core::sc_time_stamp());
  }
}

/// The cycle to go on in, UINT64_MAX for none.
uint64_t Chip::nextEdge() {
  if (book.delivered == book.packets.size() || isStuck())
    return UINT64_MAX;
  if (!isQuiet())
    return nextCycle;
  uint64_t madeCycle = UINT64_MAX;
  for (const Tile &tile : tiles)
    madeCycle = std::min(madeCycle, tile.interface.nextMadeCycle());
  return movedCycle = std::max(nextCycle, madeCycle);
}

bool Chip::isQuiet() {
  for (TileId left = mesh.tiles(); left > 0; --left) {
    const Tile &tile = tiles[busyTile];
    if (!tile.router.isQuiet() || !tile.interface.isQuiet())
      return false;
    busyTile = busyTile + 1 == mesh.tiles() ? 0 : busyTile + 1;
  }
  return true;
}

bool Chip::isStuck() {
  if (nextCycle <= movedCycle + patience)
    return false;
  for (const Tile &tile : tiles)
    movedCycle = std::max(movedCycle, tile.router.lastMoved());
  return nextCycle > movedCycle + patience;
}

/// Notes what passes the watched links.
void Chip::look() {
  for (uint32_t number = 0; number < watched.size(); ++number)
    for (uint32_t port = 0; port < kLocal; ++port) {
      const Link &link = links[watched[number].from * kPorts + port];
      if (neighbourOf(mesh, watched[number].from, port) != watched[number].to || !link.valid.read())
        continue;
      FlitFields flit = unpack(link.flit.read());
      if (book.packets[flit.packet].madeCycle < watchedBefore)
        seenFlits.push_back({cycleNow(), number, flit.packet, flit.channel, flit.head, flit.tail});
    }
}

BufferUse PinNetwork::bufferUse() const {
  BufferUse all;
  for (const Tile &tile : modules.tiles) {
    all.flitCycles += tile.router.bufferUse().flitCycles;
    all.leastCycles += tile.router.bufferUse().leastCycles;
  }
  return all;
}

std::string PinNetwork::stuckText() const {
  return fmt::format("{} of {} packets delivered, the others are stuck", book.delivered,
                     book.packets.size());
}

} // namespace spindle::pins
