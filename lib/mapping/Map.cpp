#include "lib/mapping/Map.h"

#include "core/chip/routing/ChannelDependences.h"
#include "core/chip/routing/Ways.h"
#include "lib/mapping/Matching.h"
#include "lib/mapping/Strategies.h"
#include "lib/mapping/joined/CutBetweenChips.h"

#include "fmt/format.h"

#include <array>
#include <map>
#include <numeric>

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

/// Packets × links of the ways that they take.
class SpikeHops {
public:
  SpikeHops(const Clustering &given, const Chip &target)
      : clustering(given), chip(target), ways(target) {}

  std::vector<TileId> route(const ClusterLink &link, const Slots &slots) const {
    auto [from, to] = ends(link, slots);
    return ways.route(from, to);
  }
  uint64_t of(const Slots &slots) const {
    uint64_t sum = 0;
    for (const ClusterLink &link : clustering.links) {
      auto [from, to] = ends(link, slots);
      sum += (link.spikes + partialSumPackets(clustering, link)) * ways.hops(from, to);
    }
    return sum;
  }
  /// Mean over the placements that `algorithm: random` makes with seeds 0, 1, ….
  double meanOfRandom(const PlacementProblem &problem) const {
    double sum = 0;
    for (uint32_t seed = 0; seed < randomSeeds; ++seed) {
      MappingOptions options;
      options.seed = seed;
      sum += static_cast<double>(of(placeRandomly(problem, options, {})));
    }
    return sum / randomSeeds;
  }

private:
  std::pair<TileId, TileId> ends(const ClusterLink &link, const Slots &slots) const {
    TileId to = slots[link.to] / chip.crossbarsPerTile;
    return {link.from == kNone ? chip.mesh.hostTileFor(to)
                               : slots[link.from] / chip.crossbarsPerTile,
            to};
  }

  const Clustering &clustering;
  const Chip &chip;
  Ways ways;
};

/// For errors: ", of which 3 crossbars are dead"
std::string deadText(const Chip &chip) {
  uint32_t dead = chip.mesh.tiles() * chip.crossbarsPerTile - chip.crossbars();
  return dead == 0 ? "" : fmt::format(", of which {} crossbars are dead", dead);
}

/// Crossbars with faults hold only some of the clusters.
llvm::Error checkRoom(const PlacementProblem &problem, const Chip &chip) {
  if (!problem.room.crossbars.hasFaults())
    return llvm::Error::success();
  Slots all(problem.slots());
  std::iota(all.begin(), all.end(), 0);
  Matching matching(problem, std::move(all));
  for (ClusterId c = 0; c < problem.clusters; ++c)
    if (!matching.add(c)) {
      size_t rivals = matching.rivals().size();
      CrossbarSize need = problem.room.needs[c];
      return inputError(
          chip.path,
          fmt::format(
              "faults leave too little room: {} clusters fit into no more than {} crossbars "
              "(cluster {} needs {} rows and {} columns); make crossbar rows and columns "
              "smaller in this file and partition again, or choose a larger mesh",
              rivals, rivals - 1, c, need.rows, need.columns));
    }
  return llvm::Error::success();
}

/// Clusters in their crossbars, with the routes of their links.
llvm::Expected<Mapping> mappingOf(const Clustering &clustering, const Chip &chip,
                                  const char *algorithm, const Slots &slots) {
  SPINDLE_ASSIGN(PlacementProblem bySpikeHops,
                 placementProblem(clustering, chip, PlacementObjective::SpikeHops));
  Mapping mapping;
  mapping.algorithm = algorithm;
  mapping.chip = chip.name;
  mapping.mesh = chip.mesh;
  for (SlotId slot : slots)
    mapping.placements.push_back({bySpikeHops.tileOf(slot), slot % chip.crossbarsPerTile});
  SpikeHops spikeHops(clustering, chip);
  mapping.impliesRoutes = clustering.links.size() > kMostListedRoutes && goesXY(chip);
  if (!mapping.impliesRoutes)
    for (const ClusterLink &link : clustering.links)
      mapping.routes.push_back({link.from, link.to, spikeHops.route(link, slots)});
  mapping.spikeHops = spikeHops.of(slots);
  mapping.randomSpikeHops = spikeHops.meanOfRandom(bySpikeHops);
  mapping.randomSeeds = randomSeeds;
  SPINDLE_RETURN_IF_ERROR(verify(mapping, clustering, chip));
  return mapping;
}

