#include "lib/partition/Partition.h"

#include "core/chip/loads/InseparableClusters.h"
#include "core/network/SpikeTrace.h"
#include "lib/partition/Decompose.h"
#include "lib/partition/Strategies.h"
#include "lib/partition/VerifyClustering.h"
#include "lib/partition/grouped/GroupedUnits.h"
#include "lib/partition/grouped/VerifySample.h"
#include "lib/partition/limits/CoreUses.h"
#include "lib/partition/limits/VerifyLimits.h"
#include "lib/partition/objectives/Search.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <iterator>

namespace spindle {

/// In the order of PartitionAlgorithm.
static constexpr Strategy *kStrategies[] = {
    partitionByMetis, refineByKernighanLin, partitionByAnnealing, packGreedily,
    packAtRandom,     packFirstFit,         packExactly};
static_assert(std::size(kStrategies) == std::size(kAlgorithmNames));

/// What needs synapses one by one.
static llvm::Error checkSharedLists(const SpikingGraph &graph, const Chip &chip,
                                    const PartitionOptions &options) {
  if (options.shape == FanInShape::Pairs)
    return needSynapses(graph, "spiking graph", "fan_in.shape: pairs");
  const CoreLimits &core = chip.crossbar.core;
  if (core.limits(core.axons) && core.axonTypes > 0)
    return needSynapses(graph, chip.path, "crossbar.limits.axon_types");
  if (core.limits(core.synapseWords) && core.sharing == WeightSharing::Kernel)
    return needSynapses(graph, chip.path, "crossbar.limits.weight_sharing: kernel");
  return llvm::Error::success();
}

llvm::Error checkPartitionInput(const SpikingGraph &graph, const Chip &chip,
                                const PartitionOptions &options) {
  SPINDLE_RETURN_IF_ERROR(verify(graph));
  SPINDLE_RETURN_IF_ERROR(checkSharedLists(graph, chip, options));
  if (chip.crossbar.rows == 0 || chip.crossbar.columns == 0)
    return inputError(chip.path,
                      fmt::format("a crossbar of {}x{} holds no neuron, expected at least "
                                  "one row and one column",
                                  chip.crossbar.rows, chip.crossbar.columns));
  for (const Population &population : graph.populations)
    if (population.kind == PopulationKind::Neuron)
      return llvm::Error::success();
  return inputError("spiking graph", "no population of neurons to place on the chip, only inputs");
}

/// Before anything was searched `needed` is a bound for all algorithms.
enum class Need { Bound, Found };

static llvm::Error checkCrossbars(const Chip &chip, const PartitionOptions &options, size_t needed,
                                  Need need) {
  std::string who = "the network needs at least", other;
  if (need == Need::Found) {
    who = fmt::format("{} needs", kAlgorithmNames[size_t(options.algorithm)]);
    other = "try another partition.algorithm, or ";
  }
  if (needed > chip.crossbars())
    return inputError(
        chip.path,
        fmt::format("{} {} crossbars of {}x{}, the chip has "
                    "{}{}; {}use a larger mesh, more crossbars_per_tile or "
                    "larger crossbars, or run it in loads with partition.multiplex: true",
                    who, needed, chip.crossbar.rows, chip.crossbar.columns, chip.crossbars(),
                    chip.crossbars() < chip.mesh.tiles() * chip.crossbarsPerTile ? " that work"
                                                                                 : "",
                    other));
  if (needed > usableCrossbars(chip, options))
    return inputError(chip.path,
                      fmt::format("{} {} crossbars of {}x{}, "
                                  "partition.crossbars allows {}; {}set crossbars: {}, or "
                                  "all for the {} of the chip",
                                  who, needed, chip.crossbar.rows, chip.crossbar.columns,
                                  options.crossbars, other, needed, chip.crossbars()));
  return llvm::Error::success();
}

uint32_t usableCrossbars(const Chip &chip, const PartitionOptions &options) {
  return options.crossbars == 0 ? chip.crossbars() : std::min(options.crossbars, chip.crossbars());
}

bool usesSteps(const SpikingGraph &graph, const Chip &chip, const PartitionOptions &options) {
  return (options.objective == PartitionObjective::Time ||
          options.objective == PartitionObjective::Energy) &&
         !options.multiplex && chip.synchronisation == Synchronisation::Barrier &&
         !graph.sharesLists();
}

/// Crossbars for a column of each neuron, of several where its fan-in is divided.
static uint64_t leastCrossbars(const SpikingGraph &graph, const Crossbar &crossbar) {
  uint64_t columns = 0;
  for (const Population &population : graph.populations)
    for (NeuronId n = 0; population.kind == PopulationKind::Neuron && n < population.size; ++n)
      columns +=
          std::max<uint64_t>(1, llvm::divideCeil(graph.fanIn(population.first + n), crossbar.rows));
  return llvm::divideCeil(columns, crossbar.columns);
}

llvm::Expected<Clustering> partition(const SpikingGraph &graph, const Chip &chip,
                                     const PartitionOptions &options, const SpikeTrace *trace) {
  SPINDLE_RETURN_IF_ERROR(checkPartitionInput(graph, chip, options));
  if (!options.multiplex)
    SPINDLE_RETURN_IF_ERROR(
        checkCrossbars(chip, options, leastCrossbars(graph, chip.crossbar), Need::Bound));
  SPINDLE_ASSIGN(Clustering clustering, partitionFreely(graph, chip, options, trace));
  if (!options.multiplex)
    SPINDLE_RETURN_IF_ERROR(checkCrossbars(chip, options, clustering.clusters.size(), Need::Found));
  return clustering;
}

/// Load after load.
static bool canBeLoaded(const Clustering &clustering, const Chip &chip) {
  return llvm::all_of(inseparableClusters(clustering),
                      [&](const auto &part) { return part.size() <= chip.crossbars(); });
}

static llvm::Expected<Clustering> search(const PartitionProblem &problem) {
  const PartitionOptions &options = problem.options;
  SPINDLE_ASSIGN(Clustering clustering, searchObjective(problem));
  clustering.algorithm = kAlgorithmNames[size_t(options.algorithm)];
  if (options.multiplex && !canBeLoaded(clustering, problem.chip)) {
    Clustering apart = clusterLayersApart(problem);
    apart.algorithm = kLayersApart;
    if (canBeLoaded(apart, problem.chip))
      clustering = std::move(apart);
  }
  return clustering;
}

/// A graph whose lists are shared: groups of units in the place of units.
static llvm::Expected<Clustering> partitionGroups(const SpikingGraph &graph, const Chip &chip,
                                                  const PartitionOptions &options) {
  std::vector<Unit> units = decompose(graph, chip.crossbar, options.shape);
  GroupedUnits groups(graph, units, chip.crossbar, options.shape);
  SPINDLE_RETURN_IF_ERROR(groups.checkFit(chip));
  PartitionProblem problem{graph,  units,   groups.hypergraph(),
                           chip,   options, kStrategies[size_t(options.algorithm)],
                           &groups};
  SPINDLE_ASSIGN(Clustering clustering, search(problem));
  SPINDLE_RETURN_IF_ERROR(verifySample(graph, clustering));
  SPINDLE_RETURN_IF_ERROR(verifyLimits(graph, clustering, chip.crossbar));
  return clustering;
}

llvm::Expected<Clustering> partitionFreely(const SpikingGraph &graph, const Chip &chip,
                                           const PartitionOptions &options,
                                           const SpikeTrace *trace) {
  SPINDLE_RETURN_IF_ERROR(checkPartitionInput(graph, chip, options));
  if (options.objective == PartitionObjective::Energy && chip.energy == EnergyTable())
    return inputError(chip.path, "partition.objective energy needs prices of energy, and the chip "
                                 "has none; add a section energy, or choose time or traffic");
  if (options.shape == FanInShape::Pairs && chip.crossbar.rows < 2)
    return inputError(chip.path, "fan_in.shape pairs needs crossbars of at least 2 rows, found 1; "
                                 "choose rows, or a larger crossbar");
  if (!usesSteps(graph, chip, options))
    trace = nullptr;
  if (trace && (trace->populations != graph.populations || trace->steps != graph.steps ||
                trace->recorded.size() != graph.samples))
    return inputError("spike trace", "is of another run than the spiking graph; make both again: "
                                     "--from emulate");
  if (graph.sharesLists())
    return partitionGroups(graph, chip, options);
  std::vector<Unit> units = decompose(graph, chip.crossbar, options.shape);
  // Of pairs many lie in one crossbar: where is up to the search. All other sums travel anyway.
  Hypergraph hypergraph = buildHypergraph(graph, units, options.shape == FanInShape::Pairs);
  SPINDLE_RETURN_IF_ERROR(checkUnitsFit(graph, units, chip));
  hypergraph.uses = coreUses(graph, units, chip.crossbar);
  SPINDLE_ASSIGN(Clustering clustering,
                 search({graph, units, hypergraph, chip, options,
                         kStrategies[size_t(options.algorithm)], nullptr, trace}));
  SPINDLE_RETURN_IF_ERROR(verifyAgainst(graph, clustering));
  SPINDLE_RETURN_IF_ERROR(verifyLimits(graph, clustering, chip.crossbar));
  return clustering;
}

} // namespace spindle
