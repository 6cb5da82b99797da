#include "lib/mapping/PlacementProblem.h"

#include "core/chip/RouterTiming.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

namespace spindle {

namespace {

constexpr double fjPerPj = 1000;
constexpr int64_t kPartsOfHop = 100;
constexpr double costLimit = 0x1p62; // sums and differences of costs stay within 64 bits

} // namespace

void setNeighbours(PlacementProblem &problem, const NodeWeights &weights) {
  problem.offsets.assign(problem.clusters + 2, 0);
  for (const auto &[nodes, weight] : weights) {
    if (weight == 0)
      continue;
    problem.neighbours.push_back({nodes.second, weight});
    problem.offsets[nodes.first + 1] = problem.neighbours.size();
  }
  for (size_t node = 1; node < problem.offsets.size(); ++node)
    problem.offsets[node] = std::max(problem.offsets[node], problem.offsets[node - 1]);
}

llvm::Expected<PlacementProblem> placementProblem(const Clustering &clustering, const Chip &chip,
                                                  PlacementObjective objective) {
  PlacementProblem problem;
  problem.mesh = chip.mesh;
  problem.crossbarsPerTile = chip.crossbarsPerTile;
  problem.clusters = static_cast<uint32_t>(clustering.clusters.size());
  problem.room = PlacementRoom(clustering, chip);
  if (chip.mesh.isJoined()) { // parts of a hop count
    problem.hopX = problem.hopY = kPartsOfHop;
    problem.chipLink = std::llround((hopsPerChipLink(chip) - 1) * kPartsOfHop);
  }
  if (objective == PlacementObjective::Energy) {
    problem.chipLink = std::llround(chip.energy.chipLinkPj.value * fjPerPj);
    problem.hopX = std::llround(chip.energy.hopXPj.value * fjPerPj);
    problem.hopY = std::llround(chip.energy.hopYPj.value * fjPerPj);
    if (problem.hopX == 0 && problem.hopY == 0)
      return inputError(chip.path,
                        "objective energy needs a price of hops, but hop_x_pj and hop_y_pj "
                        "are absent; add them or choose objective spike_hops");
  }

  for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile)
    problem.hostCosts.push_back(problem.cost(chip.mesh.hostTileFor(tile), tile));

  double alongX = chip.mesh.isBus() ? chip.mesh.tiles() : chip.mesh.columns;
  double alongY = chip.mesh.isTree() ? 2 * chip.mesh.tree().height() : chip.mesh.rows;
  double farthest = static_cast<double>(problem.hopX + problem.chipLink) * alongX +
                    static_cast<double>(problem.hopY + problem.chipLink) * alongY;
  double worst = 0;
  NodeWeights weights;
  for (const ClusterLink &link : clustering.links) {
    uint32_t from = link.from == kNone ? problem.host() : link.from;
    auto sums = static_cast<double>(partialSumPackets(clustering, link));
    double weight = static_cast<double>(link.spikes) + sums;
    if (objective == PlacementObjective::Energy)
      weight = static_cast<double>(link.spikes) * chip.router.spikePacketFlits +
               partialSumFlits(chip.router, sums, static_cast<double>(link.partialSums));
    worst += weight * farthest;
    if (worst > costLimit)
      return inputError("clustering", "the links carry more packets than costs can count; record "
                                      "fewer samples");
    auto exact = static_cast<int64_t>(weight); // whole
    weights[{from, link.to}] += exact;
    weights[{link.to, from}] += exact;
  }
  setNeighbours(problem, weights);
  return problem;
}

int64_t costOf(const PlacementProblem &problem, const Slots &slots) {
  int64_t cost = 0;
  for (uint32_t node = 0; node < problem.clusters; ++node)
    for (size_t i = problem.offsets[node]; i < problem.offsets[node + 1]; ++i) {
      const PlacementProblem::Neighbour &other = problem.neighbours[i];
      if (other.node < node)
        continue; // each pair once
      TileId tile = problem.tileOf(slots[node]);
      cost += other.weight * (other.node == problem.host()
                                  ? problem.hostCosts[tile]
                                  : problem.cost(tile, problem.tileOf(slots[other.node])));
    }
  return cost;
}

} // namespace spindle
