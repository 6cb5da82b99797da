#include "lib/report/Figures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace spindle {

static uint32_t ceilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

static uint32_t strideFor(const Population &population, uint32_t neurons) {
  return std::max(1u, ceilDiv(population.size, neurons));
}

/// Spikes left when every population shows at most `neurons` neurons.
static size_t drawnSpikes(const SpikeTrace &trace, const std::vector<uint64_t> &counts,
                          uint32_t neurons) {
  size_t total = 0;
  for (const Population &population : trace.populations)
    for (uint32_t i = 0, stride = strideFor(population, neurons); i < population.size; i += stride)
      total += counts[population.first + i];
  return total;
}

Json rasterFigure(const SpikeTrace &trace, const FigureLimits &limits) {
  const std::vector<Spike> &sample = trace.recorded.front();
  std::vector<uint64_t> counts(neuronCount(trace.populations), 0);
  for (const Spike &spike : sample)
    ++counts[spike.neuron];
  uint32_t neurons = limits.rasterNeurons;
  while (neurons > 1 && drawnSpikes(trace, counts, neurons) > limits.rasterSpikes)
    neurons /= 2;

  Json figure = {{"source", run::kSpikes},
                 {"steps", trace.steps},
                 {"step_ms", trace.stepMs},
                 {"spikes", sample.size()},
                 {"populations", Json::array()}};
  for (const Population &population : trace.populations) {
    uint32_t stride = strideFor(population, neurons);
    std::vector<uint32_t> points;
    uint64_t spikes = 0;
    for (const Spike &spike : sample) {
      uint32_t local = spike.neuron - population.first;
      if (local >= population.size)
        continue;
      ++spikes;
      if (local % stride == 0)
        points.insert(points.end(), {spike.step, local / stride});
    }
    figure["populations"].push_back(
        {{"name", population.name},
         {"kind", population.kind == PopulationKind::Input ? "input" : "neuron"},
         {"neurons", population.size},
         {"stride", stride},
         {"rows", ceilDiv(population.size, stride)},
         {"spike_count", spikes},
         {"spikes", points}});
  }
  return figure;
}

/// The start of the bar that an interval belongs to, of four for every doubling.
static uint64_t quarterStart(uint64_t interval) {
  if (interval < 4)
    return interval;
  int zeros = std::bit_width(interval) - 3;
  return interval >> zeros << zeros;
}

static uint64_t quarterEnd(uint64_t start) {
  return start < 4 ? start + 1 : start + (uint64_t(1) << (std::bit_width(start) - 3));
}

Json intervalFigure(const SpikeStatistics &statistics) {
  uint64_t last = 0;
  for (const PopulationStatistics &each : statistics.populations)
    if (size_t bins = each.intervals.histogram.size())
      last = std::max(last, intervalBinStart(bins - 1));
  bool logarithmic = last >= 64;
  Json figure = {{"source", run::kStatistics},
                 {"step_ms", statistics.stepMs},
                 {"logarithmic", logarithmic},
                 {"populations", Json::array()}};
  for (const PopulationStatistics &each : statistics.populations) {
    const std::vector<uint64_t> &bins = each.intervals.histogram;
    std::vector<uint64_t> from, counts;
    size_t first = bins.empty() || bins[0] > 0 ? 0 : 1; // zero steps: several spikes in a step
    for (size_t bin = first; bin < bins.size(); ++bin) {
      uint64_t start = intervalBinStart(bin);
      if (!logarithmic || quarterStart(start) == start) {
        from.push_back(start);
        counts.push_back(0);
      }
      counts.back() += bins[bin];
    }
    if (!from.empty())
      from.push_back(logarithmic ? quarterEnd(from.back()) : from.back() + 1);
    figure["populations"].push_back(
        {{"name", each.population.name}, {"from", from}, {"counts", counts}});
  }
  return figure;
}

Json trafficFigure(const Clustering &clusters, const FigureLimits &limits) {
  uint32_t count = static_cast<uint32_t>(clusters.clusters.size());
  uint32_t perBin = std::max(1u, ceilDiv(count, limits.trafficBins));
  std::map<std::pair<int64_t, int64_t>, uint64_t> cells;
  for (const ClusterLink &link : clusters.links) {
    int64_t from = link.from == kNone ? int64_t(-1) : int64_t(link.from / perBin);
    cells[{from, link.to / perBin}] += link.spikes + link.partialSums;
  }
  Json figure = {{"source", run::kClusters},
                 {"clusters", count},
                 {"clusters_per_bin", perBin},
                 {"bins", ceilDiv(count, perBin)},
                 {"cells", Json::array()}};
  for (const auto &[ends, packets] : cells)
    for (const Json &number : {Json(ends.first), Json(ends.second), Json(packets)})
      figure["cells"].push_back(number);
  return figure;
}

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

