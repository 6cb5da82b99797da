// Networks in several loads: what drives comes before what hears, nothing is lost on the way.
#include "lib/mapping/Loads.h"

#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"

#include <map>
#include <set>

namespace spindle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// One neuron in each cluster, driven by the neurons of `sources`; neuron n spikes n + 1 times.
/// Behind them as many neurons of the host as sources name.
Clustering clusteringWith(const std::vector<std::vector<NeuronId>> &sources) {
  Clustering result;
  result.rows = result.columns = 100;
  result.samples = result.steps = 1;
  auto count = static_cast<uint32_t>(sources.size());
  result.neurons = count;
  std::map<std::pair<ClusterId, ClusterId>, uint64_t> links;
  for (uint32_t n = 0; n < count; ++n) {
    result.units.push_back({n, n, kNone});
    Cluster &cluster = result.clusters.emplace_back();
    cluster.units = cluster.neurons = 1;
    cluster.synapses = sources[n].size();
    for (NeuronId source : sources[n]) {
      result.neurons = std::max(result.neurons, source + 1);
      cluster.axons.push_back({source, 1, source + 1});
      if (source != n)
        links[{source < count ? source : kNone, n}] += source + 1;
    }
  }
  for (auto [ends, spikes] : links) {
    result.links.push_back({ends.first, ends.second, spikes, 0});
    result.cutSpikes += ends.first == kNone ? 0 : spikes;
  }
  return result;
}

Chip chipOf(uint32_t crossbars) {
  Chip chip;
  chip.path = "chip.yaml";
  chip.mesh = {crossbars, 1};
  chip.load = {{4, "assumption: a test"}, {0.5, "assumption: a test"}};
  return chip;
}

std::vector<std::vector<ClusterId>> clustersOf(const std::vector<Load> &loads) {
  std::vector<std::vector<ClusterId>> result;
  for (const Load &load : loads)
    result.push_back(load.clusters);
  return result;
}

/// Host 4 and 5 → 0 → 1 → 2 → 3, and 0 → 3.
TEST(Loads, AChainInTwoHalves) {
  Clustering chain = clusteringWith({{4, 5}, {0}, {1}, {0, 2}});
  ASSERT_EQ(toText(verify(chain)), "");
  std::vector<Load> loads = llvm::cantFail(planLoads(chain, chipOf(2)));
  EXPECT_THAT(clustersOf(loads), ElementsAre(ElementsAre(0u, 1u), ElementsAre(2u, 3u)));
  EXPECT_EQ(loads[0].spikesIn, 5u + 6u);
  EXPECT_THAT(loads[0].spikesOut, ElementsAre(1u, 2u)); // 0 to 3, 1 to 2
  EXPECT_EQ(loads[1].spikesIn, 2u + 1u);
  EXPECT_THAT(loads[1].spikesOut, ElementsAre(0u, 0u));
  EXPECT_EQ(loads[0].rows, 3u);
  EXPECT_EQ(writeCycles(loads[0], chipOf(2)), 12u);
  EXPECT_EQ(writePj(loads[0], chipOf(2)), 1.5);
  Chip two = chipOf(2);
  two.mesh.hostTiles = {0, 1};
  EXPECT_EQ(writeCycles(loads[0], two), 6u);
  EXPECT_EQ(llvm::cantFail(planLoads(chain, chipOf(4))).size(), 1u);
}

TEST(Loads, CirclesAndSumsStayTogether) {
  Clustering circle = clusteringWith({{1}, {2}, {0}, {2}});
  EXPECT_THAT(clustersOf(llvm::cantFail(planLoads(circle, chipOf(3)))),
              ElementsAre(ElementsAre(0u, 1u, 2u), ElementsAre(3u)));
  EXPECT_EQ(
      toText(planLoads(circle, chipOf(2)).takeError()),
      "chip.yaml: error: 3 clusters must be loaded together, since they pass partial sums or "
      "drive each other in a circle, and the chip has room for 2; use crossbars of more rows, "
      "a larger mesh, or, unless it is set, partition.multiplex: true, which keeps layers "
      "apart");
  Clustering sums = clusteringWith({{1}, {2}, {3}});
  sums.units[0] = {0, 0, 1}; // cluster 0 carries to cluster 1
  sums.units[1] = {0, 1, kNone};
  EXPECT_THAT(toText(planLoads(sums, chipOf(1)).takeError()), HasSubstr("2 clusters must be"));
}

/// Random networks without circles between clusters, and some with: every cluster in one load,
/// drivers not later, as many clusters as there are crossbars; spikes of loads are those of links.
TEST(Loads, RandomNetworksKeepTheirOrderAndTheirSpikes) {
  uint32_t several = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    CounterRandom random(seed);
    uint32_t count = 2 + random.below(12), crossbars = 2 + random.below(5);
    std::vector<std::vector<NeuronId>> sources(count);
    for (uint32_t n = 0; n < count; ++n)
      for (NeuronId source = 0; source < count + 3; ++source) {
        bool isForward = source < n || source >= count;
        if (isForward ? random.below(3) == 0 : random.below(40) == 0)
          sources[n].push_back(source);
      }
    Clustering whole = clusteringWith(sources);
    ASSERT_EQ(toText(verify(whole)), "");
    llvm::Expected<std::vector<Load>> loads = planLoads(whole, chipOf(crossbars));
    if (!loads) {
      EXPECT_THAT(toText(loads.takeError()), HasSubstr("must be loaded together"));
      continue;
    }
    several += loads->size() > 1;
    std::map<ClusterId, size_t> loadOf;
    for (size_t l = 0; l < loads->size(); ++l) {
      EXPECT_LE((*loads)[l].clusters.size(), crossbars);
      for (ClusterId c : (*loads)[l].clusters)
        EXPECT_TRUE(loadOf.emplace(c, l).second);
    }
    EXPECT_EQ(loadOf.size(), count);
    for (const ClusterLink &link : whole.links) {
      if (link.from != kNone) {
        EXPECT_LE(loadOf[link.from], loadOf[link.to]);
      }
    }

    std::set<NeuronId> stored;
    uint64_t units = 0, out = 0, within = 0;
    for (const Load &load : *loads) {
      Clustering part = clusteringOf(whole, load);
      EXPECT_EQ(toText(verify(part)), "") << "seed " << seed;
      units += part.units.size();
      uint64_t fromHost = 0;
      for (const ClusterLink &link : part.links)
        (link.from == kNone ? fromHost : within) += link.spikes;
      EXPECT_EQ(fromHost, load.spikesIn);
      for (uint64_t spikes : load.spikesOut)
        out += spikes;
    }
    uint64_t across = 0, all = 0;
    for (const ClusterLink &link : whole.links) {
      bool isAcross = link.from != kNone && loadOf[link.from] != loadOf[link.to];
      all += link.from != kNone && !isAcross ? link.spikes : 0;
      if (isAcross && stored.insert(link.from).second) // its only neuron
        across += link.from + 1;
    }
    EXPECT_EQ(units, whole.units.size());
    EXPECT_EQ(out, across);
    EXPECT_EQ(within, all);
  }
  EXPECT_GT(several, 50u);
}

} // namespace
} // namespace spindle
