#include "lib/partition/refine/Refine.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace spindle {

/// A place for a vertex that nothing ties to the clusters, kNone when all are full.
static ClusterId firstFit(Packing &packing, VertexId v, ClusterId except) {
  Offer offer = packing.untiedOffer(v, 0);
  for (; offer.cluster < packing.clusters(); ++offer.cluster)
    if (offer.cluster != except && packing.fits(v, offer))
      return offer.cluster;
  return kNone;
}

static bool dissolve(Packing &packing, ClusterId c) {
  const Hypergraph &graph = packing.hypergraph();
  std::vector<VertexId> members = packing.members(c);
  // The large ones first: the small ones fit into what is left.
  std::ranges::sort(members, {},
                    [&](VertexId v) { return std::pair(-int64_t(graph.rowsOf(v)), v); });
  for (VertexId v : members)
    packing.lift(v);
  for (VertexId v : members) {
    std::optional<Offer> offer = packing.bestOffer(v, c);
    ClusterId target = offer ? offer->cluster : firstFit(packing, v, c);
    if (target != kNone) {
      packing.place(v, target);
      continue;
    }
    for (VertexId u : members) {
      if (packing.clusterOf(u) != kNone)
        packing.lift(u);
      packing.place(u, c);
    }
    return false;
  }
  packing.close(c);
  return true;
}

/// Tries every cluster once. A cluster is named by a vertex in it: numbers change when one is
/// closed.
static bool sweep(Packing &packing) {
  std::vector<ClusterId> emptiest(packing.clusters());
  std::iota(emptiest.begin(), emptiest.end(), 0);
  std::ranges::sort(emptiest, {}, [&](ClusterId c) {
    return std::pair(-int64_t(packing.freeRows(c) + packing.freeColumns(c)), c);
  });
  std::vector<VertexId> names;
  for (ClusterId c : emptiest)
    names.push_back(packing.members(c).front());
  bool any = false;
  for (VertexId name : names)
    any |= dissolve(packing, packing.clusterOf(name));
  return any;
}

void dissolveClusters(Packing &packing) {
  for (ClusterId c = packing.clusters(); c-- > 0;)
    if (packing.members(c).empty()) // a refinement moved the last vertex away
      packing.close(c);
  while (sweep(packing))
    ;
}

} // namespace spindle
