#include "core/support/CounterRandom.h"
#include "lib/partition/Strategies.h"
#include "lib/partition/refine/Coarsen.h"

#include <algorithm>
#include <numeric>

namespace spindle {

static ClusterId firstFit(Packing &packing, VertexId v) {
  std::vector<Offer> offers = packing.offers(v);
  std::ranges::sort(offers, {}, &Offer::cluster);
  Offer untied = packing.untiedOffer(v, 0);
  auto next = offers.begin();
  for (ClusterId c = 0; c < packing.clusters(); ++c) {
    untied.cluster = c;
    bool tied = next != offers.end() && next->cluster == c;
    if (packing.fits(v, tied ? *next++ : untied))
      return c;
  }
  return kNone;
}

static Packing packInOrder(const Hypergraph &graph, const PackingRules &rules,
                           const std::vector<VertexId> &order) {
  Packing packing(graph, rules);
  for (VertexId v : order) {
    ClusterId first = firstFit(packing, v);
    packing.place(v, first == kNone ? packing.open() : first);
  }
  return packing;
}

static std::vector<VertexId> ascending(const Hypergraph &graph) {
  std::vector<VertexId> order(graph.vertices());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// The baseline: vertices in random order, each into the first cluster where it fits. Twins stay
/// together, else a convolution of C channels would need about C times the crossbars and no chip
/// would have room for the baseline.
llvm::Expected<Packing> packAtRandom(const Hypergraph &units, const PackingRules &rules,
                                     const PartitionOptions &options) {
  CoarseHypergraph twins = mergeTwins(units, rules);
  const Hypergraph &graph = twins.hypergraph;
  std::vector<VertexId> order = ascending(graph);
  CounterRandom random(options.seed);
  for (uint32_t left = graph.vertices(); left > 1; --left)
    std::swap(order[left - 1], order[random.below(left)]);
  return Packing(units, twins.coarseOf, packInOrder(graph, rules, order));
}

/// What tools for such chips do without a search: columns in the order of their neurons, as PACMAN
/// fills cores (Galluppi et al. 2012), each into the first crossbar with room for it.
llvm::Expected<Packing> packFirstFit(const Hypergraph &units, const PackingRules &rules,
                                     const PartitionOptions &) {
  return packInOrder(units, rules, ascending(units));
}

} // namespace spindle
