#include "lib/partition/bounds/PartitionBounds.h"

#include "core/chip/work/CrossbarWork.h"
#include "lib/partition/Decompose.h"
#include "lib/partition/Partition.h"
#include "lib/partition/bounds/LinearBound.h"
#include "lib/partition/bounds/ReadingClusters.h"
#include "lib/partition/grouped/GroupedUnits.h"
#include "lib/partition/packing/Packing.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

namespace spindle {

uint64_t PartitionBounds::clusters() const { return std::max({columns, synapses, rows, linear}); }

double leastSlowestWork(const Hypergraph &graph, const LatencyTable &latency, double steps,
                        uint32_t crossbars, ColumnsOfVertex columns) {
  CrossbarWork all;
  double largest = 0;
  for (VertexId v = 0; v < graph.vertices(); ++v) {
    CrossbarWork own = workOf(graph, v, steps);
    all.columnUpdates += own.columnUpdates;
    all.cells += own.cells;
    all.partialSums += own.partialSums;
    if (columns == ColumnsOfVertex::Apart) {
      double part = 1.0 / graph.columns[v];
      own.columnUpdates *= part;
      own.cells = own.cells.times(part);
      own.partialSums *= part;
    }
    largest = std::max(largest, workCycles(own, latency));
  }
  return std::max(largest, workCycles(all, latency) / crossbars);
}

/// Columns, or groups of them that read alike.
static Hypergraph hypergraphOf(const SpikingGraph &graph, const std::vector<Unit> &units,
                               const Crossbar &crossbar, FanInShape shape) {
  return graph.sharesLists() ? GroupedUnits(graph, units, crossbar, shape).hypergraph()
                             : buildHypergraph(graph, units);
}

llvm::Expected<PartitionBounds> boundPartitions(const SpikingGraph &graph, const Chip &chip,
                                                const PartitionOptions &options) {
  SPINDLE_RETURN_IF_ERROR(checkPartitionInput(graph, chip, options));
  const Crossbar &crossbar = chip.crossbar;
  std::vector<Unit> units = decompose(graph, crossbar, options.shape);
  Hypergraph hypergraph = hypergraphOf(graph, units, crossbar, options.shape);
  if (options.shape == FanInShape::Pairs) // parts of a neuron may share a crossbar, without packets
    std::fill(hypergraph.sums.begin(), hypergraph.sums.end(), 0);
  LeastReach reach = leastReach(hypergraph, crossbar);

  PartitionBounds bounds;
  bounds.columns = llvm::divideCeil(units.size(), crossbar.columns);
  bounds.synapses = llvm::divideCeil(graph.synapses(), uint64_t(crossbar.rows) * crossbar.columns);
  uint64_t rows = 0;
  for (uint32_t net = 0; net < hypergraph.nets(); ++net) {
    rows += reach.rows[net] * hypergraph.rowsOfNet(net);
    bounds.deliveries += reach.deliveries[net] * hypergraph.spikes[net];
  }
  bounds.rows = llvm::divideCeil(rows, crossbar.rows);
  if (!graph.sharesLists())
    bounds.linear = boundLinearly(graph, units, hypergraph, reach.rows, crossbar);
  bounds.partialSums = std::accumulate(hypergraph.sums.begin(), hypergraph.sums.end(), uint64_t(0));
  double steps = double(graph.samples) * graph.steps;
  if (graph.samples > 0)
    bounds.slowestCycles =
        leastSlowestWork(hypergraph, chip.latency, steps, usableCrossbars(chip, options),
                         ColumnsOfVertex::Apart) /
        graph.samples;
  return bounds;
}

} // namespace spindle
