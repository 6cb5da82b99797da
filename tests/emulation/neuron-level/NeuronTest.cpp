// The neuron against closed forms, and against an integration in tiny steps.
#include "lib/emulation/neuron-level/Neuron.h"
#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"

#include <cmath>

using namespace spindle;
using neuron_level::Train;
using snn::SingleNeuron;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

Train run(const SingleNeuron &p, const std::vector<Train> &inputs,
          const std::vector<float> &weights = {}, std::optional<float> bias = {}) {
  return llvm::cantFail(neuron_level::neuron(p, inputs, weights, bias));
}

SingleNeuron continuous(float k, float vth, float rest = 0) {
  SingleNeuron p;
  p.decay = k;
  p.threshold = vth;
  p.rest = p.reset = p.initial = rest;
  return p;
}

SingleNeuron clocked(float k, float vth, int64_t steps) {
  SingleNeuron p = continuous(k, vth);
  p.step = 1.0f;
  p.steps = steps;
  return p;
}

TEST(ContinuousNeuron, TwoSpikesMeetTheThresholdOnlyWhenCloseEnough) {
  // 0.6 + 0.6·exp(−k·Δ) ≥ 1 as long as Δ ≤ ln(1.5) / k.
  double limit = std::log(1.5) / 2;
  EXPECT_THAT(run(continuous(2, 1), {{1, float(1 + limit - 1e-4)}}, {0.6f}),
              ElementsAre(float(1 + limit - 1e-4)));
  EXPECT_THAT(run(continuous(2, 1), {{1, float(1 + limit + 1e-4)}}, {0.6f}), IsEmpty());
}

TEST(ContinuousNeuron, WithoutWeightsAnInputCountsOne) {
  EXPECT_THAT(run(continuous(0, 3), {{1, 4}, {2}}), ElementsAre(4));
}

TEST(ContinuousNeuron, BiasDrivesItAtThePeriodOfTheClosedForm) {
  // From rest 0 towards 2 with threshold 1: the period is ln 2 / k, also after each reset.
  SingleNeuron p = continuous(0.5f, 1);
  p.until = 10;
  Train spikes = run(p, {}, {}, 2.0f);
  ASSERT_EQ(spikes.size(), 7u); // 7 · 1.386 < 10 < 8 · 1.386
  for (size_t n = 0; n < spikes.size(); ++n)
    EXPECT_NEAR(spikes[n], double(n + 1) * std::log(2.0) / 0.5, 1e-5);
  p.refractory = 0.25f;
  spikes = run(p, {}, {}, 2.0f);
  for (size_t n = 0; n < spikes.size(); ++n)
    EXPECT_NEAR(spikes[n], double(n + 1) * std::log(2.0) / 0.5 + double(n) * 0.25, 1e-5);
  EXPECT_THAT(run(p, {}, {}, 0.99f), IsEmpty()) << "the threshold is never reached";
}

TEST(ContinuousNeuron, WithoutAnEndTheLastInputIsTheEnd) {
  Train spikes = run(continuous(0.5f, 1), {{3}}, {0}, 2.0f);
  EXPECT_EQ(spikes.size(), 2u); // at 1.386 and 2.77
  EXPECT_THAT(run(continuous(0.5f, 1), {}, {}, 2.0f), IsEmpty());
}

TEST(ContinuousNeuron, SpikesOfOneInstantAreAddedBeforeTheThresholdIsTested) {
  EXPECT_THAT(run(continuous(1, 1), {{2}, {2}}, {1.5f, -1}), IsEmpty());
  EXPECT_THAT(run(continuous(1, 1), {{2}, {3}}, {1.5f, -1}), ElementsAre(2));
  EXPECT_THAT(run(continuous(1, 1), {{2, 2}}, {0.5f}), ElementsAre(2)) << "twice in one train";
  // 1e8 + 1 − 1e8 in f32, in the order of trains.
  EXPECT_THAT(run(continuous(0, 0.5f), {{2}, {2}, {2}}, {1e8f, 1, -1e8f}), IsEmpty());
  EXPECT_THAT(run(continuous(0, 0.5f), {{2}, {2}, {2}}, {1e8f, -1e8f, 1}), ElementsAre(2));
}

TEST(ContinuousNeuron, ResetBySubtractionKeepsTheRest) {
  SingleNeuron p = continuous(0, 1);
  p.resetBySubtraction = true;
  EXPECT_THAT(run(p, {{1, 2}}, {1.75f}), ElementsAre(1, 2));      // 0.75 left, then 2.5
  EXPECT_THAT(run(p, {{1, 2, 3}}, {1.5f}), ElementsAre(1, 2, 3)); // 0.5, 1, 1.5
  p.maxSpikes = 3;
  EXPECT_THAT(run(p, {{1}}, {2.5f}), ElementsAre(1, 1));
  p.resetBySubtraction = false;
  EXPECT_THAT(run(p, {{1, 2}}, {0.75f}), ElementsAre(2));
}

TEST(ContinuousNeuron, InputOfTheRefractoryPeriodIsLostItsEndIncluded) {
  SingleNeuron p = continuous(0, 1);
  p.refractory = 2;
  EXPECT_THAT(run(p, {{1, 2, 3, 3.5f, 6}}), ElementsAre(1, 3.5f, 6));
}

