#include "lib/partition/Coarsen.h"
#include "lib/partition/Strategies.h"
#include "lib/support/CounterRandom.h"

#include <numeric>

namespace spindle {

/// The baseline: vertices in random order, each into the first cluster where it fits. Twins stay
/// together, else a convolution of C channels would need about C times the crossbars and no chip
/// would have room for the baseline.
llvm::Expected<Packing> packAtRandom(const Hypergraph &units, const Crossbar &crossbar,
                                     const PartitionOptions &options) {
  CoarseHypergraph twins = mergeTwins(units, crossbar.columns);
  const Hypergraph &graph = twins.hypergraph;
  std::vector<VertexId> order(graph.vertices());
  std::iota(order.begin(), order.end(), 0);
  CounterRandom random(options.seed);
  for (uint32_t left = graph.vertices(); left > 1; --left)
    std::swap(order[left - 1], order[random.below(left)]);

  Packing packing(graph, crossbar);
  for (VertexId v : order) {
    ClusterId c = 0;
    while (c < packing.clusters() &&
           (graph.columns[v] > packing.freeColumns(c) || !packing.fits(v, packing.offer(v, c))))
      ++c;
    packing.place(v, c == packing.clusters() ? packing.open() : c);
  }
  return Packing(units, twins.coarseOf, packing);
}

} // namespace spindle
