#include "lib/report/chip/MeshFigure.h"

#include "core/run/StageFileNames.h"
#include "lib/report/chip/MeshPart.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace spindle {

namespace {

/// Loads of a whole mesh, before it is cut to the part in use.
struct MeshLoads {
  const char *source = run::kChip;
  Mesh mesh;
  std::vector<std::pair<std::string, std::vector<uint64_t>>> layers; // name, per tile
  std::vector<LinkLoad> links;
};

std::vector<uint64_t> rounded(const std::vector<double> &values) {
  std::vector<uint64_t> whole;
  for (double value : values)
    whole.push_back(static_cast<uint64_t>(std::max(0.0, std::round(value))));
  return whole;
}

MeshLoads simulatedLoads(const ChipStats &chip) {
  std::vector<double> pj = chip.tileDynamicPj;
  for (TileId tile = 0; tile < pj.size(); ++tile)
    pj[tile] += chip.tileClockPj[tile] + chip.tileLeakagePj[tile];
  return {run::kChip,
          chip.mesh,
          {{"spikes", chip.tileSpikes},
           {"synaptic events", chip.tileSynapticEvents},
           {"pJ of energy", rounded(pj)}},
          chip.links};
}

/// Above the coolest tile, as the surroundings would hide what differs.
std::vector<uint64_t> heatOf(const ChipStats &chip) {
  double coolest = *std::min_element(chip.tileCelsius.begin(), chip.tileCelsius.end());
  std::vector<double> milliKelvin;
  for (double celsius : chip.tileCelsius)
    milliKelvin.push_back((celsius - coolest) * 1000);
  return rounded(milliKelvin);
}

/// Packets that every route will carry, as the mapping planned them.
MeshLoads plannedLoads(const Mapping &mapping, const Clustering &clusters) {
  MeshLoads loads{run::kMapping, mapping.mesh, {}, {}};
  std::vector<uint64_t> sent(mapping.mesh.tiles(), 0);
  std::map<std::pair<TileId, TileId>, uint64_t> flits;
  for (size_t i = 0; i < clusters.links.size(); ++i) {
    std::vector<TileId> tiles = tilesOf(mapping, clusters.links[i], i);
    uint64_t packets = clusters.links[i].spikes + clusters.links[i].partialSums;
    sent[tiles.front()] += packets;
    for (size_t hop = 0; hop + 1 < tiles.size(); ++hop)
      flits[{tiles[hop], tiles[hop + 1]}] += packets;
  }
  loads.layers.push_back({"packets sent", sent});
  for (const auto &[ends, packets] : flits)
    loads.links.push_back({ends.first, ends.second, packets});
  return loads;
}

std::vector<uint64_t> clustersPerTile(const Mapping &mapping) {
  std::vector<uint64_t> count(mapping.mesh.tiles(), 0);
  for (const Placement &placement : mapping.placements)
    ++count[placement.tile];
  return count;
}

/// All that shows a load.
MeshPart partOf(const MeshLoads &loads, uint32_t wholeTiles) {
  MeshPart part(loads.mesh, wholeTiles);
  for (const auto &[name, values] : loads.layers)
    for (TileId tile = 0; tile < values.size(); ++tile)
      if (values[tile] > 0)
        part.include(tile);
  for (const LinkLoad &link : loads.links) {
    part.include(link.from);
    part.include(link.to);
  }
  return part;
}

} // namespace

Json meshFigure(const std::optional<Mapping> &mapping, const std::optional<Clustering> &clusters,
                const std::optional<ChipStats> &chip, const FigureLimits &limits) {
  MeshLoads loads = chip ? simulatedLoads(*chip) : plannedLoads(*mapping, *clusters);
  if (mapping)
    loads.layers.push_back({"clusters", clustersPerTile(*mapping)});
  MeshPart part = partOf(loads, limits.wholeMeshTiles);
  if (chip && !chip->tileCelsius.empty()) // every tile is warm, in use or not
    loads.layers.push_back({"mK above the coolest tile", heatOf(*chip)});
  Json figure = {{"source", loads.source},
                 {"layers", Json::array()},
                 {"has_links", part.tiles() <= limits.meshTiles},
                 {"links", Json::array()}};
  for (const auto &[name, values] : loads.layers) {
    std::vector<uint64_t> cut(part.tiles(), 0);
    for (TileId tile = 0; tile < values.size(); ++tile)
      if (values[tile] > 0 && part.holds(tile))
        cut[part.at(tile)] = values[tile];
    figure["layers"].push_back({{"name", name}, {"values", cut}});
  }
  if (figure["has_links"])
    for (const LinkLoad &link : loads.links)
      for (uint64_t number : {uint64_t(part.at(link.from)), uint64_t(part.at(link.to)), link.flits})
        figure["links"].push_back(number);
  figure.update(part.json());
  return figure;
}

} // namespace spindle
