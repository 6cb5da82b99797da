// Placement with what a neuron sends taken together: tiles that hear it share packets and ways.
#pragma once

#include "lib/mapping/PlacementProblem.h"

#include <span>
#include <utility>

namespace spindle {

/// Neurons of one cluster (or of the host) that are heard by the same other clusters.
struct Net {
  uint32_t source;      // node: a cluster, or the host after the clusters
  uint64_t first, last; // of its targets
  double packets;       // made by the source, one for each spike or for each vector of sums
  double flits;         // of those
  bool isWired = false; // needs no packet inside a tile
};

/// What is counted of a net.
struct NetPrices {
  bool isTree = true;  // a packet branches on its way; else one goes to each tile …
  bool toEach = false; // … or to each crossbar, those of its own tile included
  double hopX = 1, hopY = 1, made = 0, received = 0;
  double chipLink = 0; // … beside the hop, of a link from chip to chip
  /// Squares of what each link carries instead, and each port of a tile: flits × one of these.
  bool squares = false;
  double onLink = 1, onChipLink = 1, onPortIn = 0, onPortOut = 0;
};

struct NetProblem {
  Mesh mesh;
  uint32_t crossbarsPerTile = 1;
  uint32_t clusters = 0;
  NetPrices prices;
  std::vector<TileId> hostTiles; // per tile: where the host's packets for it enter
  std::vector<Net> nets;
  std::vector<ClusterId> targets;            // of all nets, ascending within each
  std::vector<std::vector<uint32_t>> netsOf; // per node, ascending
  PlacementRoom room;
  bool beginsOnChips = false; // the start is that of clusters on chips that were chosen

  uint32_t host() const { return clusters; }
  SlotId slots() const { return mesh.tiles() * crossbarsPerTile; }
  std::span<const ClusterId> targetsOf(const Net &net) const {
    return {targets.data() + net.first, targets.data() + net.last};
  }
};

/// The nets of a clustering, and prices of the objective, which is not SpikeHops.
llvm::Expected<NetProblem> netProblem(const Clustering &clustering, const Chip &chip,
                                      PlacementObjective objective);

/// Links of the ways from `source` to `tiles` (ascending, none of them the source) as the routers
/// go: first along x, then along y. Of a tree each link counts once.
struct NetLinks {
  uint32_t alongX = 0, alongY = 0;
  uint32_t betweenChips = 0; // of those
};
NetLinks linksOf(const Mesh &mesh, TileId source, std::span<const TileId> tiles, bool isTree);

/// The cost of a placement, counted from scratch.
double costOf(const NetProblem &problem, const Slots &slots);

} // namespace spindle
