#include "core/chip/Mapping.h"

#include "core/chip/CrossbarRoom.h"
#include "core/chip/MeshFile.h"
#include "core/chip/routing/UpDownTable.h"
#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <cmath>
#include <map>

namespace spindle {

namespace {

constexpr FileFormat kMappingFormat = {"spindle-mapping", 1};

std::string nameOf(ClusterId cluster) {
  return cluster == kNone ? "host" : fmt::format("cluster {}", cluster);
}

llvm::Error verifyPlacements(const std::string &place, const Mapping &mapping,
                             const Clustering &clustering, const Chip &chip) {
  CrossbarRoom room(chip);
  std::map<std::pair<TileId, uint32_t>, ClusterId> taken;
  for (ClusterId c = 0; c < mapping.placements.size(); ++c) {
    const Placement &p = mapping.placements[c];
    if (p.tile >= chip.mesh.tiles() || p.crossbar >= chip.crossbarsPerTile)
      return checkError(
          place, fmt::format("cluster {} on tile {} crossbar {}, but the chip has {} tiles "
                             "of {} crossbars",
                             c, p.tile, p.crossbar, chip.mesh.tiles(), chip.crossbarsPerTile));
    auto [other, isFree] = taken.emplace(std::pair{p.tile, p.crossbar}, c);
    if (!isFree)
      return checkError(place, fmt::format("clusters {} and {} share tile {} crossbar {}",
                                           other->second, c, p.tile, p.crossbar));
    CrossbarSize need = sizeOf(clustering.clusters[c]);
    if (!room.fits(need, p.tile * chip.crossbarsPerTile + p.crossbar))
      return checkError(place, fmt::format("cluster {} needs {} rows and {} columns, which do not "
                                           "all work on tile {} crossbar {}",
                                           c, need.rows, need.columns, p.tile, p.crossbar));
  }
  return llvm::Error::success();
}

TileId beginOf(const Mapping &mapping, ClusterId from, ClusterId to) {
  TileId end = mapping.placements[to].tile;
  return from == kNone ? mapping.mesh.hostTileFor(end) : mapping.placements[from].tile;
}

std::string routeFault(const Mapping &mapping, const Route &route) {
  auto isCluster = [&](ClusterId c) { return c < mapping.placements.size(); };
  std::string link = fmt::format("route {} -> {}", nameOf(route.from), nameOf(route.to));
  if (!isCluster(route.to) || (route.from != kNone && !isCluster(route.from)))
    return fmt::format("{} names one of {} clusters", link, mapping.placements.size());
  TileId begin = beginOf(mapping, route.from, route.to), end = mapping.placements[route.to].tile;
  if (route.tiles.empty() || route.tiles.front() != begin || route.tiles.back() != end)
    return fmt::format("{} does not lead from tile {} to tile {}", link, begin, end);
  for (size_t i = 0; i < route.tiles.size(); ++i)
    if (route.tiles[i] >= mapping.mesh.routers() ||
        (i > 0 && mapping.mesh.hops(route.tiles[i - 1], route.tiles[i]) != 1))
      return fmt::format("{} is broken at {}", link, mapping.mesh.routerName(route.tiles[i]));
  return "";
}

/// No route may use what is dead.
llvm::Error verifyFaults(const std::string &place, const Mapping &mapping, const Chip &chip) {
  if (!chip.router.hasFaults())
    return llvm::Error::success();
  std::vector<uint8_t> dead = deadPortsOf(chip.mesh, chip.router);
  for (const Route &route : mapping.routes)
    for (size_t i = 1; i < route.tiles.size(); ++i)
      for (uint32_t port = 0; port < kLocal; ++port)
        if (neighbourOf(chip.mesh, route.tiles[i - 1], port) == route.tiles[i] &&
            (dead[route.tiles[i - 1]] >> port & 1))
          return checkError(place, fmt::format("route {} -> {} goes from tile {} to tile {}, which "
                                               "faults say is dead",
                                               nameOf(route.from), nameOf(route.to),
                                               route.tiles[i - 1], route.tiles[i]));
  return llvm::Error::success();
}

std::string hopsFault(const Mapping &mapping) {
  if (!std::isfinite(mapping.randomSpikeHops) || mapping.randomSpikeHops < 0)
    return "the mean over random placements is not a number of at least 0";
  return "";
}

/// What is wrong with a mapping whatever the clustering and the chip, empty when nothing.
std::string faultOf(const Mapping &mapping) {
  if (std::string fault = faultOf(mapping.mesh); !fault.empty())
    return fault;
  for (ClusterId c = 0; c < mapping.placements.size(); ++c)
    if (mapping.placements[c].tile >= mapping.mesh.tiles())
      return fmt::format("cluster {} lies on tile {} of a mesh of {}", c,
                         mapping.placements[c].tile, mapping.mesh.tiles());
  for (const Route &route : mapping.routes)
    if (std::string fault = routeFault(mapping, route); !fault.empty())
      return fault;
  return hopsFault(mapping);
}

} // namespace

std::vector<TileId> tilesOf(const Mapping &mapping, const ClusterLink &link, size_t number) {
  if (!mapping.impliesRoutes)
    return mapping.routes[number].tiles;
  return mapping.mesh.route(beginOf(mapping, link.from, link.to), mapping.placements[link.to].tile);
}

/// Their spike hops; the routes of a mapping that lists them must be those of the links.
static llvm::Expected<uint64_t> verifyRoutes(const std::string &place, const Mapping &mapping,
                                             const Clustering &clustering) {
  uint64_t spikeHops = 0;
  for (size_t i = 0; i < clustering.links.size(); ++i) {
    const ClusterLink &link = clustering.links[i];
    uint64_t packets = link.spikes + partialSumPackets(clustering, link), hops = 0;
    if (mapping.impliesRoutes) {
      hops =
          mapping.mesh.hops(beginOf(mapping, link.from, link.to), mapping.placements[link.to].tile);
    } else {
      const Route &route = mapping.routes[i];
      if (route.from != link.from || route.to != link.to)
        return checkError(place, fmt::format("route {} leads from {} to {}, expected {} to {}", i,
                                             nameOf(route.from), nameOf(route.to),
                                             nameOf(link.from), nameOf(link.to)));
      if (std::string fault = routeFault(mapping, route); !fault.empty())
        return checkError(place, fault);
      hops = route.tiles.size() - 1;
    }
    spikeHops += packets * hops;
  }
  return spikeHops;
}

std::string hostText(const Mesh &mesh) {
  std::string text;
  if (mesh.topology != Topology::Mesh)
    text = fmt::format(" (topology {})", mesh.topologyName());
  if (mesh.isJoined())
    text += fmt::format(" in chips of {}x{}", mesh.chipColumns, mesh.chipRows);
  if (mesh.hostTiles != std::vector<TileId>{0})
    text += fmt::format(" with the host at tiles {}", fmt::join(mesh.hostTiles, ", "));
  return text;
}

bool goesXY(const Chip &chip) {
  return chip.router.routing == Routing::XY && !chip.router.hasFaults();
}

llvm::Error verify(const Mapping &mapping, const Clustering &clustering, const Chip &chip) {
  std::string place = fmt::format("mapping onto chip '{}'", mapping.chip);
  if (mapping.chip != chip.name || !(mapping.mesh == chip.mesh))
    return checkError(place,
                      fmt::format("made for chip '{}' of {}x{} tiles{}, expected '{}' of {}x{}{}",
                                  mapping.chip, mapping.mesh.columns, mapping.mesh.rows,
                                  hostText(mapping.mesh), chip.name, chip.mesh.columns,
                                  chip.mesh.rows, hostText(chip.mesh)));
  size_t routes = mapping.impliesRoutes ? 0 : clustering.links.size();
  if (mapping.placements.size() != clustering.clusters.size() || mapping.routes.size() != routes)
    return checkError(place, fmt::format("{} clusters and {} routes, expected {} and {}",
                                         mapping.placements.size(), mapping.routes.size(),
                                         clustering.clusters.size(), routes));
  if (mapping.impliesRoutes && !goesXY(chip))
    return checkError(place,
                      "lists no routes, which only routers that go along x first, then along "
                      "y, and have no faults imply");
  SPINDLE_RETURN_IF_ERROR(verifyPlacements(place, mapping, clustering, chip));
  SPINDLE_ASSIGN(uint64_t spikeHops, verifyRoutes(place, mapping, clustering));
  if (spikeHops != mapping.spikeHops)
    return checkError(place, fmt::format("{} spike hops, but the routes add up to {}",
                                         mapping.spikeHops, spikeHops));
  SPINDLE_RETURN_IF_ERROR(verifyFaults(place, mapping, chip));
  std::string fault = hopsFault(mapping);
  return fault.empty() ? llvm::Error::success() : checkError(place, fault);
}

static void describe(auto &file, MaybeConst<Placement> auto &placement) {
  file.field("tile", placement.tile);
  file.field("crossbar", placement.crossbar);
}

static void describe(auto &file, MaybeConst<Route> auto &route) {
  file.field("from", orNull(route.from, kNone));
  file.field("to", route.to);
  file.field("tiles", route.tiles);
}

static void describe(auto &file, MaybeConst<Mapping> auto &mapping) {
  file.field("algorithm", mapping.algorithm);
  file.field("chip", mapping.chip);
  file.field("mesh", mapping.mesh);
  file.field("spike_hops", mapping.spikeHops);
  file.field("random_spike_hops", mapping.randomSpikeHops);
  file.field("random_seeds", mapping.randomSeeds);
  file.field("placements", mapping.placements);
  if (file.has("routes", !mapping.impliesRoutes))
    file.field("routes", mapping.routes);
  else
    file.assume(mapping.impliesRoutes, true);
}

llvm::Error writeMapping(const std::string &path, const Mapping &mapping) {
  return writeDescribed(path, kMappingFormat, mapping);
}

llvm::Expected<Mapping> readMapping(const std::string &path) {
  SPINDLE_ASSIGN(Mapping mapping, readDescribed<Mapping>(path, kMappingFormat));
  if (std::string fault = faultOf(mapping); !fault.empty())
    return inputError(path, "not a valid mapping: " + fault);
  return mapping;
}

} // namespace spindle
