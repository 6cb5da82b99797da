// Delays of synapses in networks described in files.
#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "tests/emulation/network/NetworkFile.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace spindle;
using test::NetworkFile;
using test::spikesOf;

namespace {

/// A loop over the equations of the network below: each spike goes into the slots of the ring that
/// its synapses' delays say.
std::vector<Spike> ringOf(const std::vector<int64_t> &sources, const std::vector<int64_t> &targets,
                          const std::vector<int64_t> &delays, const std::vector<double> &weights,
                          uint32_t steps) {
  constexpr size_t kSlots = 16;
  std::vector<std::vector<double>> ring(kSlots, std::vector<double>(6));
  std::vector<double> v{0.9, 0.7, 0.5, 0.3, 0.1, 0};
  std::vector<Spike> spikes;
  for (uint32_t t = 0; t < steps; ++t) {
    std::vector<double> &now = ring[t % kSlots];
    for (uint32_t n = 0; n < 6; ++n) {
      v[n] += now[n] + 0.0625;
      now[n] = 0;
      if (v[n] < 1)
        continue;
      v[n] = 0;
      spikes.push_back({t, n});
    }
    for (const Spike &spike : spikes)
      for (size_t k = 0; spike.step == t && k < sources.size(); ++k)
        if (sources[k] == spike.neuron)
          ring[(t + size_t(delays[k])) % kSlots][size_t(targets[k])] += weights[k];
  }
  return spikes;
}

} // namespace

TEST(NetworkDelays, SpikesArriveByTheDelaysOfTheirSynapses) {
  std::vector<int64_t> sources{0, 1, 2, 3, 4, 5, 0, 2, 4, 0}, targets{1, 2, 3, 4, 5, 0, 3, 5, 1, 0},
      delays{1, 9, 3, 3, 14, 2, 7, 1, 5, 4};
  std::vector<double> weights{0.25, 0.5, 0.125, 0.25, 0.5, 0.25, 0.125, 0.25, 0.5, 0.125};
  NetworkFile file(fmt::format(
      "dt: 1\npopulations:\n  cells: {{neuron: if, size: 6, threshold: 1, current: 0.0625, "
      "initial_membrane: [0.9, 0.7, 0.5, 0.3, 0.1, 0]}}\nprojections:\n  - {{from: cells, to: "
      "cells, connect: {{sources: [{}], targets: [{}]}}, weight: [{}], delay: [{}]}}\n",
      fmt::join(sources, ", "), fmt::join(targets, ", "), fmt::join(weights, ", "),
      fmt::join(delays, ", ")));
  std::vector<Spike> expected = ringOf(sources, targets, delays, weights, 300);
  EXPECT_GT(expected.size(), 100u);
  for (auto engine :
       {EmulationEngine::Layers, EmulationEngine::Lanes, EmulationEngine::Interpreter})
    EXPECT_EQ(spikesOf(file.run(300, engine), "cells"), expected);
}

/// Uniform between two delays, rounded to steps: all engines agree, ranks of the draws are even.
TEST(NetworkDelays, DelaysAreDrawn) {
  NetworkFile file("dt: 0.1\nseed: 4\npopulations:\n  noise: {source: poisson, size: 40, rate: "
                   "200}\n  cells: {neuron: lif, size: 60, tau: 10, r: 100, threshold: 1, "
                   "refractory: 1}\nprojections:\n"
                   "  - {from: noise, to: cells, connect: {fan_in: 8}, weight: 0.5, delay: "
                   "{uniform: [0.3, 0.7]}}\n"
                   "  - {from: cells, to: cells, connect: {probability: 0.4}, weight: {uniform: "
                   "[-0.2, 0.1]}, delay: {uniform: [0.5, 1.5]}}\n");
  std::map<int64_t, double> drawn; // of the recurrent projection, by steps
  (*file.module)->walk([&](snn::DelayedSparseOp op) {
    if (auto back = op.getInput().getDefiningOp<snn::FeedbackOp>())
      for (int16_t delay : op.getDelays())
        ++drawn[int64_t(back.getSteps()) + delay];
  });
  ASSERT_EQ(drawn.size(), 11u);
  EXPECT_EQ(drawn.begin()->first, 5);
  EXPECT_EQ(drawn.rbegin()->first, 15);
  double all = 0;
  for (auto [steps, count] : drawn)
    all += count;
  EXPECT_NEAR(all, 60 * 60 * 0.4, 5 * std::sqrt(60 * 60 * 0.24));
  for (auto [steps, count] : drawn) { // the outer ones are rounded from half an interval
    double expected = all / (steps == 5 || steps == 15 ? 20 : 10);
    EXPECT_NEAR(count, expected, 5 * std::sqrt(expected)) << steps;
  }
  EmulationResult expected = file.run(400, EmulationEngine::Interpreter);
  EXPECT_GT(spikesOf(expected, "cells").size(), 100u);
  for (auto engine : {EmulationEngine::Layers, EmulationEngine::Lanes})
    EXPECT_EQ(file.run(400, engine).trace, expected.trace);
}

/// Normal ones are those of the distribution without what is no delay: from a step on.
TEST(NetworkDelays, NormalDelaysAreDrawnAgainWhereTheyAreNone) {
  NetworkFile file("dt: 0.5\npopulations:\n  cells: {neuron: if, size: 100, threshold: 1}\n"
                   "projections:\n  - {from: cells, to: cells, connect: all_to_all, weight: 1, "
                   "delay: {normal: [1, 1]}}\n");
  constexpr double kMean = 2, kDeviation = 2; // in steps
  std::map<int64_t, double> drawn;
  (*file.module)->walk([&](snn::DelayedSparseOp op) {
    for (int16_t delay : op.getDelays())
      ++drawn[1 + delay]; // the shortest is that of the feedback
  });
  auto below = [&](double steps) {
    return 0.5 * std::erfc((kMean - steps) / kDeviation / std::sqrt(2.0));
  };
  double all = 1 - below(0.5);
  ASSERT_EQ(drawn.begin()->first, 1);
  for (int64_t steps = 1; steps <= 8; ++steps) {
    double share = (below(double(steps) + 0.5) - below(double(steps) - 0.5)) / all;
    EXPECT_NEAR(drawn[steps], 1e4 * share, 5 * std::sqrt(1e4 * share * (1 - share))) << steps;
  }
}
