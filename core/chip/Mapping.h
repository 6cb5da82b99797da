// Which tile and crossbar each cluster runs on, and the way every link takes.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"

namespace spindle {

struct Placement {
  TileId tile;
  uint32_t crossbar; // within the tile
  bool operator==(const Placement &) const = default;
};

struct Route {
  ClusterId from, to;        // as in the clustering's links
  std::vector<TileId> tiles; // both ends included; one tile for a link inside a tile
  bool operator==(const Route &) const = default;
};

struct Mapping {
  std::string algorithm;
  std::string chip;
  Mesh mesh;
  std::vector<Placement> placements; // per cluster
  std::vector<Route> routes;         // per link of the clustering; the host's begin at its tile
  uint64_t spikeHops = 0;            // sum over links of packets × hops
  double randomSpikeHops = 0;        // mean of the same over `randomSeeds` random placements
  uint32_t randomSeeds = 0;
  bool impliesRoutes = false; // none is listed: each goes along x first, then along y
  bool operator==(const Mapping &) const = default;
};

/// More links than these have no routes listed, where routers go along x first, then along y.
inline constexpr size_t kMostListedRoutes = 100'000;

/// Whether the routers of the chip go along x first, then along y, whatever the packet.
bool goesXY(const Chip &chip);

/// The tiles on the way of a link, the one with this number in the clustering.
std::vector<TileId> tilesOf(const Mapping &mapping, const ClusterLink &link, size_t number);

/// Every cluster on its own crossbar, with room for it, routes connected, from end to end and
/// through nothing that is dead, spikeHops equal to its definition recomputed.
llvm::Error verify(const Mapping &mapping, const Clustering &clustering, const Chip &chip);
/// For errors about a mesh: " in chips of 4x4 with the host at tiles 3, 7", empty of one chip whose
/// host is at tile 0.
std::string hostText(const Mesh &mesh);
llvm::Error writeMapping(const std::string &path, const Mapping &mapping);
/// Refuses mappings whose placements and routes do not lie on their own mesh.
llvm::Expected<Mapping> readMapping(const std::string &path);

} // namespace spindle
