#include "lib/partition/Decompose.h"

#include "tests/partition/RandomGraph.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace spindle;

namespace {

constexpr RandomGraphShape kShape{10, 60, 40, true};

uint32_t bitsOf(float value) {
  uint32_t bits;
  static_assert(sizeof bits == sizeof value);
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Weights that absorb one another: their sum depends on the order.
TEST(Decompose, ChainsAddInTheVeryOrderOfTheUndividedNeuron) {
  uint32_t orderMatters = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SpikingGraph graph = randomGraph(seed, kShape);
    CounterRandom random(seed, 1);
    for (float &weight : graph.weights)
      weight *= std::ldexp(1.0f, int(random.below(40)) - 20);
    std::vector<bool> spikes(graph.neurons());
    for (NeuronId n = 0; n < graph.neurons(); ++n)
      spikes[n] = random.below(2) == 0;
    FanInShape shape = seed % 2 == 0 ? FanInShape::Rows : FanInShape::Pairs;
    std::vector<Unit> units = decompose(graph, chipOf(2 + random.below(9), 8).crossbar, shape);
    std::vector<uint64_t> offsets = unitOffsets(graph, units);

    std::vector<float> start(units.size(), 0.0f);
    for (UnitId u = 0; u < units.size(); ++u) {
      float sum = start[u];
      for (uint64_t s = offsets[u]; s < offsets[u + 1]; ++s)
        if (spikes[graph.sources[s]])
          sum += graph.weights[s];
      if (units[u].carryTo != kNone) {
        start[units[u].carryTo] = sum;
        continue;
      }
      NeuronId n = units[u].neuron;
      float forward = 0, backward = 0;
      for (uint64_t s = graph.offsets[n]; s < graph.offsets[n + 1]; ++s)
        if (spikes[graph.sources[s]])
          forward += graph.weights[s];
      for (uint64_t s = graph.offsets[n + 1]; s-- > graph.offsets[n];)
        if (spikes[graph.sources[s]])
          backward += graph.weights[s];
      EXPECT_EQ(bitsOf(sum), bitsOf(forward)) << "neuron " << n << ", seed " << seed;
      orderMatters += bitsOf(forward) != bitsOf(backward);
    }
  }
  EXPECT_GT(orderMatters, 100u) << "the weights do not tell orders apart";
}

/// Whole numbers, as an interpreter of the undivided neuron adds them; sums go to later units,
/// cover blocks without gaps, and pass no more units than the logarithm says.
TEST(Decompose, TreesAreShallowAndAddWhatTheUndividedNeuronAdds) {
  uint32_t deepest = 0, deepestChain = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SpikingGraph graph = randomGraph(seed, kShape);
    CounterRandom random(seed, 2);
    for (float &weight : graph.weights)
      weight = float(random.below(200)) - 100;
    std::vector<bool> spikes(graph.neurons());
    for (NeuronId n = 0; n < graph.neurons(); ++n)
      spikes[n] = random.below(2) == 0;
    Crossbar crossbar = chipOf(1 + random.below(9), 8).crossbar;
    std::vector<Unit> units = decompose(graph, crossbar, FanInShape::Tree);
    std::vector<Unit> chain = decompose(graph, crossbar);
    ASSERT_EQ(units.size(), chain.size());
    std::vector<uint64_t> offsets = unitOffsets(graph, units), first = offsets;
    ASSERT_EQ(offsets, unitOffsets(graph, chain));

    std::vector<float> sums(units.size(), 0.0f);
    std::vector<uint32_t> depths(units.size(), 0), parts(graph.neurons(), 0);
    for (UnitId u = 0; u < units.size(); ++u) {
      NeuronId n = units[u].neuron;
      ASSERT_EQ(n, chain[u].neuron);
      ASSERT_EQ(units[u].carryTo == kNone, chain[u].carryTo == kNone);
      ++parts[n];
      float own = 0;
      for (uint64_t s = offsets[u]; s < offsets[u + 1]; ++s)
        own += spikes[graph.sources[s]] ? graph.weights[s] : 0;
      sums[u] += own;
      if (UnitId next = units[u].carryTo; next != kNone) {
        ASSERT_GT(next, u);
        ASSERT_EQ(units[next].neuron, n);
        sums[next] += sums[u];
        first[next] = std::min(first[next], first[u]);
        depths[next] = std::max(depths[next], depths[u] + 1);
        // All that lies between a unit's sum and its target goes there as well.
        for (UnitId v = u + 1; v < next; ++v) {
          UnitId end = v;
          while (end < next)
            end = units[end].carryTo;
          EXPECT_EQ(end, next);
        }
        continue;
      }
      float undivided = 0;
      for (uint64_t s = graph.offsets[n]; s < graph.offsets[n + 1]; ++s)
        undivided += spikes[graph.sources[s]] ? graph.weights[s] : 0;
      EXPECT_EQ(sums[u], undivided);
      EXPECT_EQ(first[u], graph.offsets[n]);
      EXPECT_LE(std::exp2(depths[u]), parts[n]);
      deepest = std::max(deepest, depths[u]);
      deepestChain = std::max(deepestChain, parts[n] - 1);
    }
  }
  EXPECT_GE(deepestChain, 20u);
  EXPECT_LE(deepest, 5u);
}

