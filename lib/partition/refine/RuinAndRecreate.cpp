#include "lib/partition/refine/Refine.h"

#include <algorithm>

namespace spindle {

namespace {

/// Rounds for a small network, and rounds times pins for a larger one, which has none at last.
constexpr uint64_t kMostRounds = 200, kMostPins = 30'000;

class Recreation {
public:
  Recreation(Packing &start, CounterRandom &numbers) : packing(start), random(numbers) {}

  void round() {
    std::vector<VertexId> lifted = ruin();
    for (size_t left = lifted.size(); left > 1; --left)
      std::swap(lifted[left - 1], lifted[random.below(static_cast<uint32_t>(left))]);
    for (VertexId v : lifted)
      packing.place(v, cheapest(v));
    dissolveClusters(packing);
    moveVertices(packing);
    dissolveClusters(packing);
  }

private:
  /// All of some clusters that hear each other, or each vertex by a throw.
  std::vector<VertexId> ruin() {
    std::vector<VertexId> lifted;
    VertexId seed = random.below(packing.hypergraph().vertices());
    uint32_t clusters = random.below(4);
    if (clusters == 0) {
      uint32_t odds = 2 + random.below(4);
      for (VertexId v = 0; v < packing.hypergraph().vertices(); ++v)
        if (random.below(odds) == 0)
          lifted.push_back(v);
    } else {
      std::vector<ClusterId> chosen{packing.clusterOf(seed)};
      packing.lift(seed);
      for (const Offer &offer : packing.offers(seed))
        if (offer.cluster != chosen.front())
          chosen.push_back(offer.cluster);
      packing.place(seed, chosen.front());
      if (chosen.size() > clusters)
        chosen.resize(clusters);
      for (ClusterId c : chosen)
        lifted.insert(lifted.end(), packing.members(c).begin(), packing.members(c).end());
    }
    for (VertexId v : lifted)
      packing.lift(v);
    return lifted;
  }

  /// Where nothing is shared an empty or a new cluster costs the same as any other.
  ClusterId cheapest(VertexId v) {
    std::optional<Offer> best = packing.bestOffer(v);
    Offer untied = packing.untiedOffer(v, 0);
    if (best && best->cost < untied.cost)
      return best->cluster;
    for (; untied.cluster < packing.clusters(); ++untied.cluster)
      if (Offer offer = packing.offer(v, untied.cluster); packing.fits(v, offer))
        return untied.cluster;
    return packing.open();
  }

  Packing &packing;
  CounterRandom &random;
};

} // namespace

void ruinAndRecreate(Packing &packing, uint64_t seed) {
  const Hypergraph &graph = packing.hypergraph();
  if (graph.vertices() < 2)
    return;
  CounterRandom random(seed, 0, 1);
  uint64_t rounds = std::min(kMostRounds, kMostPins / (1 + graph.pins.members.size()));
  Packing trial = packing;
  for (uint64_t round = 0; round < rounds; ++round) {
    Recreation(trial, random).round();
    auto rank = [](const Packing &each) { return std::pair(each.cost(), each.clusters()); };
    if (rank(trial) <= rank(packing))
      packing = trial;
    else
      trial = packing;
  }
}

} // namespace spindle
