// Cores with synapse memory, axons and fan-in that end before rows and columns do.
#include "lib/partition/Decompose.h"
#include "lib/partition/Partition.h"
#include "lib/partition/limits/VerifyLimits.h"
#include "tests/partition/RandomGraph.h"

#include "gtest/gtest.h"

#include <set>

namespace spindle {
namespace {

Sourced figure(double value) { return {value, "assumption: a test"}; }

/// `channels` of a one-dimensional convolution of three weights over `length` inputs, no padding.
SpikingGraph convolution(uint32_t length, uint32_t channels) {
  SpikingGraph graph;
  uint32_t outputs = length - 2;
  graph.populations = {
      {"input", PopulationKind::Input, {length}, 0, length},
      {"conv1", PopulationKind::Neuron, {channels, outputs}, length, channels * outputs}};
  graph.samples = graph.steps = 1;
  graph.spikes.assign(length + channels * outputs, 1);
  graph.offsets.assign(length + 1, 0);
  for (uint32_t c = 0; c < channels; ++c)
    for (uint32_t at = 0; at < outputs; ++at) {
      for (uint32_t tap = 0; tap < 3; ++tap) {
        graph.sources.push_back(at + tap);
        graph.weights.push_back(float(3 * c + tap + 1));
      }
      graph.offsets.push_back(graph.sources.size());
    }
  return graph;
}

Chip limited(double words, WeightSharing sharing) {
  Chip chip = chipOf(1000, 1000);
  chip.crossbar.core.synapseWords = figure(words);
  chip.crossbar.core.wordBits = chip.crossbar.weightBits;
  chip.crossbar.core.sharing = sharing;
  return chip;
}

size_t clustersOn(const SpikingGraph &graph, const Chip &chip) {
  return llvm::cantFail(partition(graph, chip, {})).clusters.size();
}

/// 4 channels at 20 places: 240 weights, of which 12 are different.
TEST(CoreLimits, KernelsAreStoredOnce) {
  SpikingGraph graph = convolution(22, 4);
  EXPECT_EQ(clustersOn(graph, limited(240, WeightSharing::None)), 1u);
  EXPECT_EQ(clustersOn(graph, limited(120, WeightSharing::None)), 2u);
  EXPECT_EQ(clustersOn(graph, limited(60, WeightSharing::None)), 4u);
  EXPECT_EQ(clustersOn(graph, limited(12, WeightSharing::Kernel)), 1u);
  EXPECT_EQ(clustersOn(graph, limited(6, WeightSharing::Kernel)), 2u);
  Chip wide = limited(8, WeightSharing::Kernel);
  wide.crossbar.core.wordBits = 2 * wide.crossbar.weightBits; // three weights in two words
  EXPECT_EQ(clustersOn(graph, wide), 1u);
}

/// A layer that hears two populations, in halves of five.
TEST(CoreLimits, AxonsAreOfSourcesOrOfPopulations) {
  SpikingGraph graph;
  graph.populations = {{"a", PopulationKind::Input, {5}, 0, 5},
                       {"b", PopulationKind::Input, {5}, 5, 5},
                       {"layer", PopulationKind::Neuron, {4}, 10, 4}};
  graph.samples = graph.steps = 1;
  graph.spikes.assign(14, 1);
  graph.offsets.assign(11, 0);
  for (uint32_t n = 0; n < 4; ++n) { // two neurons of a, two of b
    for (NeuronId source = 0; source < 5; ++source) {
      graph.sources.push_back(source + (n / 2) * 5);
      graph.weights.push_back(1);
    }
    graph.offsets.push_back(graph.sources.size());
  }
  Chip chip = chipOf(100, 100);
  chip.crossbar.core.axons = figure(10);
  EXPECT_EQ(clustersOn(graph, chip), 1u);
  chip.crossbar.core.axons = figure(9);
  EXPECT_EQ(clustersOn(graph, chip), 2u);
  chip.crossbar.core.axonsPer = AxonsPer::Population;
  EXPECT_EQ(clustersOn(graph, chip), 1u);
  chip.crossbar.core.axons = figure(1);
  EXPECT_EQ(clustersOn(graph, chip), 2u);
}

/// Two layers over 4 inputs; the weights of a neuron after those of the one before.
SpikingGraph weighed(const std::vector<float> &first, const std::vector<float> &second) {
  SpikingGraph graph;
  uint32_t neurons = uint32_t(first.size() / 4), others = uint32_t(second.size() / 4);
  graph.populations = {{"input", PopulationKind::Input, {4}, 0, 4},
                       {"first", PopulationKind::Neuron, {neurons}, 4, neurons},
                       {"second", PopulationKind::Neuron, {others}, 4 + neurons, others}};
  graph.samples = graph.steps = 1;
  graph.spikes.assign(4 + neurons + others, 1);
  graph.offsets.assign(5, 0);
  for (const std::vector<float> &weights : {first, second})
    for (float weight : weights) {
      graph.sources.push_back(NeuronId(graph.sources.size() % 4));
      graph.weights.push_back(weight);
      if (graph.sources.size() % 4 == 0)
        graph.offsets.push_back(graph.sources.size());
    }
  return graph;
}

Chip typed(uint32_t axons, uint32_t types) {
  Chip chip = chipOf(100, 100);
  chip.crossbar.core.axons = figure(axons);
  chip.crossbar.core.axonTypes = types;
  return chip;
}

/// A source takes an axon for each type that its weights have in a crossbar.
TEST(CoreLimits, AxonsHaveTypes) {
  // Ternary: source 0 excites one neuron and inhibits the other, two axons; the others one each.
  SpikingGraph ternary = weighed({1, 1, -1, -1, -1, 1, -1, -1}, {1, 1, -1, -1});
  EXPECT_EQ(clustersOn(ternary, typed(5, 4)), 1u);
  EXPECT_EQ(clustersOn(ternary, typed(4, 4)), 2u);
  // Each layer has a table of its own: -1 and 1 are the types that 2 and 3 are.
  SpikingGraph scaled = weighed({1, -1, 1, -1}, {3, 2, 3, 2});
  EXPECT_EQ(clustersOn(scaled, typed(4, 2)), 1u);
  EXPECT_EQ(clustersOn(weighed({1, -1, 1, -1}, {2, 3, 3, 2}), typed(5, 2)), 2u);
  // Where a layer has more weights than axons have types, each column has a table.
  SpikingGraph channels = weighed({1, -1, 1, -1, 5, -5, 5, -5}, {7, -7, 7, -7});
  EXPECT_EQ(clustersOn(channels, typed(4, 2)), 1u);
  // A weight of 0 is a cell that is off: no type, no axon.
  SpikingGraph sparse = weighed({1, 1, 0, -0.0f, 0, 0, 1, 1}, {-2, -1, 1, 2});
  EXPECT_EQ(clustersOn(sparse, typed(8, 4)), 1u);
  EXPECT_EQ(clustersOn(weighed({1, 1, 0, 0, 0, 0, 1, 1}, {1, 1, 1, 1}), typed(4, 1)), 1u);
  // An axon of a population and a type brings all its sources.
  Chip populations = typed(2, 4);
  populations.crossbar.core.axonsPer = AxonsPer::Population;
  EXPECT_EQ(clustersOn(ternary, populations), 1u);
  populations.crossbar.core.axons = figure(1);
  EXPECT_EQ(toText(partition(ternary, populations, {}).takeError()),
            "chip.yaml: error: layer 'first' needs 2 axons of populations for one column, "
            "crossbar.limits.axons is 1; divide neurons over crossbars of fewer rows, or make the "
            "layer smaller");
}

TEST(CoreLimits, WeightsThatTypesCannotTellApartAreRefused) {
  SpikingGraph graph = weighed({1, 1, 2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(toText(partition(graph, typed(9, 4), {}).takeError()), "");
  EXPECT_EQ(toText(partition(graph, typed(9, 3), {}).takeError()),
            "chip.yaml: error: layer 'second' has more than 3 different weights in one column, "
            "crossbar.limits.axon_types is 3; round them (fixed_point.weight_bits: 2 leaves -1 "
            "and 1 of a layer), or leave out the key");
  Clustering clustering = llvm::cantFail(partition(graph, typed(9, 4), {}));
  EXPECT_EQ(toText(verifyLimits(graph, clustering, typed(9, 3).crossbar)),
            "clustering: error: a column of cluster 0 has more than 3 different weights, and axons "
            "no more types");
  // Types: 0 0 1 1 and 0 1 2 3, so that sources 0, 1, 2, 3 take 1, 2, 2, 2 axons.
  EXPECT_EQ(toText(verifyLimits(graph, clustering, typed(6, 4).crossbar)),
            "clustering: error: cluster 0 takes 7 axons, the chip has 6");
}

/// Partitions by every algorithm, which keep the limits of the chip's cores; how many of them break
/// these where the chip has none.
uint32_t brokenWithoutLimits(const SpikingGraph &graph, const Chip &chip,
                             PartitionOptions options) {
  Chip free = chip;
  free.crossbar.core = {};
  uint32_t broken = 0;
  for (PartitionAlgorithm algorithm :
       {PartitionAlgorithm::Metis, PartitionAlgorithm::KernighanLin, PartitionAlgorithm::Annealing,
        PartitionAlgorithm::Greedy, PartitionAlgorithm::Random, PartitionAlgorithm::FirstFit}) {
    SCOPED_TRACE(testing::Message() << "algorithm " << int(algorithm));
    options.algorithm = algorithm;
    llvm::Expected<Clustering> clustering = partition(graph, chip, options);
    if (!clustering) {
      ADD_FAILURE() << toText(clustering.takeError());
      continue;
    }
    EXPECT_EQ(toText(verifyLimits(graph, *clustering, chip.crossbar)), "");
    Clustering unlimited = llvm::cantFail(partition(graph, free, options));
    broken += bool(llvm::errorToBool(verifyLimits(graph, unlimited, chip.crossbar)));
  }
  return broken;
}

TEST(CoreLimits, EveryAlgorithmKeepsThem) {
  uint32_t tight = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    CounterRandom random(seed, 11);
    SpikingGraph graph = randomGraph(seed, {4, 30, 10, true});
    for (float &weight : graph.weights)
      weight = float(1 + random.below(2)); // short lists are often equal
    Chip chip = chipOf(10 + random.below(20), 4 + random.below(8));
    chip.crossbar.core.sharing = WeightSharing(seed % 2);
    chip.crossbar.core.axonsPer = AxonsPer(seed / 2 % 2);
    chip.crossbar.core.wordBits = chip.crossbar.weightBits * (1 + random.below(3));
    chip.crossbar.core.synapseWords = figure(10 + random.below(20));
    chip.crossbar.core.axons = figure(chip.crossbar.core.axonsPer == AxonsPer::Source ? 10 : 3);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    tight += brokenWithoutLimits(graph, chip, {});
  }
  EXPECT_GT(tight, 30u); // clusters of chips without limits break them
}

/// Weights of -2 to 2: tables of populations and of columns, whole and divided.
TEST(CoreLimits, EveryAlgorithmKeepsTypesOfAxons) {
  uint32_t tight = 0, ofColumns = 0;
  for (uint64_t seed = 0; seed < 16; ++seed) {
    CounterRandom random(seed, 12);
    SpikingGraph graph = randomGraph(seed, {4, 30, 10, true});
    bool isOfColumns = seed % 2 == 1; // four weights in a layer, two in a column
    for (NeuronId n = 0; n < graph.neurons(); ++n)
      for (uint64_t s = graph.offsets[n]; s < graph.offsets[n + 1]; ++s)
        graph.weights[s] =
            isOfColumns ? float(random.below(3)) * (n % 2 ? 1 : -1) : float(random.below(3)) - 1;
    Chip chip = chipOf(seed % 4 < 2 ? 5 : 12, 4 + random.below(8));
    chip.crossbar.core.axons = figure(chip.crossbar.rows);
    chip.crossbar.core.axonTypes = 2 + seed % 3;
    ofColumns += isOfColumns && chip.crossbar.core.axonTypes < 4;
    PartitionOptions options;
    if (seed % 5 == 4)
      options.shape = FanInShape::Tree;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    tight += brokenWithoutLimits(graph, chip, options);
  }
  EXPECT_GT(tight, 20u); // rows alone do not keep them
  EXPECT_GT(ofColumns, 3u);
}

TEST(CoreLimits, TheVerifierNamesWhatIsExceeded) {
  SpikingGraph graph = convolution(6, 2); // 8 columns of 3 synapses over 6 sources
  Chip chip = chipOf(100, 100);
  Clustering clustering = llvm::cantFail(partition(graph, chip, {}));
  auto fault = [&](const Chip &by) { return toText(verifyLimits(graph, clustering, by.crossbar)); };
  EXPECT_EQ(fault(limited(24, WeightSharing::None)), "");
  EXPECT_EQ(fault(limited(23, WeightSharing::None)),
            "clustering: error: cluster 0 takes 24 words of synapse memory, the chip has 23");
  EXPECT_EQ(fault(limited(6, WeightSharing::Kernel)), "");
  EXPECT_EQ(fault(limited(5, WeightSharing::Kernel)),
            "clustering: error: cluster 0 takes 6 words of synapse memory, the chip has 5");
  chip.crossbar.core.axons = figure(5);
  EXPECT_EQ(fault(chip), "clustering: error: cluster 0 takes 6 axons, the chip has 5");
  chip.crossbar.core = {};
  chip.crossbar.core.fanIn = figure(2);
  EXPECT_EQ(fault(chip),
            "clustering: error: a column of cluster 0 has 3 synapses, the chip allows 2");
}

TEST(CoreLimits, ANetworkThatDoesNotFitIsRefused) {
  SpikingGraph graph = convolution(6, 2);
  auto errorOf = [&](const Chip &chip) { return toText(partition(graph, chip, {}).takeError()); };
  const std::string remedy =
      "; divide neurons over crossbars of fewer rows, or make the layer smaller";
  EXPECT_EQ(errorOf(limited(2, WeightSharing::Kernel)),
            "chip.yaml: error: layer 'conv1' needs 3 words of synapse memory for one column, "
            "crossbar.limits.synapse_words is 2" +
                remedy);
  Chip chip = chipOf(100, 100);
  chip.crossbar.core.fanIn = figure(2);
  EXPECT_EQ(errorOf(chip), "chip.yaml: error: layer 'conv1' needs 3 synapses for one column, "
                           "crossbar.limits.fan_in is 2" +
                               remedy);
  chip.crossbar.rows = 2; // the remedy
  EXPECT_EQ(toText(partition(graph, chip, {}).takeError()), "");
  chip = chipOf(100, 100);
  chip.crossbar.core.axons = figure(2);
  EXPECT_EQ(errorOf(chip), "chip.yaml: error: layer 'conv1' needs 3 axons for one column, "
                           "crossbar.limits.axons is 2" +
                               remedy);
}

} // namespace
} // namespace spindle
