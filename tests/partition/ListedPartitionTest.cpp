// Clusters that a list says: those of any partition come back from their own list.
#include "lib/partition/ListedPartition.h"

#include "lib/partition/Partition.h"
#include "tests/partition/SharedGraph.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

PlacementList listOf(const Clustering &clustering) {
  PlacementList list{"list.csv", {}};
  for (const Unit &unit : clustering.units)
    list.neurons.push_back({unit.neuron, {99 - unit.cluster, 0}, list.neurons.size() + 2});
  return list;
}

std::string errorOf(const SpikingGraph &graph, const Chip &chip, const PlacementList &list) {
  llvm::Expected<Clustering> clustering = partitionAsListed(graph, chip, list);
  if (clustering)
    return "no error";
  llvm::Error error = clustering.takeError();
  EXPECT_EQ(kindOf(error), ErrorKind::Input);
  return toText(std::move(error));
}

TEST(ListedPartition, EveryPartitionComesBack) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CounterRandom random(seed, 11);
    SpikingGraph graph = randomGraph(seed, {random.below(10), 1 + random.below(40), 12, true});
    Chip chip = chipOf(12 + random.below(20), 1 + random.below(12));
    PartitionOptions options;
    options.algorithm = PartitionAlgorithm::Random;
    options.seed = seed;
    Clustering clustering = llvm::cantFail(partition(graph, chip, options));
    if (clustering.clusters.size() > 99)
      continue;
    Clustering listed = llvm::cantFail(partitionAsListed(graph, chip, listOf(clustering)));
    clustering.algorithm = "listed";
    EXPECT_EQ(listed, clustering) << seed;
  }
}

TEST(ListedPartition, NeedsEverySynapse) {
  EXPECT_THAT(errorOf(randomSharedGraph(1), chipOf(60, 60), {"list.csv", {}}),
              ::testing::HasSubstr("a list of placements needs them one by one"));
}

TEST(ListedPartition, SaysWhatDoesNotFit) {
  SpikingGraph graph = randomGraph(3, {4, 6, 5, false});
  Chip chip = chipOf(32, 6);
  PlacementList list{"list.csv", {}};
  for (NeuronId n = 4; n < 10; ++n)
    list.neurons.push_back({n, {1, 0}, n});
  EXPECT_EQ(llvm::cantFail(partitionAsListed(graph, chip, list)).clusters.size(), 1u);
  PlacementList missing = list;
  missing.neurons.pop_back();
  EXPECT_EQ(errorOf(graph, chip, missing),
            "list.csv: error: neuron 9 is not listed; give it a tile and a crossbar");
  PlacementList beyond = list;
  beyond.neurons.push_back({10, {1, 0}, 12});
  EXPECT_EQ(errorOf(graph, chip, beyond),
            "list.csv:12: error: neuron 10 is not there, the network has neurons 0 to 9");
  PlacementList input = list;
  input.neurons.insert(input.neurons.begin(), {3, {1, 0}, 11});
  EXPECT_EQ(errorOf(graph, chip, input),
            "list.csv:11: error: neuron 3 is an input (input), which needs no crossbar; leave it "
            "out");
  EXPECT_EQ(errorOf(graph, chipOf(32, 5), list),
            "list.csv: error: crossbar 0 of tile 1 takes 6 columns, and has 5; list fewer neurons "
            "there");
  EXPECT_THAT(errorOf(graph, chipOf(5, 6), list),
              ::testing::MatchesRegex("list.csv: error: crossbar 0 of tile 1 takes [6-9] rows, and "
                                      "has 5; list fewer neurons there"));
  EXPECT_THAT(errorOf(graph, chipOf(2, 6), list),
              ::testing::HasSubstr("neurons that are divided among columns cannot be listed; use "
                                   "crossbars of more rows"));
  chip.crossbar.core.synapseWords = {2, "limit"};
  chip.crossbar.core.wordBits = 8;
  EXPECT_NE(errorOf(graph, chip, list), "no error");
}

} // namespace
} // namespace spindle
