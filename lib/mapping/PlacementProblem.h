// What the placement strategies see: weights between clusters, distances between crossbars.
#pragma once

#include "core/chip/CrossbarRoom.h"
#include "lib/mapping/Map.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace spindle {

/// A crossbar of the chip: tile · crossbarsPerTile + crossbar within the tile.
using SlotId = uint32_t;

/// The slot of every cluster.
using Slots = std::vector<SlotId>;

/// Which clusters fit into which crossbars.
struct PlacementRoom {
  CrossbarRoom crossbars;
  std::vector<CrossbarSize> needs; // per cluster

  PlacementRoom() = default;
  PlacementRoom(const Clustering &clustering, const Chip &chip) : crossbars(chip) {
    for (const Cluster &cluster : clustering.clusters)
      needs.push_back(sizeOf(cluster));
  }
  bool fits(ClusterId cluster, SlotId slot) const {
    return !crossbars.hasFaults() || crossbars.fits(needs[cluster], slot);
  }
};

/// The host is one more node after the clusters, which every tile reaches by the nearest of the
/// host's tiles. Links in both directions between two nodes are one neighbour of each, since the
/// way back is as long.
struct PlacementProblem {
  struct Neighbour {
    uint32_t node;
    int64_t weight;
  };

  Mesh mesh;
  uint32_t crossbarsPerTile = 1;
  uint32_t clusters = 0;
  int64_t hopX = 1, hopY = 1;        // price of a hop per weight
  int64_t chipLink = 0;              // … and so much more of one from chip to chip
  std::vector<int64_t> hostCosts;    // per tile: price of the way from the host, per weight
  std::vector<size_t> offsets;       // per node, then the end
  std::vector<Neighbour> neighbours; // ascending within a node
  PlacementRoom room;
  std::vector<uint32_t> chips = {}; // per cluster: of several that are joined, where to begin

  bool fits(ClusterId cluster, SlotId slot) const { return room.fits(cluster, slot); }
  SlotId slots() const { return mesh.tiles() * crossbarsPerTile; }
  TileId tileOf(SlotId slot) const { return slot / crossbarsPerTile; }
  uint32_t host() const { return clusters; }
  /// In a grid, price of the links between two places of a row, and of a column.
  int64_t costAlongX(int64_t a, int64_t b) const {
    return along(a, b, mesh.columns, hopX, mesh.chipColumns);
  }
  int64_t costAlongY(int64_t a, int64_t b) const {
    return along(a, b, mesh.rows, hopY, mesh.chipRows);
  }
  int64_t cost(TileId a, TileId b) const {
    if (!mesh.isGrid())
      return mesh.hopsX(a, b) * hopX + mesh.hopsY(a, b) * hopY;
    return costAlongX(mesh.x(a), mesh.x(b)) + costAlongY(mesh.y(a), mesh.y(b));
  }

private:
  int64_t along(int64_t a, int64_t b, int64_t length, int64_t hop, int64_t ofChip) const {
    int64_t inside = std::abs(a - b);
    if (ofChip != 0)
      return inside * hop + std::abs(a / ofChip - b / ofChip) * chipLink;
    return (mesh.wraps() ? std::min(inside, length - inside) : inside) * hop;
  }
};

/// Weights between two nodes, each in both directions.
using NodeWeights = std::map<std::pair<uint32_t, uint32_t>, int64_t>;

/// Makes them the neighbours of a problem with so many clusters; those of weight 0 are none.
void setNeighbours(PlacementProblem &problem, const NodeWeights &weights);

/// Weights packets, prices 1 for spike hops, on joined chips 100, and of a link between them as
/// many times that as it takes times as long as another; weights flits, prices in fJ for energy.
llvm::Expected<PlacementProblem> placementProblem(const Clustering &clustering, const Chip &chip,
                                                  PlacementObjective objective);

/// Sum over all pairs of nodes of weight × priced distance.
int64_t costOf(const PlacementProblem &problem, const Slots &slots);

} // namespace spindle
