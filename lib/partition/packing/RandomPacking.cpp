#include "core/support/CounterRandom.h"
#include "lib/partition/Strategies.h"
#include "lib/partition/refine/Coarsen.h"

#include <algorithm>
#include <numeric>

namespace spindle {

static ClusterId firstFit(Packing &packing, VertexId v) {
  std::vector<Offer> offers = packing.offers(v);
  std::ranges::sort(offers, {}, &Offer::cluster);
  auto rows = static_cast<uint32_t>(packing.hypergraph().pins[v].size());
  auto next = offers.begin();
  for (ClusterId c = 0; c < packing.clusters(); ++c) {
    bool tied = next != offers.end() && next->cluster == c;
    if (packing.fits(v, tied ? *next++ : Offer{c, rows, 0}))
      return c;
  }
  return kNone;
}

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
    ClusterId first = firstFit(packing, v);
    packing.place(v, first == kNone ? packing.open() : first);
  }
  return Packing(units, twins.coarseOf, packing);
}

} // namespace spindle
