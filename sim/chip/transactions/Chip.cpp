#include "sim/chip/transactions/Chip.h"

namespace spindle::transactions {

Chip::Chip(sc_core::sc_module_name name, const spindle::Chip &chip, PacketBook &book)
    : sc_module(name), mesh("mesh", chip.mesh, chip.router) {
  tiles.init(chip.mesh.tiles(), [&](const char *tile, size_t) { return new Tile(tile, book); });
  for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile) {
    tiles[tile].interface.toMesh.bind(mesh.fromTiles[tile]);
    mesh.toTiles[tile].bind(tiles[tile].interface.fromMesh);
  }
}

uint32_t TransactionNetwork::addTree(const MulticastTree &tree) {
  trees.push_back({tree.nodes.front().tile, static_cast<uint32_t>(tree.targets.size())});
  return modules.mesh.addTree(tree);
}

PacketId TransactionNetwork::sendTree(uint32_t tree, uint32_t flits, uint64_t madeCycle) {
  Packet packet{trees[tree].source, trees[tree].source, flits, madeCycle};
  packet.tree = tree;
  packet.missing = trees[tree].targets;
  packet.firstArrival = static_cast<uint32_t>(book.arrivals.size());
  book.arrivals.resize(book.arrivals.size() + packet.missing);
  return add(packet);
}

/// Runs until no event is left.
void TransactionNetwork::drain() {
  if (book.delivered < book.packets.size())
    sc_core::sc_start();
  const std::vector<LinkFlit> &flits = modules.mesh.network().watchedFlits();
  for (size_t i = seenFlits.size(); i < flits.size(); ++i) {
    seenFlits.push_back(flits[i]);
    seenFlits.back().packet = modules.mesh.packet(flits[i].packet);
  }
}

void TransactionNetwork::forgetPackets() {
  BookedNetwork::forgetPackets();
  seenFlits.clear();
  modules.mesh.forgetPackets();
}

} // namespace spindle::transactions
