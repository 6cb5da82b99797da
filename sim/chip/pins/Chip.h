// A chip whose routers are joined by wires.
#pragma once

#include "core/chip/Chip.h"
#include "sim/chip/pins/NetworkInterface.h"
#include "sim/chip/pins/Router.h"

#include <cstdlib>
#include <memory>

namespace spindle::pins {

inline constexpr uint32_t kLongestSide = 4; // tiles

class Tile : public sc_core::sc_module {
public:
  Tile(sc_core::sc_module_name name, TileId at, const spindle::Router &parameters,
       const RoutingFunction &function, PacketBook &book)
      : sc_module(name), router("router", at, parameters, function),
        interface("ni", parameters, book) {}
  Router router;
  NetworkInterface interface;
};

/// Tiles, the links between them, and a clock that stands still while nothing is under way.
class Chip : public sc_core::sc_module {
public:
  Chip(sc_core::sc_module_name name, const spindle::Chip &chip, PacketBook &packets);

  /// Runs until every packet is delivered, or nothing moves any more.
  void run();
  void watch(const std::vector<WatchedLink> &chosen, uint64_t madeBefore) {
    watched = chosen;
    watchedBefore = madeBefore;
  }

  sc_core::sc_vector<Tile> tiles{"tile"};
  std::vector<LinkFlit> seenFlits;

private:
  void wire();
  void toggle();
  void look();
  uint64_t nextEdge();
  bool isQuiet();
  bool isStuck();

  spindle::Mesh mesh;
  RoutingFunction route;
  PacketBook &book;
  uint64_t patience; // cycles
  sc_core::sc_signal<bool> clock{"clock"};
  enum class Phase { Rise, Fall, Decide } phase = Phase::Decide;
  uint64_t nextCycle = 0; // the first one without an edge
  sc_core::sc_event started;
  TileId busyTile = 0;            // was not quiet when last asked
  std::unique_ptr<Link[]> links;  // (tile, output port)
  std::unique_ptr<Link[]> inward; // (tile, input port) without a neighbour; kLocal: from the tile
  std::vector<WatchedLink> watched;
  uint64_t watchedBefore = 0;
  uint64_t movedCycle = 0;
};

/// The engine `pins`.
class PinNetwork final : public BookedNetwork {
public:
  explicit PinNetwork(const spindle::Chip &chip) : modules("chip", chip, book) {}

  /// Trees are refused before (makeNetwork).
  uint32_t addTree(const MulticastTree &) override { std::abort(); }
  PacketId sendTree(uint32_t, uint32_t, uint64_t) override { std::abort(); }
  void watch(const std::vector<WatchedLink> &links, uint64_t madeBefore) override {
    modules.watch(links, madeBefore);
  }
  const std::vector<LinkFlit> &watchedFlits() const override { return modules.seenFlits; }
  void drain() override { modules.run(); }
  void forgetPackets() override {
    BookedNetwork::forgetPackets();
    modules.seenFlits.clear();
  }
  std::string stuckText() const override;
  uint64_t linkFlits(TileId tile, uint32_t port) const override {
    return modules.tiles[tile].router.flitsOut(port);
  }

  BufferUse bufferUse() const override;
  GatingUse gatingUse(uint64_t) const override { return {}; } // never off
  GatingUse gatingUse(TileId, uint64_t) const override { return {}; }

private:
  void queue(PacketId id) override { modules.tiles[book.packets[id].source].interface.queue(id); }
  Chip modules;
};

} // namespace spindle::pins
