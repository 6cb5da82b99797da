// Leaks, synapses, receptors, refractory periods and crossings within a step against closed forms.
#include "tests/emulation/SingleNeuron.h"

#include "gmock/gmock.h"

#include <cmath>

using namespace spindle;
using namespace spindle::test;
using ::testing::ElementsAre;

namespace {

/// The membrane of a leaky integrator after `steps` steps of constant current.
double leakyAfter(uint32_t steps, const std::string &parameters, float current) {
  NetworkBuilder n({1});
  n.direct().population("li", parameters).decode();
  return watch<double>(n, {current}, steps).membranes[0].back()[0];
}

TEST(LeakyIntegrator, ExactStepsAreTheExponential) {
  // tau·dv/dt = leak − v + r·i: v(t) = v∞ + (v0 − v∞)·exp(−t/tau).
  for (uint32_t steps : {1u, 3u, 20u}) {
    double found = leakyAfter(
        steps,
        "tau = array<f32: 4.0>, r = array<f32: 2.0>, v_leak = array<f32: 0.5>, "
        "initial_membrane = array<f32: -1.0>, discretization = #snn<discretization exact>",
        0.75f);
    EXPECT_NEAR(found, 2 - 3 * std::exp(-double(steps) / 4), 1e-6);
  }
}

TEST(LeakyIntegrator, EulerConvergesWithOrderOne) {
  // The same time constant cut into finer steps: the error halves with the step.
  auto errorAt = [](uint32_t finer) {
    std::string tau = "tau = array<f32: " + std::to_string(4.0 * finer) + ">";
    return std::abs(leakyAfter(4 * finer, tau, 1) - (1 - std::exp(-1.0)));
  };
  for (uint32_t finer : {8u, 16u, 32u})
    EXPECT_NEAR(errorAt(finer) / errorAt(2 * finer), 2, 0.05);
}

TEST(CurrentSynapse, ExactStepsAreTheDoubleExponential) {
  // One spike of weight w at step 0 holds the input for a step; from then on
  // j(t) = j1·exp(−t/s), v(t) = v1·exp(−t/tau) + j1·s/(s − tau)·(exp(−t/s) − exp(−t/tau)).
  for (double s : {2.0, 5.0}) { // 5: the limit of equal time constants
    NetworkBuilder n({1});
    n.events().dense(1, {3}, {}, "");
    n.population("cuba_li", "tau = array<f32: 5.0>, discretization = #snn<discretization exact>, "
                            "tau_syn = array<f32: " +
                                std::to_string(s) + ">");
    n.decode();
    std::vector<std::vector<double>> v = watch<double>(n, {0}, 12, {{0, 0}}).membranes[1];
    double tau = 5, j1 = 3 * (1 - std::exp(-1 / s));
    auto kernel = [&](double t) {
      return s == tau ? t / tau * std::exp(-t / tau)
                      : s / (s - tau) * (std::exp(-t / s) - std::exp(-t / tau));
    };
    double v1 = 3 * (1 - std::exp(-1 / tau)) - 3 * kernel(1);
    EXPECT_NEAR(v[0][0], v1, 1e-6);
    for (uint32_t t = 1; t < 12; ++t)
      EXPECT_NEAR(v[t][0], v1 * std::exp(-double(t) / tau) + j1 * kernel(t), 1e-6) << t;
  }
}

/// Spikes of neuron 0 excite, those of neuron 1 inhibit.
NetworkBuilder &twoReceptors(NetworkBuilder &n, llvm::StringRef kind, const std::string &rest,
                             float weight) {
  n.regular();
  mlir::Value input = n.last();
  n.dense(1, {0, kind == "coba_lif" ? weight : -weight}, {}, "");
  mlir::Value inhibitory = n.last();
  n.from(input).dense(1, {weight, 0}, {}, "");
  return n.population(
      kind,
      "reset = #snn<reset zero>, tau_exc = array<f32: 5.0>, tau_inh = array<f32: 10.0>, " + rest,
      inhibitory);
}

TEST(CurrentReceptors, ASpikeLeavesTheDifferenceOfTwoExponentials) {
  for (int receptor : {0, 1}) {
    NetworkBuilder n({2});
    twoReceptors(n, "dual_cuba_lif",
                 "threshold = array<f32: 100.0>, tau = array<f32: 20.0>, discretization = "
                 "#snn<discretization exact>",
                 2);
    n.decode();
    std::vector<float> x{receptor == 0 ? 0.1f : 0, receptor == 1 ? 0.1f : 0};
    std::vector<std::vector<double>> v = watch<double>(n, x, 20).membranes[1];
    // A rate of one tenth spikes once in twenty steps before the second spike at step 19.
    double s = receptor == 0 ? 5 : 10, sign = receptor == 0 ? 2 : -2;
    for (uint32_t step = 10; step < 19; ++step) {
      double t = step - 8; // the step of the spike counts already
      double kernel = s / (s - 20) * (std::exp(-t / s) - std::exp(-t / 20));
      EXPECT_NEAR(v[step][0], sign * kernel, 1e-5) << step;
    }
    EXPECT_EQ(v[8][0], 0);
  }
}

TEST(ConductanceReceptors, MembranesStayBetweenTheReversalPotentials) {
  for (float excitation : {0.0f, 0.3f, 1.0f})
    for (float inhibition : {0.0f, 0.5f, 1.0f}) {
      NetworkBuilder n({2});
      twoReceptors(n, "coba_lif",
                   "threshold = array<f32: 10.0>, v_reset = array<f32: -60.0>, v_leak = array<f32: "
                   "-60.0>, initial_membrane = array<f32: -60.0>, tau = array<f32: 200.0>, e_exc = "
                   "array<f32: 0.0>, e_inh = array<f32: -80.0>",
                   6);
      n.decode();
      double last = -60;
      WatchedRun<double> result = watch<double>(n, {excitation, inhibition}, 400);
      for (const std::vector<double> &v : result.membranes[1]) {
        EXPECT_LE(v[0], 0);
        EXPECT_GE(v[0], -80);
        last = v[0];
      }
      if (excitation > 0 && inhibition == 0) {
        EXPECT_GT(last, -20) << "the excitatory reversal potential attracts";
      }
      if (excitation == 0 && inhibition > 0) {
        EXPECT_LT(last, -75) << "the inhibitory one too";
      }
    }
}

TEST(RefractoryPeriod, LengthensTheIntervalByItsSteps) {
  for (int64_t rest : {0, 1, 4}) {
    NetworkBuilder n({1});
    n.direct().population(
        "if", "reset = #snn<reset zero>, threshold = array<f32: 1.0>, refractory = array<i64: " +
                  std::to_string(rest) + ">");
    n.decode();
    std::vector<uint32_t> steps = stepsOf(watch<float>(n, {0.5f}, 40).run.spikes, 0);
    ASSERT_GT(steps.size(), 3u);
    EXPECT_EQ(steps[0], 1u);
    for (size_t k = 1; k < steps.size(); ++k)
      EXPECT_EQ(steps[k] - steps[k - 1], 2 + rest); // no current is gathered while it rests
  }
}

TEST(SeveralSpikes, AreThresholdsReached) {
  NetworkBuilder n({3});
  n.direct().population(
      "if", "reset = #snn<reset subtract>, threshold = array<f32: 1.0>, max_spikes = 3 : i64, r = "
            "array<f32: 2.0>");
  n.decode();
  WatchedRun<float> result = watch<float>(n, {0.25f, 1.25f, 4}, 2);
  EXPECT_THAT(result.run.answers[0], ElementsAre(0, 2, 3)); // floor(r·i / threshold), at most 3
  EXPECT_THAT(result.run.answers[1], ElementsAre(1, 5, 6));
  EXPECT_THAT(result.membranes[0][1], ElementsAre(0, 0, 10)) << "the rest stays";
  EXPECT_EQ(result.run.spikes.size(), 12u) << "a spike of its own each";
}

TEST(ExactCrossing, TimesAreThoseOfTheDifferentialEquation) {
  // From reset it takes p = tau·ln(r·i / (r·i − threshold)) to the threshold, so after t steps
  // floor(t / p) spikes, and the membrane is that of the time since the last one.
  double tau = 10, current = 3, period = tau * std::log(current / (current - 1));
  NetworkBuilder n({1});
  n.direct().population(
      "lif", "reset = #snn<reset zero>, threshold = array<f32: 1.0>, tau = array<f32: 10.0>, "
             "discretization = #snn<discretization exact_crossing>");
  n.decode();
  WatchedRun<double> result = watch<double>(n, {3}, 200);
  for (uint32_t step = 0; step < 200; ++step) {
    double time = step + 1, count = std::floor(time / period);
    ASSERT_EQ(result.run.answers[step][0], count) << step;
    double since = time - count * period;
    ASSERT_NEAR(result.membranes[0][step][0], current * (1 - std::exp(-since / tau)), 5e-6) << step;
  }
}

TEST(ExactCrossing, LinearMembranesCountEveryThreshold) {
  NetworkBuilder n({1});
  n.direct().population(
      "if", "reset = #snn<reset zero>, threshold = array<f32: 1.0>, v_reset = array<f32: -0.5>, "
            "max_spikes = 9 : i64, discretization = #snn<discretization exact_crossing>");
  n.decode();
  // The first after 1 / 4 of a step, then one each 1.5 / 4.
  WatchedRun<double> result = watch<double>(n, {4}, 30);
  for (uint32_t step = 0; step < 30; ++step)
    EXPECT_EQ(result.run.answers[step][0], std::floor((4.0 * (step + 1) - 1) / 1.5 + 1e-9) + 1)
        << step;
}

TEST(FirstSpike, TimesAreLinearInTheValue) {
  // A value k, gathered until the window starts, spikes k steps before the window ends.
  constexpr int kStart = 10, kWindow = 10;
  for (float weight : {0.0f, 0.5f, 1.0f, 2.0f})
    for (uint32_t spike = 0; spike < kStart; ++spike) {
      NetworkBuilder n({1});
      n.events().dense(1, {weight}, {}, "");
      n.population("first_spike", "start = 10 : i64, window = 10 : i64").decodeFirstSpike();
      WatchedRun<float> result = watch<float>(n, {0}, 25, {{spike, 0}});
      auto value = static_cast<int>(std::floor(weight * float(kStart - int(spike))));
      std::vector<uint32_t> steps = stepsOf(result.run.spikes, 1);
      if (value == 0) {
        EXPECT_TRUE(steps.empty());
        EXPECT_EQ(result.run.answers.back()[0], 0);
        continue;
      }
      uint32_t expected = uint32_t(kStart + kWindow - std::min(value, kWindow));
      EXPECT_THAT(steps, ElementsAre(expected)) << weight << " " << spike;
      EXPECT_EQ(result.run.answers.back()[0], 25 - expected);
    }
}

TEST(Integrator, ASustainedCurrentStaysOn) {
  NetworkBuilder n({1});
  n.events()
      .dense(1, {2}, {}, "")
      .population("integrator", "sustained, r = array<f32: 0.5>")
      .decode();
  std::vector<std::vector<float>> answers = watch<float>(n, {0}, 5, {{1, 0}, {3, 0}}).run.answers;
  // r·w per step from each spike on.
  EXPECT_THAT(answers, ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2), ElementsAre(4),
                                   ElementsAre(6)));
}

} // namespace