/// The crossbar on which the neurons of each cluster are listed.
llvm::Expected<Slots> listedSlots(const Clustering &clustering, const Chip &chip,
                                  const PlacementList &list) {
  Slots slots(clustering.clusters.size(), kNone);
  std::vector<const ListedNeuron *> firsts(slots.size());
  std::map<SlotId, ClusterId> holders;
  for (const Unit &unit : clustering.units) {
    const ListedNeuron *listed = list.find(unit.neuron);
    if (!listed)
      return inputError(
          list.path,
          fmt::format("neuron {} is not listed; give it a tile and a crossbar", unit.neuron));
    const ListedNeuron *&first = firsts[unit.cluster];
    if (first && first->place != listed->place)
      return inputError(
          list.placeOf(*listed),
          fmt::format("neuron {} is listed elsewhere than neuron {}, with which it is "
                      "in a cluster; run the stage partition with this list",
                      listed->neuron, first->neuron));
    first = listed;
    SlotId slot = listed->place.tile * chip.crossbarsPerTile + listed->place.crossbar;
    ClusterId other = holders.try_emplace(slot, unit.cluster).first->second;
    if (other != unit.cluster)
      return inputError(list.placeOf(*listed),
                        fmt::format("neuron {} is listed on the crossbar of neuron {}, which is in "
                                    "another cluster; run the stage partition with this list",
                                    listed->neuron, firsts[other]->neuron));
    slots[unit.cluster] = slot;
  }
  return slots;
}

llvm::Error checkListed(const PlacementProblem &problem, const Slots &slots,
                        const PlacementList &list) {
  for (ClusterId c = 0; c < slots.size(); ++c)
    if (!problem.room.fits(c, slots[c]))
      return inputError(list.path,
                        fmt::format("crossbar {} of tile {} is dead, or has lost lines that its "
                                    "neurons need; list them on another one",
                                    slots[c] % problem.crossbarsPerTile, problem.tileOf(slots[c])));
  return llvm::Error::success();
}

} // namespace

void readMappingOptions(YamlReader &reader, MappingOptions &options) {
  std::vector<const char *> names;
  for (const Strategy &strategy : strategies)
    names.push_back(strategy.name);
  reader.readEnum("algorithm", options.algorithm, names);
  const std::vector<const char *> goals = {"spike_hops", "energy", "multicast_hops", "congestion",
                                           "time"};
  reader.readEnum("objective", options.objective, goals);
  bool isGreedy = options.algorithm == PlacementAlgorithm::Greedy;
  bool isSought = options.algorithm == PlacementAlgorithm::Annealing ||
                  options.objective == PlacementObjective::SpikeHops ||
                  (isGreedy && options.objective == PlacementObjective::Energy);
  if (!isSought)
    reader.fail("objective",
                fmt::format("algorithm {} does not seek objective {}, {}; choose another or leave "
                            "it out",
                            names[size_t(options.algorithm)], goals[size_t(options.objective)],
                            isGreedy ? "annealing does" : "annealing seeks all, greedy energy"));
  reader.read("seed", options.seed, 0);
  reader.read("moves", options.moves, 0, 100'000'000);
}

llvm::Expected<Mapping> map(const Clustering &clustering, const Chip &chip,
                            const MappingOptions &options, const Progress &progress) {
  SPINDLE_RETURN_IF_ERROR(verify(clustering));
  if (clustering.clusters.size() > chip.crossbars())
    return inputError(chip.path,
                      fmt::format("{} clusters need as many crossbars, but the chip has {} "
                                  "({}x{} tiles of {}{}); choose a larger mesh",
                                  clustering.clusters.size(), chip.crossbars(), chip.mesh.columns,
                                  chip.mesh.rows, chip.crossbarsPerTile, deadText(chip)));
  bool byEnergy = options.objective == PlacementObjective::Energy;
  SPINDLE_ASSIGN(
      PlacementProblem problem,
      placementProblem(clustering, chip,
                       byEnergy ? PlacementObjective::Energy : PlacementObjective::SpikeHops));
  SPINDLE_RETURN_IF_ERROR(checkRoom(problem, chip));
  if (chip.router.hasFaults())
    SPINDLE_RETURN_IF_ERROR(checkDeadlockFree(chip));
  if (options.algorithm == PlacementAlgorithm::Annealing) {
    SPINDLE_ASSIGN(problem.chips, cutBetweenChips(problem, options));
  }
  const Strategy &strategy = strategies[static_cast<size_t>(options.algorithm)];
  Slots slots = strategy.place(problem, options, progress);
  if (options.algorithm == PlacementAlgorithm::Annealing &&
      options.objective != PlacementObjective::SpikeHops) {
    SPINDLE_ASSIGN(NetProblem nets, netProblem(clustering, chip, options.objective));
    nets.beginsOnChips = !problem.chips.empty();
    slots = annealNets(nets, std::move(slots), options, progress);
  }
  return mappingOf(clustering, chip, strategy.name, slots);
}

llvm::Expected<Mapping> mapAsListed(const Clustering &clustering, const Chip &chip,
                                    const PlacementList &list) {
  SPINDLE_RETURN_IF_ERROR(verify(clustering));
  SPINDLE_ASSIGN(Slots slots, listedSlots(clustering, chip, list));
  SPINDLE_ASSIGN(PlacementProblem problem,
                 placementProblem(clustering, chip, PlacementObjective::SpikeHops));
  SPINDLE_RETURN_IF_ERROR(checkListed(problem, slots, list));
  if (chip.router.hasFaults())
    SPINDLE_RETURN_IF_ERROR(checkDeadlockFree(chip));
  return mappingOf(clustering, chip, "listed", slots);
}

} // namespace spindle
