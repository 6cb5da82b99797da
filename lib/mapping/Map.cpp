#include "lib/mapping/Map.h"

#include "lib/mapping/Strategies.h"

#include "fmt/format.h"

#include <array>

namespace spindle {

namespace {

struct Strategy {
  const char *name;
  Slots (*place)(const PlacementProblem &, const MappingOptions &, const Progress &);
};

/// In the order of PlacementAlgorithm.
constexpr std::array<Strategy, 3> strategies{
    {{"annealing", placeByAnnealing}, {"greedy", placeGreedily}, {"random", placeRandomly}}};

constexpr uint32_t randomSeeds = 10;

/// Mean over the placements that `algorithm: random` makes with seeds 0, 1, ….
double meanOfRandom(const PlacementProblem &spikeHops) {
  double sum = 0;
  for (uint32_t seed = 0; seed < randomSeeds; ++seed) {
    MappingOptions options;
    options.seed = seed;
    sum += static_cast<double>(costOf(spikeHops, placeRandomly(spikeHops, options, {})));
  }
  return sum / randomSeeds;
}

} // namespace

void readMappingOptions(YamlReader &reader, MappingOptions &options) {
  std::vector<const char *> names;
  for (const Strategy &strategy : strategies)
    names.push_back(strategy.name);
  reader.readEnum("algorithm", options.algorithm, names);
  reader.readEnum("objective", options.objective,
                  {"spike_hops", "energy", "multicast_hops", "congestion"});
  reader.read("seed", options.seed, 0);
  reader.read("moves", options.moves, 0, 100'000'000);
}

llvm::Expected<Mapping> map(const Clustering &clustering, const Chip &chip,
                            const MappingOptions &options, const Progress &progress) {
  SPINDLE_RETURN_IF_ERROR(verify(clustering));
  if (clustering.clusters.size() > chip.crossbars())
    return inputError(chip.path,
                      fmt::format("{} clusters need as many crossbars, but the chip has {} "
                                  "({}x{} tiles of {}); choose a larger mesh",
                                  clustering.clusters.size(), chip.crossbars(), chip.mesh.columns,
                                  chip.mesh.rows, chip.crossbarsPerTile));
  bool byEnergy = options.objective == PlacementObjective::Energy;
  SPINDLE_ASSIGN(
      PlacementProblem problem,
      placementProblem(clustering, chip,
                       byEnergy ? PlacementObjective::Energy : PlacementObjective::SpikeHops));
  SPINDLE_ASSIGN(PlacementProblem spikeHops,
                 placementProblem(clustering, chip, PlacementObjective::SpikeHops));
  const Strategy &strategy = strategies[static_cast<size_t>(options.algorithm)];
  Slots slots = strategy.place(problem, options, progress);
  if (options.algorithm == PlacementAlgorithm::Annealing &&
      options.objective != PlacementObjective::SpikeHops) {
    SPINDLE_ASSIGN(NetProblem nets, netProblem(clustering, chip, options.objective));
    slots = annealNets(nets, std::move(slots), options, progress);
  }

  Mapping mapping;
  mapping.algorithm = strategy.name;
  mapping.chip = chip.name;
  mapping.mesh = chip.mesh;
  for (SlotId slot : slots)
    mapping.placements.push_back({problem.tileOf(slot), slot % chip.crossbarsPerTile});
  for (const ClusterLink &link : clustering.links) {
    TileId to = mapping.placements[link.to].tile;
    TileId from =
        link.from == kNone ? chip.mesh.hostTileFor(to) : mapping.placements[link.from].tile;
    mapping.routes.push_back({link.from, link.to, chip.mesh.routeXY(from, to)});
  }
  mapping.spikeHops = static_cast<uint64_t>(costOf(spikeHops, slots));
  mapping.randomSpikeHops = meanOfRandom(spikeHops);
  mapping.randomSeeds = randomSeeds;
  SPINDLE_RETURN_IF_ERROR(verify(mapping, clustering, chip));
  return mapping;
}

} // namespace spindle
