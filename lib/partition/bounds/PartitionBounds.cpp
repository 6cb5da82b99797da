#include "lib/partition/bounds/PartitionBounds.h"

#include "core/chip/CrossbarWork.h"
#include "lib/partition/Decompose.h"
#include "lib/partition/Partition.h"
#include "lib/partition/bounds/LinearBound.h"
#include "lib/partition/bounds/ReadingClusters.h"
#include "lib/partition/packing/BuildClustering.h"
#include "lib/partition/packing/Packing.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

namespace spindle {

uint64_t PartitionBounds::clusters() const { return std::max({columns, synapses, rows, linear}); }

double leastSlowestWork(const Hypergraph &units, const LatencyTable &latency, double steps,
                        uint32_t crossbars) {
  CrossbarWork all;
  double largest = 0;
  for (VertexId v = 0; v < units.vertices(); ++v) {
    CrossbarWork own = workOf(units, v, steps);
    largest = std::max(largest, workCycles(own, latency));
    all.columnUpdates += own.columnUpdates;
    all.cells += own.cells;
    all.partialSums += own.partialSums;
  }
  return std::max(largest, workCycles(all, latency) / crossbars);
}

llvm::Expected<PartitionBounds> boundPartitions(const SpikingGraph &graph, const Chip &chip,
                                                const PartitionOptions &options) {
  SPINDLE_RETURN_IF_ERROR(checkPartitionInput(graph, chip));
  const Crossbar &crossbar = chip.crossbar;
  std::vector<Unit> units = decompose(graph, crossbar, options.shape);
  Hypergraph hypergraph = buildHypergraph(graph, units);
  LeastReach reach = leastReach(hypergraph, crossbar);

  PartitionBounds bounds;
  bounds.columns = llvm::divideCeil(units.size(), crossbar.columns);
  bounds.synapses = llvm::divideCeil(graph.synapses(), uint64_t(crossbar.rows) * crossbar.columns);
  uint64_t rows = std::accumulate(reach.rows.begin(), reach.rows.end(), uint64_t(0));
  bounds.rows = llvm::divideCeil(rows, crossbar.rows);
  bounds.linear = boundLinearly(graph, units, hypergraph, reach.rows, crossbar);
  for (uint32_t net = 0; net < hypergraph.nets(); ++net)
    bounds.deliveries += reach.deliveries[net] * hypergraph.spikes[net];
  for (uint64_t sums : partialSumBounds(graph, units))
    bounds.partialSums += sums;
  double steps = double(graph.samples) * graph.steps;
  if (graph.samples > 0)
    bounds.slowestCycles =
        leastSlowestWork(hypergraph, chip.latency, steps, usableCrossbars(chip, options)) /
        graph.samples;
  return bounds;
}

} // namespace spindle
