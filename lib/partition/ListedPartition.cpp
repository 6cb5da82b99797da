#include "lib/partition/ListedPartition.h"

#include "lib/partition/Decompose.h"
#include "lib/partition/Partition.h"
#include "lib/partition/VerifyClustering.h"
#include "lib/partition/limits/CoreUses.h"
#include "lib/partition/limits/VerifyLimits.h"
#include "lib/partition/packing/BuildClustering.h"

#include "fmt/format.h"

#include <map>

namespace spindle {

static std::string crossbarText(const Placement &place) {
  return fmt::format("crossbar {} of tile {}", place.crossbar, place.tile);
}

/// Neurons that the network has not, or the host drives.
static llvm::Error checkListed(const SpikingGraph &graph, const PlacementList &list) {
  for (const ListedNeuron &listed : list.neurons) {
    if (listed.neuron >= graph.neurons())
      return inputError(list.placeOf(listed),
                        fmt::format("neuron {} is not there, the network has neurons 0 to {}",
                                    listed.neuron, graph.neurons() - 1));
    for (const Population &population : graph.populations)
      if (population.kind == PopulationKind::Input && listed.neuron >= population.first &&
          listed.neuron - population.first < population.size)
        return inputError(list.placeOf(listed),
                          fmt::format("neuron {} is an input ({}), which needs no crossbar; leave "
                                      "it out",
                                      listed.neuron, population.name));
  }
  return llvm::Error::success();
}

static llvm::Error checkSizes(const Clustering &clustering, const Crossbar &crossbar,
                              const std::vector<Placement> &places, const PlacementList &list) {
  for (size_t c = 0; c < clustering.clusters.size(); ++c) {
    const Cluster &cluster = clustering.clusters[c];
    for (auto [what, size, most] :
         {std::tuple{"columns", uint64_t(cluster.units), crossbar.columns},
          {"rows", uint64_t(cluster.axons.size()), crossbar.rows}})
      if (size > most)
        return inputError(list.path,
                          fmt::format("{} takes {} {}, and has {}; list fewer neurons there",
                                      crossbarText(places[c]), size, what, most));
  }
  return llvm::Error::success();
}

llvm::Expected<Clustering> partitionAsListed(const SpikingGraph &graph, const Chip &chip,
                                             const PlacementList &list) {
  SPINDLE_RETURN_IF_ERROR(checkPartitionInput(graph, chip, {}));
  SPINDLE_RETURN_IF_ERROR(needSynapses(graph, list.path, "a list of placements"));
  SPINDLE_RETURN_IF_ERROR(checkListed(graph, list));
  std::vector<Unit> units = decompose(graph, chip.crossbar);
  SPINDLE_RETURN_IF_ERROR(checkUnitsFit(graph, units, chip));
  std::map<std::pair<TileId, uint32_t>, ClusterId> numbers;
  std::vector<ClusterId> clusterOf;
  std::vector<Placement> places;
  for (const Unit &unit : units) { // clusters in the order of their first units, as in all others
    if (unit.carryTo != kNone)
      return inputError(
          chip.path, fmt::format("neuron {} has {} sources and a crossbar {} rows, and neurons "
                                 "that are divided among columns cannot be listed; use crossbars "
                                 "of more rows, or leave out key 'placement'",
                                 unit.neuron, graph.fanIn(unit.neuron), chip.crossbar.rows));
    const ListedNeuron *listed = list.find(unit.neuron);
    if (!listed)
      return inputError(list.path, fmt::format("neuron {} is not listed; give it a tile and a "
                                               "crossbar",
                                               unit.neuron));
    auto [found, isNew] =
        numbers.try_emplace({listed->place.tile, listed->place.crossbar}, numbers.size());
    if (isNew)
      places.push_back(listed->place);
    clusterOf.push_back(found->second);
  }
  Clustering clustering = buildClustering(graph, units, clusterOf, chip.crossbar);
  clustering.algorithm = "listed";
  SPINDLE_RETURN_IF_ERROR(checkSizes(clustering, chip.crossbar, places, list));
  SPINDLE_RETURN_IF_ERROR(verifyAgainst(graph, clustering));
  if (llvm::Error error = verifyLimits(graph, clustering, chip.crossbar))
    return llvm::handleErrors(std::move(error), [&](std::unique_ptr<SpindleError> limit) {
      return inputError(list.path, limit->message + "; list fewer neurons on its crossbar");
    });
  return clustering;
}

} // namespace spindle
