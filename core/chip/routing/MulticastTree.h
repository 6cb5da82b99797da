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
  TileId tile;
  uint8_t outputs = 0;            // bits of ports; kLocal: the tile itself takes one
  uint32_t target = 0;            // its place among the targets, where the tile takes one
  std::array<uint32_t, 4> next{}; // node behind each output to a neighbour
  bool operator==(const TreeNode &) const = default;
};

/// nodes[0] is the source.
struct MulticastTree {
  std::vector<TreeNode> nodes;
  std::vector<TileId> targets;
  bool operator==(const MulticastTree &) const = default;
};

/// The dimension-ordered ways to every target, laid over each other: all of them begin alike and
/// none meet again. Targets ascend. `order` is XY or YX.
MulticastTree multicastTree(const Mesh &mesh, Routing order, TileId source,
                            llvm::ArrayRef<TileId> targets);

/// The targets in groups, each of which lies on one dimension-ordered way: of every column those
/// north of the source's row and the others, or with YX of every row those west and the others
/// (Boppana, Chalasani & Raghavendra, "Resource deadlocks and performance of wormhole multicast
/// routing algorithms", IEEE TPDS 1998: column path).
std::vector<std::vector<TileId>> multicastPaths(const Mesh &mesh, Routing order, TileId source,
                                                llvm::ArrayRef<TileId> targets);

/// Whether the router of a node needs an entry in its table: packets go straight on without one.
/// `input` is the port they come in by, kLocal at the source.
bool needsTableEntry(const TreeNode &node, uint32_t input);

} // namespace spindle