TEST(ContinuousNeuron, RefusesAnEndlessTrain) {
  SingleNeuron p = continuous(1e30f, 1);
  p.until = 1;
  EXPECT_THAT(
      toText(neuron_level::neuron(p, {}, {}, 2.0f).takeError()),
      HasSubstr("a neuron makes more than 4194304 spikes; lower its bias or end the run earlier"));
}

/// Random neurons against Euler steps of a ten-thousandth in double; spikes within a few of them.
TEST(ContinuousNeuron, AgreesWithAnIntegrationInTinySteps) {
  CounterRandom random(7);
  auto between = [&](double low, double high) {
    return float(low + (high - low) * random.uniform());
  };
  size_t spikesSeen = 0;
  for (int trial = 0; trial < 60; ++trial) {
    SingleNeuron p = continuous(between(0.1, 2), between(0.5, 1.5), between(-0.5, 0.2));
    p.reset = between(-1, 0.3);
    p.initial = between(-1, 0.4);
    p.resetBySubtraction = trial % 3 == 0;
    p.refractory = trial % 2 ? between(0.05, 0.5) : 0;
    p.until = 12;
    std::vector<Train> inputs(3);
    std::vector<float> weights;
    for (Train &train : inputs) {
      for (int n = 0; n < 8; ++n)
        train.push_back(between(0, 12));
      std::sort(train.begin(), train.end());
      weights.push_back(between(-0.4, 0.9));
    }
    float bias = between(-0.3, 2);
    Train found = run(p, inputs, weights, bias);

    const double h = 1e-4;
    std::vector<double> expected;
    double v = p.initial, held = -1;
    for (int64_t n = 0; n < 120000; ++n) {
      double end = double(n + 1) * h;
      double input = 0;
      for (size_t i = 0; i < 3; ++i)
        for (float time : inputs[i])
          input += time > end - h && time <= end ? double(weights[i]) : 0;
      if (end <= held)
        continue;
      bool stillAbove = v >= p.threshold; // one spike per instant: crossings come from below
      v += h * p.decay * (double(p.rest) + bias - v) + input;
      if (v >= p.threshold && (input != 0 || !stillAbove)) {
        expected.push_back(end);
        v = p.resetBySubtraction ? v - p.threshold : double(p.reset);
        held = p.refractory > 0 ? end + p.refractory : -1;
      }
    }
    // A coincidence at the edge of a refractory period may go either way: compare up to there.
    ASSERT_NEAR(double(found.size()), double(expected.size()), 1) << trial;
    for (size_t n = 0; n < std::min(found.size(), expected.size()); ++n)
      EXPECT_NEAR(found[n], expected[n], 5e-3) << trial;
    spikesSeen += found.size();
  }
  EXPECT_GT(spikesSeen, 300u);
}

TEST(ClockedNeuron, IntegratesWeightsAndBiasPerStep) {
  // Steps end at 1, 2, …; a step holds what lies after the one before, the first one 0 too.
  EXPECT_THAT(run(clocked(0, 1, 4), {{0, 2}, {1.5f}}, {0.5f, 0.5f}), ElementsAre(2));
  EXPECT_THAT(run(clocked(0, 1, 8), {}, {}, 0.3f), ElementsAre(4, 8));
  SingleNeuron subtract = clocked(0, 1, 10);
  subtract.resetBySubtraction = true;
  EXPECT_THAT(run(subtract, {}, {}, 0.375f), ElementsAre(3, 6, 8));
}

TEST(ClockedNeuron, LeaksByEulerSteps) {
  SingleNeuron p = clocked(0.25f, 10, 3);
  p.rest = -1;
  p.resistance = 2;
  p.initial = 0;
  // v: 0 → (−1 − 0 + 2·20)·0.25 = 9.75 → 9.75 + (−1 − 9.75 + 40)·0.25 = 17.06: spike, reset
  p.reset = -4;
  EXPECT_THAT(run(p, {}, {}, 20.0f), ElementsAre(2));
  p.steps = 4; // −4 → −4 + (−1 + 4 + 40)·0.25 = 6.75 → 6.75 + (−7.75 + 40)·0.25 = 14.8
  EXPECT_THAT(run(p, {}, {}, 20.0f), ElementsAre(2, 4));
}

TEST(ClockedNeuron, SkipsTheStepsOfTheRefractoryPeriod) {
  SingleNeuron p = clocked(0, 1, 9);
  p.refractory = 2;
  EXPECT_THAT(run(p, {}, {}, 1.0f), ElementsAre(1, 4, 7));
}

TEST(ClockedNeuron, RunsToTheLastInputWithoutANumberOfSteps) {
  SingleNeuron p = clocked(0, 1, 1);
  p.steps.reset();
  EXPECT_THAT(run(p, {{2.5f}}, {}, 1.0f), ElementsAre(1, 2, 3));
  EXPECT_THAT(run(p, {{}}, {}, 1.0f), IsEmpty());
  p.step = 0.1f; // the third end is 0.3f as f32 has it
  EXPECT_EQ(run(p, {{0.3f}}, {}, 1.0f).size(), 3u);
  EXPECT_THAT(toText(neuron_level::neuron(p, {{1e9f}}, {}, {}).takeError()),
              HasSubstr("makes more than 16777216 steps of 0.1 ms, expected a number of steps"));
}

} // namespace
