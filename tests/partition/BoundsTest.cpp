// Bounds by closed forms, and linear programs by their corners.
#include "lib/partition/Compare.h"
#include "lib/partition/Partition.h"
#include "lib/partition/bounds/LinearBound.h"
#include "lib/partition/bounds/PartitionBounds.h"
#include "lib/partition/bounds/Simplex.h"
#include "tests/partition/RandomGraph.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace spindle;

namespace {

/// The least ratio bound of two variables: every corner of two conditions, the axes among them.
double bestCorner(LinearProgram program) {
  program.coefficients.push_back({-1, 0});
  program.coefficients.push_back({0, -1});
  program.limits.insert(program.limits.end(), {0, 0});
  double best = 0;
  for (size_t i = 0; i < program.limits.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const auto &a = program.coefficients[i], &b = program.coefficients[j];
      double determinant = a[0] * b[1] - a[1] * b[0];
      if (std::abs(determinant) < 1e-9)
        continue;
      double x = (program.limits[i] * b[1] - a[1] * program.limits[j]) / determinant;
      double y = (a[0] * program.limits[j] - program.limits[i] * b[0]) / determinant;
      bool isInside = true;
      for (size_t k = 0; k < program.limits.size(); ++k)
        isInside &= program.coefficients[k][0] * x + program.coefficients[k][1] * y <=
                    program.limits[k] + 1e-9;
      if (isInside)
        best = std::max(best, program.objective[0] * x + program.objective[1] * y);
    }
  return best;
}

TEST(Simplex, FindsTheBestCorner) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    CounterRandom random(seed, 31);
    LinearProgram program;
    program.objective = {1 + random.uniform(), 1 + 3 * random.uniform()};
    uint32_t conditions = 1 + random.below(8);
    for (uint32_t i = 0; i < conditions; ++i) {
      program.coefficients.push_back({random.uniform() + 0.01, random.uniform() + 0.01});
      program.limits.push_back(double(random.below(5)));
    }
    program.coefficients.push_back({1, 0}); // a condition that is there twice, and is an axis
    program.coefficients.push_back({1, 0});
    program.limits.insert(program.limits.end(), {3, 3});
    std::vector<double> x = maximize(program);
    ASSERT_EQ(x.size(), 2u);
    for (size_t k = 0; k < program.limits.size(); ++k)
      EXPECT_LE(program.coefficients[k][0] * x[0] + program.coefficients[k][1] * x[1],
                program.limits[k] + 1e-9);
    EXPECT_GE(std::min(x[0], x[1]), 0);
    EXPECT_NEAR(program.objective[0] * x[0] + program.objective[1] * x[1], bestCorner(program),
                1e-9);
  }
}

/// Layers, each neuron with the same number of sources of its own.
SpikingGraph separateNeurons(uint32_t neurons, uint32_t fanIn) {
  SpikingGraph graph;
  uint32_t inputs = neurons * fanIn;
  graph.populations = {{"input", PopulationKind::Input, {inputs}, 0, inputs},
                       {"pool", PopulationKind::Neuron, {neurons}, inputs, neurons}};
  graph.samples = 1;
  graph.steps = 10;
  graph.spikes.assign(inputs + neurons, 2);
  graph.offsets.assign(inputs + 1, 0);
  for (uint32_t n = 0; n < neurons; ++n) {
    for (uint32_t s = 0; s < fanIn; ++s)
      graph.sources.push_back(n * fanIn + s);
    graph.offsets.push_back(graph.sources.size());
  }
  graph.weights.assign(graph.sources.size(), 1);
  return graph;
}

/// Neurons of 3 separate rows waste the fourth: counting rows sees 18 / 4 = 5, the linear program
/// that no two fit.
TEST(PartitionBounds, TheLinearProgramSeesRowsThatNobodyCanUse) {
  SpikingGraph graph = separateNeurons(6, 3);
  PartitionBounds bounds = llvm::cantFail(boundPartitions(graph, chipOf(4, 4), {}));
  EXPECT_EQ(bounds.columns, 2u);
  EXPECT_EQ(bounds.synapses, 2u);
  EXPECT_EQ(bounds.rows, 5u);
  EXPECT_EQ(bounds.linear, 6u);
  EXPECT_EQ(bounds.clusters(), 6u);
  EXPECT_EQ(bounds.deliveries, 36u) << "every input once, two spikes each";
}

/// A dense layer: its inputs go to every cluster.
TEST(PartitionBounds, ADenseLayerIsExact) {
  for (uint32_t neurons : {1u, 7u, 8u, 9u, 64u}) {
    SpikingGraph graph;
    graph.populations = {{"input", PopulationKind::Input, {5}, 0, 5},
                         {"dense", PopulationKind::Neuron, {neurons}, 5, neurons}};
    graph.samples = 1;
    graph.steps = 10;
    graph.spikes.assign(5 + neurons, 3);
    graph.offsets.assign(6, 0);
    for (uint32_t n = 0; n < neurons; ++n) {
      graph.sources.insert(graph.sources.end(), {0, 1, 2, 3, 4});
      graph.offsets.push_back(graph.sources.size());
    }
    graph.weights.assign(graph.sources.size(), 1);
    Chip chip = chipOf(6, 8);
    chip.latency.neuronUpdateCycles = {2, "test"};
    uint64_t clusters = (neurons + 7) / 8;
    PartitionBounds bounds = llvm::cantFail(boundPartitions(graph, chip, {}));
    EXPECT_EQ(bounds.clusters(), clusters);
    EXPECT_EQ(bounds.deliveries, clusters * 15);
    PartitionOptions options;
    options.algorithm = PartitionAlgorithm::FirstFit;
    PartitionFigures figures = figuresOf(llvm::cantFail(partition(graph, chip, options)), chip);
    EXPECT_EQ(figures.clusters, clusters);
    EXPECT_EQ(figures.deliveries, clusters * 15);
    EXPECT_EQ(figures.slowestCycles, 2.0 * 10 * std::min(neurons, 8u));
  }
}

/// Two kinds that fit into half a crossbar each by rows, and not by columns: closed forms of the
/// program over patterns.
TEST(LinearBound, MixesKinds) {
  // 40 columns that take a row each, 10 columns that take 9 of the 10 rows each: the latter leave
  // a row, and each crossbar has 4 columns.
  UnitKind thin{40, 40, {0, 1, 2, 3, 4}}, thick{10, 90, {0, 9, 11, 11, 11}};
  Crossbar crossbar{10, 4, 8};
  EXPECT_EQ(boundLinearly({thin}, crossbar), 10u);
  EXPECT_EQ(boundLinearly({thick}, crossbar), 10u);
  // Ten crossbars take all thick ones and a thin one each; the other thirty fill 7.5.
  EXPECT_EQ(boundLinearly({thin, thick}, crossbar), 18u);
}

} // namespace
