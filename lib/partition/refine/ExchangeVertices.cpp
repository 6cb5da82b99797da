#include "lib/partition/refine/Refine.h"

#include <algorithm>

namespace spindle {

/// Trials per vertex and call, fewer where they would visit more than so many (net, cluster) pairs.
static constexpr uint64_t kTrials = 10, kVisits = 100'000'000;

/// Moves `v`, which is lifted and would cost `homeCost` at home, to the offer's cluster and a
/// random vertex from there to its best place. Undone and false when that costs more than before.
static bool exchange(Packing &packing, VertexId v, int64_t homeCost, ClusterId target,
                     CounterRandom &random) {
  const std::vector<VertexId> &members = packing.members(target);
  if (members.empty())
    return false;
  VertexId u = members[random.below(static_cast<uint32_t>(members.size()))];
  int64_t before = packing.cost();
  packing.lift(u);
  Offer offer = packing.offer(v, target);
  if (packing.fits(v, offer)) {
    packing.place(v, target);
    std::optional<Offer> place = packing.bestOffer(u, target);
    if (place && packing.cost() + place->cost <= before + homeCost) {
      packing.place(u, place->cluster);
      return true;
    }
    packing.lift(v);
  }
  packing.place(u, target);
  return false;
}

/// One trial; false leaves everything as it was.
static bool tryVertex(Packing &packing, VertexId v, CounterRandom &random) {
  ClusterId home = packing.clusterOf(v);
  int64_t before = packing.cost();
  packing.lift(v);
  int64_t homeCost = before - packing.cost();
  const std::vector<Offer> &offers = packing.offers(v);
  if (!offers.empty()) {
    Offer offer = offers[random.below(static_cast<uint32_t>(offers.size()))];
    if (offer.cluster != home && offer.cost <= homeCost) {
      if (packing.fits(v, offer)) {
        packing.place(v, offer.cluster);
        return true;
      }
      if (exchange(packing, v, homeCost, offer.cluster, random))
        return true;
    }
  }
  packing.place(v, home);
  return false;
}

int64_t exchangeVertices(Packing &packing, CounterRandom &random) {
  int64_t before = packing.cost();
  uint32_t vertices = packing.hypergraph().vertices();
  uint64_t visitsPerTrial = 1 + packing.visitsOfAllOffers() / (vertices + 1);
  uint64_t trials = std::min(kTrials * vertices, kVisits / visitsPerTrial);
  for (uint64_t trial = 0; trial < trials; ++trial)
    tryVertex(packing, random.below(vertices), random);
  return before - packing.cost();
}

} // namespace spindle