/// A rectangle of tiles, both ends included.
struct Window {
  uint32_t left = UINT32_MAX, top = UINT32_MAX, right = 0, bottom = 0;
  bool holds(const Mesh &mesh, TileId tile) const {
    uint32_t x = mesh.x(tile), y = mesh.y(tile);
    return left <= x && x <= right && top <= y && y <= bottom;
  }
  void include(const Mesh &mesh, TileId tile) {
    left = std::min(left, mesh.x(tile));
    right = std::max(right, mesh.x(tile));
    top = std::min(top, mesh.y(tile));
    bottom = std::max(bottom, mesh.y(tile));
  }
};

/// A small mesh is shown whole.
Window windowOf(const MeshLoads &loads, uint32_t wholeTiles) {
  Window window;
  if (loads.mesh.tiles() <= wholeTiles)
    return {0, 0, loads.mesh.columns - 1, loads.mesh.rows - 1};
  for (const auto &[name, values] : loads.layers)
    for (TileId tile = 0; tile < values.size(); ++tile)
      if (values[tile] > 0)
        window.include(loads.mesh, tile);
  for (const LinkLoad &link : loads.links) {
    window.include(loads.mesh, loads.mesh.tileBelow(link.from));
    window.include(loads.mesh, loads.mesh.tileBelow(link.to));
  }
  if (window.left > window.right) // nothing is in use
    window.include(loads.mesh, loads.mesh.hostTiles.front());
  return window;
}

/// Where the routers of a tree that are at no tile are drawn: column and row of the middle of the
/// tiles below them, in tiles from the corner of the window, which they are moved into.
Json placesOf(const std::map<TileId, uint32_t> &routers, const Mesh &mesh, const Window &window) {
  std::vector<Json> places(routers.size());
  for (auto [router, number] : routers) {
    auto [level, x, y] = mesh.tree().placeOf(router);
    auto middle = [level = level](uint32_t place, uint32_t length, uint32_t first, uint32_t last) {
      uint32_t begin = place << level, end = std::min(begin + (1u << level), length);
      return std::clamp((begin + end) / 2.0 - first, 0.0, last - first + 1.0);
    };
    places[number] = {middle(x, mesh.columns, window.left, window.right),
                      middle(y, mesh.rows, window.top, window.bottom)};
  }
  return places;
}

} // namespace

Json meshFigure(const std::optional<Mapping> &mapping, const std::optional<Clustering> &clusters,
                const std::optional<ChipStats> &chip, const FigureLimits &limits) {
  MeshLoads loads = chip ? simulatedLoads(*chip) : plannedLoads(*mapping, *clusters);
  if (mapping)
    loads.layers.push_back({"clusters", clustersPerTile(*mapping)});
  Window window = windowOf(loads, limits.wholeMeshTiles);
  if (chip && !chip->tileCelsius.empty()) // every tile is warm, in use or not
    loads.layers.push_back({"mK above the coolest tile", heatOf(*chip)});
  Mesh part{window.right - window.left + 1, window.bottom - window.top + 1};
  std::map<TileId, uint32_t> routers; // those without a tile that links name, numbered
  auto inPart = [&](TileId router) {
    if (router >= loads.mesh.tiles())
      return part.tiles() + routers.try_emplace(router, routers.size()).first->second;
    return part.at(loads.mesh.x(router) - window.left, loads.mesh.y(router) - window.top);
  };
  Json figure = {{"source", loads.source},
                 {"mesh",
                  {{"columns", loads.mesh.columns},
                   {"rows", loads.mesh.rows},
                   {"topology", loads.mesh.topologyName()}}},
                 {"columns", part.columns},
                 {"rows", part.rows},
                 {"first_column", window.left},
                 {"first_row", window.top},
                 {"layers", Json::array()},
                 {"has_links", part.tiles() <= limits.meshTiles},
                 {"links", Json::array()}};
  for (const auto &[name, values] : loads.layers) {
    std::vector<uint64_t> cut(part.tiles(), 0);
    for (TileId tile = 0; tile < values.size(); ++tile)
      if (values[tile] > 0 && window.holds(loads.mesh, tile))
        cut[inPart(tile)] = values[tile];
    figure["layers"].push_back({{"name", name}, {"values", cut}});
  }
  if (figure["has_links"])
    for (const LinkLoad &link : loads.links)
      for (uint64_t number : {uint64_t(inPart(link.from)), uint64_t(inPart(link.to)), link.flits})
        figure["links"].push_back(number);
  figure["routers"] = placesOf(routers, loads.mesh, window);
  return figure;
}

Json buildFigures(const StageFiles &files, const FigureLimits &limits) {
  Json figures = Json::object();
  if (files.spikes && !files.spikes->recorded.empty())
    figures["raster"] = rasterFigure(*files.spikes, limits);
  if (files.statistics)
    figures["intervals"] = intervalFigure(*files.statistics);
  if (files.clusters && !files.clusters->clusters.empty())
    figures["traffic"] = trafficFigure(*files.clusters, limits);
  if (files.chip || (files.mapping && files.clusters))
    figures["mesh"] = meshFigure(files.mapping, files.clusters, files.chip, limits);
  return figures;
}

} // namespace spindle
