// Placements that a list says: those of a search come back from their own list.
#include "lib/mapping/Map.h"

#include "tests/mapping/RandomClustering.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

PlacementList listOf(const Clustering &clustering, const Mapping &mapping) {
  PlacementList list{"list.csv", {}};
  for (const Unit &unit : clustering.units)
    list.neurons.push_back(
        {unit.neuron, mapping.placements[unit.cluster], list.neurons.size() + 2});
  return list;
}

TEST(ListedMapping, EveryMappingComesBack) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Clustering clustering = randomClustering(seed, 12, 3);
    Chip chip = meshChip(5, 4, 1 + seed % 2);
    MappingOptions options;
    options.algorithm = seed % 3 == 0 ? PlacementAlgorithm::Annealing : PlacementAlgorithm::Random;
    options.seed = int64_t(seed);
    Mapping mapping = llvm::cantFail(map(clustering, chip, options));
    Mapping listed = llvm::cantFail(mapAsListed(clustering, chip, listOf(clustering, mapping)));
    mapping.algorithm = "listed";
    EXPECT_EQ(listed, mapping) << seed;
  }
}

std::string listErrorOf(const Clustering &clustering, const Chip &chip, const PlacementList &list) {
  llvm::Expected<Mapping> mapping = mapAsListed(clustering, chip, list);
  if (mapping)
    return "no error";
  llvm::Error error = mapping.takeError();
  EXPECT_EQ(kindOf(error), ErrorKind::Input);
  return toText(std::move(error));
}

TEST(ListedMapping, SaysWhatDoesNotFit) {
  Clustering clustering = randomClustering(1, 3, 2);
  Chip chip = meshChip(2, 2);
  PlacementList list{"list.csv", {{0, {0, 0}, 2}, {1, {1, 0}, 3}, {2, {3, 0}, 4}}};
  EXPECT_EQ(listErrorOf(clustering, chip, list), "no error");
  list.neurons[2].place.tile = 1;
  EXPECT_EQ(listErrorOf(clustering, chip, list),
            "list.csv:4: error: neuron 2 is listed on the crossbar of neuron 1, which is in "
            "another cluster; run the stage partition with this list");
  list.neurons[2].place.tile = 2;
  chip.crossbarFaults.push_back({2, 0, {}, {}});
  EXPECT_EQ(listErrorOf(clustering, chip, list),
            "list.csv: error: crossbar 0 of tile 2 is dead, or has lost lines that its neurons "
            "need; list them on another one");
  list.neurons.pop_back();
  EXPECT_EQ(listErrorOf(clustering, chip, list),
            "list.csv: error: neuron 2 is not listed; give it a tile and a crossbar");
}

TEST(ListedMapping, ClustersThatAreListedApart) {
  Clustering clustering = randomClustering(1, 2, 0);
  clustering.links.clear();
  clustering.cutSpikes = 0;
  clustering.units[1].cluster = 0;
  clustering.clusters.pop_back();
  clustering.clusters[0].units = clustering.clusters[0].neurons = 2;
  clustering.columns = 2;
  PlacementList list{"list.csv", {{0, {0, 0}, 2}, {1, {1, 0}, 3}}};
  EXPECT_EQ(listErrorOf(clustering, meshChip(2, 1), list),
            "list.csv:3: error: neuron 1 is listed elsewhere than neuron 0, with which it is in a "
            "cluster; run the stage partition with this list");
}

} // namespace
} // namespace spindle
