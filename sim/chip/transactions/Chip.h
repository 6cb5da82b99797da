// A chip whose tiles talk to the mesh by transactions.
#pragma once

#include "core/chip/Chip.h"
#include "sim/chip/transactions/Mesh.h"
#include "sim/chip/transactions/NetworkInterface.h"

namespace spindle::transactions {

class Tile : public sc_core::sc_module {
public:
  Tile(sc_core::sc_module_name name, PacketBook &book) : sc_module(name), interface("ni", book) {}
  NetworkInterface interface;
};

class Chip : public sc_core::sc_module {
public:
  Chip(sc_core::sc_module_name name, const spindle::Chip &chip, PacketBook &book);

  Mesh mesh;
  sc_core::sc_vector<Tile> tiles{"tile"};
};

/// The engine `tlm`.
class TransactionNetwork final : public BookedNetwork {
public:
  explicit TransactionNetwork(const spindle::Chip &chip) : modules("chip", chip, book) {}

  uint32_t addTree(const MulticastTree &tree) override;
  PacketId sendTree(uint32_t tree, uint32_t flits, uint64_t madeCycle) override;
  void watch(const std::vector<WatchedLink> &links, uint64_t madeBefore) override {
    modules.mesh.network().watch(links, madeBefore);
  }
  const std::vector<LinkFlit> &watchedFlits() const override { return seenFlits; }
  void drain() override;
  std::string stuckText() const override { return modules.mesh.network().stuckText(); }
  void forgetPackets() override;
  uint64_t linkFlits(TileId tile, uint32_t port) const override {
    return modules.mesh.network().linkFlits(tile, port);
  }

  BufferUse bufferUse() const override { return modules.mesh.network().bufferUse(); }
  GatingUse gatingUse(uint64_t cycle) const override {
    return modules.mesh.network().gatingUse(cycle);
  }
  GatingUse gatingUse(TileId tile, uint64_t cycle) const override {
    return modules.mesh.network().gatingUse(tile, cycle);
  }

private:
  void queue(PacketId id) override { modules.tiles[book.packets[id].source].interface.queue(id); }
  struct Tree {
    TileId source;
    uint32_t targets;
  };
  Chip modules;
  std::vector<Tree> trees;
  std::vector<LinkFlit> seenFlits;
};

} // namespace spindle::transactions