/// Neurons that do not fit, and no others: two sources first, then the sum and one more.
TEST(Decompose, PairsHaveTwoInputs) {
  uint32_t divided = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SpikingGraph graph = randomGraph(seed, kShape);
    uint32_t rows = 2 + uint32_t(seed % 7);
    std::vector<Unit> units = decompose(graph, chipOf(rows, 4).crossbar, FanInShape::Pairs);
    std::vector<uint64_t> offsets = unitOffsets(graph, units);
    std::vector<uint32_t> inputs(units.size()), parts(graph.neurons(), 0);
    for (UnitId u = 0; u < units.size(); ++u) {
      inputs[u] += uint32_t(offsets[u + 1] - offsets[u]);
      ++parts[units[u].neuron];
      if (units[u].carryTo != kNone)
        ++inputs[units[u].carryTo];
    }
    for (UnitId u = 0; u < units.size(); ++u) {
      uint32_t fanIn = graph.fanIn(units[u].neuron);
      EXPECT_EQ(parts[units[u].neuron], fanIn > rows ? fanIn - 1 : 1);
      EXPECT_EQ(inputs[u], fanIn > rows ? 2 : fanIn);
      divided += fanIn > rows;
    }
    EXPECT_EQ(offsets.back(), graph.synapses());
  }
  EXPECT_GT(divided, 1000u);
}

TEST(Decompose, BlocksAreBalancedFitTheRowsAndTileTheFanIn) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SpikingGraph graph = randomGraph(seed, kShape);
    uint32_t rows = 1 + uint32_t(seed % 11);
    std::vector<Unit> units = decompose(graph, chipOf(rows, 4).crossbar);
    std::vector<uint64_t> offsets = unitOffsets(graph, units);
    UnitId u = 0;
    for (NeuronId n = 10; n < graph.neurons(); ++n) {
      uint32_t fanIn = graph.fanIn(n), parts = 0;
      uint64_t smallest = UINT64_MAX, largest = 0, previous = UINT64_MAX, sum = 0;
      for (; u < units.size() && units[u].neuron == n; ++u, ++parts) {
        uint64_t size = offsets[u + 1] - offsets[u];
        EXPECT_LE(size, rows);
        if (parts > 0) {
          EXPECT_GT(previous + size, rows) << "neighbours of a chain must never share a crossbar";
        }
        previous = size;
        smallest = std::min(smallest, size);
        largest = std::max(largest, size);
        sum += size;
      }
      EXPECT_EQ(parts, fanIn == 0 ? 1 : (fanIn + rows - 1) / rows);
      EXPECT_EQ(sum, fanIn);
      EXPECT_LE(largest - smallest, 1u);
    }
    EXPECT_EQ(u, units.size());
    EXPECT_EQ(offsets.front(), 0u);
    EXPECT_EQ(offsets.back(), graph.synapses());
  }
}

TEST(Decompose, InputsNeedNoColumnNeuronsWithoutSourcesDo) {
  SpikingGraph graph; // direct current: the host drives the first population of neurons
  graph.populations = {{"image", PopulationKind::Input, {2}, 0, 2},
                       {"conv1", PopulationKind::Neuron, {2}, 2, 2},
                       {"dense1", PopulationKind::Neuron, {1}, 4, 1}};
  graph.spikes.assign(5, 0);
  graph.offsets = {0, 0, 0, 0, 0, 2};
  graph.sources = {2, 3};
  graph.weights = {1, 1};
  std::vector<Unit> expected = {{2, kNone, kNone}, {3, kNone, kNone}, {4, kNone, kNone}};
  std::vector<Unit> units = decompose(graph, chipOf(2, 2).crossbar);
  EXPECT_EQ(units, expected);
  EXPECT_EQ(unitOffsets(graph, units), (std::vector<uint64_t>{0, 0, 0, 2}));

  expected = {{2, kNone, kNone}, {3, kNone, kNone}, {4, kNone, 3}, {4, kNone, kNone}};
  EXPECT_EQ(decompose(graph, chipOf(1, 2).crossbar), expected);
}

} // namespace
