#include "lib/mapping/joined/CutBetweenChips.h"

#include "core/support/SplitGraph.h"
#include "lib/mapping/Strategies.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace spindle {

namespace {

using Part = uint32_t;

/// Crossbars that hold any of the clusters, on the chip which has the fewest of them.
uint32_t leastRoom(const PlacementProblem &problem) {
  const PlacementRoom &given = problem.room;
  CrossbarSize largest;
  for (CrossbarSize need : given.needs)
    largest = {std::max(largest.rows, need.rows), std::max(largest.columns, need.columns)};
  std::map<uint32_t, uint32_t> room;
  for (TileId tile = 0; tile < problem.mesh.tiles(); ++tile)
    for (uint32_t crossbar = 0; crossbar < problem.crossbarsPerTile; ++crossbar)
      room[problem.mesh.chipOf(tile)] +=
          !given.crossbars.hasFaults() ||
          given.crossbars.fits(largest, tile * problem.crossbarsPerTile + crossbar);
  return std::ranges::min_element(room, {}, [](auto &chip) { return chip.second; })->second;
}

/// METIS adds weights up in 32 bits.
int64_t scaleOf(const PlacementProblem &problem) {
  int64_t sum = 0;
  for (const PlacementProblem::Neighbour &neighbour : problem.neighbours)
    sum += neighbour.weight;
  return 1 + sum / (int64_t(1) << 29);
}

/// Parts of nearly the same size with little between them.
llvm::Expected<std::vector<Part>> split(const PlacementProblem &problem, uint32_t parts,
                                        uint32_t room, int64_t seed) {
  std::vector<Part> result(problem.clusters, 0);
  if (room == 1)
    std::iota(result.begin(), result.end(), 0);
  if (parts == 1 || room == 1)
    return result;
  WeightedGraph graph;
  int64_t scale = scaleOf(problem);
  for (ClusterId c = 0; c < problem.clusters; ++c) {
    for (size_t i = problem.offsets[c]; i < problem.offsets[c + 1]; ++i)
      if (auto [node, weight] = problem.neighbours[i]; node != problem.host() && node != c) {
        graph.neighbours.push_back(static_cast<int32_t>(node));
        graph.edgeWeights.push_back(static_cast<int32_t>(1 + weight / scale));
      }
    graph.offsets.push_back(static_cast<int32_t>(graph.neighbours.size()));
  }
  constexpr uint32_t few = 8;
  SplitOptions options{.parts = parts, .seed = uint64_t(seed), .byHalves = parts <= few};
  options.mostOfMean = std::max(1.001f, float(double(room) * parts / problem.clusters));
  return splitGraph(graph, options, "join fewer chips in the chip file");
}

/// Takes clusters out of parts that have too many, those first that lose least by it, each to the
/// part with room that it is tied to most.
void level(const PlacementProblem &problem, std::vector<Part> &part, uint32_t parts,
           uint32_t room) {
  std::vector<uint32_t> sizes(parts);
  for (Part p : part)
    ++sizes[p];
  std::vector<int64_t> ties(parts);
  auto visitTies = [&](ClusterId c, auto visit) {
    for (size_t i = problem.offsets[c]; i < problem.offsets[c + 1]; ++i)
      if (auto [node, weight] = problem.neighbours[i]; node != problem.host())
        visit(part[node], weight);
  };
  auto bestOther = [&](ClusterId c) { // what it loses, and the part
    visitTies(c, [&](Part p, int64_t weight) { ties[p] += weight; });
    auto any =
        Part(std::ranges::find_if(sizes, [&](uint32_t s) { return s < room; }) - sizes.begin());
    int64_t own = ties[part[c]];
    std::pair best{own - (any == part[c] ? 0 : ties[any]), any};
    visitTies(c, [&](Part p, int64_t) {
      if (sizes[p] < room)
        best = std::min(best, std::pair{own - ties[p], p});
    });
    visitTies(c, [&](Part p, int64_t) { ties[p] = 0; });
    return best;
  };
  std::vector<std::pair<int64_t, ClusterId>> leaving;
  for (ClusterId c = 0; c < problem.clusters; ++c)
    if (sizes[part[c]] > room)
      leaving.push_back({bestOther(c).first, c});
  std::ranges::sort(leaving);
  for (auto [loss, c] : leaving) {
    if (sizes[part[c]] <= room)
      continue;
    Part to = bestOther(c).second; // as it is by now
    --sizes[part[c]];
    ++sizes[to];
    part[c] = to;
  }
}

/// A chip for each part: the same problem as clusters on tiles.
std::vector<uint32_t> placeParts(const PlacementProblem &problem, const std::vector<Part> &part,
                                 uint32_t parts, const MappingOptions &options) {
  const Mesh &mesh = problem.mesh;
  PlacementProblem chips;
  chips.mesh.columns = mesh.columns / mesh.chipColumns;
  chips.mesh.rows = mesh.rows / mesh.chipRows;
  chips.clusters = parts;
  std::vector<TileId> hostChips;
  for (TileId tile : mesh.hostTiles)
    hostChips.push_back(mesh.chipOf(tile));
  chips.mesh.hostTiles = hostChips;
  for (uint32_t chip = 0; chip < chips.mesh.tiles(); ++chip)
    chips.hostCosts.push_back(chips.cost(chips.mesh.hostTileFor(chip), chip));
  NodeWeights weights;
  auto nodeOf = [&](uint32_t node) { return node == problem.host() ? chips.host() : part[node]; };
  for (uint32_t node = 0; node <= problem.clusters; ++node)
    for (size_t i = problem.offsets[node]; i < problem.offsets[node + 1]; ++i)
      if (uint32_t a = nodeOf(node), b = nodeOf(problem.neighbours[i].node); a != b)
        weights[{a, b}] += problem.neighbours[i].weight;
  setNeighbours(chips, weights);
  chips.room.needs.resize(parts);
  MappingOptions own;
  own.seed = options.seed;
  return placeByAnnealing(chips, own, {});
}

} // namespace

llvm::Expected<std::vector<uint32_t>> cutBetweenChips(const PlacementProblem &problem,
                                                      const MappingOptions &options) {
  const Mesh &mesh = problem.mesh;
  if (!mesh.isJoined() || problem.clusters == 0)
    return std::vector<uint32_t>();
  uint32_t chips = mesh.columns / mesh.chipColumns * (mesh.rows / mesh.chipRows);
  uint32_t room = leastRoom(problem);
  if (uint64_t(room) * chips < problem.clusters)
    return std::vector<uint32_t>();
  uint32_t parts = (problem.clusters + room - 1) / room;
  SPINDLE_ASSIGN(std::vector<Part> part, split(problem, parts, room, options.seed));
  level(problem, part, parts, room);
  std::vector<uint32_t> places = placeParts(problem, part, parts, options);
  std::vector<uint32_t> result;
  for (Part p : part)
    result.push_back(places[p]);
  return result;
}

} // namespace spindle
