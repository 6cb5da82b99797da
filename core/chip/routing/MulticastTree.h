// The way of one packet to several tiles: it branches in the routers.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/routing/Ports.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <vector>

namespace spindle {

/// A router on the way, and where copies of the packet go from it.
struct TreeNode {
  TileId tile;                         // the router, which may be at none
  uint8_t outputs = 0;                 // bits of ports
  uint32_t target = 0;                 // its place among the targets, where the tile takes one
  std::array<uint32_t, kPorts> next{}; // node behind each output to another router
  bool operator==(const TreeNode &) const = default;
};

/// nodes[0] is the source.
struct MulticastTree {
  std::vector<TreeNode> nodes;
  std::vector<TileId> targets;
  bool operator==(const MulticastTree &) const = default;
};

/// The ways to every target, laid over each other: all of them begin alike and none meet again. In
/// a mesh they go in dimension order, in a tree or on a bus as there is one. Targets ascend.
/// `order` is XY or YX.
MulticastTree multicastTree(const Mesh &mesh, Routing order, TileId source,
                            llvm::ArrayRef<TileId> targets);

/// The targets in groups, each of which lies on one dimension-ordered way: of every column those
/// north of the source's row and the others, or with YX of every row those west and the others
/// (Boppana, Chalasani & Raghavendra, "Resource deadlocks and performance of wormhole multicast
/// routing algorithms", IEEE TPDS 1998: column path).
std::vector<std::vector<TileId>> multicastPaths(const Mesh &mesh, Routing order, TileId source,
                                                llvm::ArrayRef<TileId> targets);

/// Entries that a tree takes in the table of each router: one at the source, and one at each node
/// where packets do not go straight on. In a tree of routers straight on is up; a bus has none.
void countTableEntries(const Mesh &mesh, const MulticastTree &tree, std::vector<uint32_t> &entries);

} // namespace spindle
