#include "lib/partition/Partition.h"

#include "lib/partition/Decompose.h"
#include "lib/partition/Strategies.h"
#include "lib/partition/VerifyClustering.h"
#include "lib/partition/objectives/Search.h"

#include "fmt/format.h"

#include <iterator>

namespace spindle {

/// In the order of PartitionAlgorithm.
static constexpr Strategy *kStrategies[] = {partitionByMetis, refineByKernighanLin, packGreedily,
                                            packAtRandom};
static_assert(std::size(kStrategies) == std::size(kAlgorithmNames));

static llvm::Error checkInput(const SpikingGraph &graph, const Chip &chip) {
  SPINDLE_RETURN_IF_ERROR(verify(graph));
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

static llvm::Error checkCrossbars(const PartitionProblem &problem, const Clustering &clustering) {
  const Chip &chip = problem.chip;
  size_t needed = clustering.clusters.size();
  if (needed > chip.crossbars())
    return inputError(chip.path,
                      fmt::format("the network needs {} crossbars of {}x{}, the chip has "
                                  "{}; use a larger mesh, more crossbars_per_tile or "
                                  "larger crossbars",
                                  needed, chip.crossbar.rows, chip.crossbar.columns,
                                  chip.crossbars()));
  if (needed > problem.crossbars())
    return inputError(chip.path, fmt::format("the network needs {} crossbars of {}x{}, "
                                             "partition.crossbars allows {}; set crossbars: {}, or "
                                             "all for the {} of the chip",
                                             needed, chip.crossbar.rows, chip.crossbar.columns,
                                             problem.crossbars(), needed, chip.crossbars()));
  return llvm::Error::success();
}

llvm::Expected<Clustering> partition(const SpikingGraph &graph, const Chip &chip,
                                     const PartitionOptions &options) {
  SPINDLE_RETURN_IF_ERROR(checkInput(graph, chip));
  auto algorithm = static_cast<size_t>(options.algorithm);

  std::vector<Unit> units = decompose(graph, chip.crossbar);
  Hypergraph hypergraph = buildHypergraph(graph, units);
  PartitionProblem problem{graph, units, hypergraph, chip, options, kStrategies[algorithm]};
  SPINDLE_ASSIGN(Clustering clustering, searchObjective(problem));
  SPINDLE_RETURN_IF_ERROR(checkCrossbars(problem, clustering));
  clustering.algorithm = kAlgorithmNames[algorithm];
  SPINDLE_RETURN_IF_ERROR(verifyAgainst(graph, clustering));
  return clustering;
}

} // namespace spindle
