// Populations under constant current against closed forms.
#include "lib/emulation/interpreter/Interpreter.h"
#include "lib/emulation/interpreter/Neurons.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

#include <cmath>

using namespace spindle;
using namespace spindle::test;

namespace {

template <typename Scalar>
interpreter::SampleRun<Scalar> run(NetworkBuilder &n, const std::vector<float> &x, uint32_t steps) {
  Network network = llvm::cantFail(readNetwork(n.finish()));
  return llvm::cantFail(interpreter::Interpreter<Scalar>(network).run(x.data(), 0, steps, 0));
}

/// Steps of the spikes of the one neuron.
std::vector<uint32_t> stepsOfNeuron(const std::vector<Spike> &spikes) {
  std::vector<uint32_t> steps;
  for (const Spike &spike : spikes)
    steps.push_back(spike.step);
  return steps;
}

TEST(IntegrateAndFire, RateCodesTheCurrent) {
  // Reset by subtraction: after T steps floor((T·c + v0) / threshold) spikes, while c < threshold.
  CounterRandom random(8);
  for (int trial = 0; trial < 200; ++trial) {
    // Multiples of 2^-10 are added exactly.
    float c = float(random.below(1024)) / 1024, v0 = float(random.below(1024)) / 1024;
    NetworkBuilder n({1});
    n.direct().integrateAndFire(snn::Reset::Subtract, {1}, {0}, {v0}).decode();
    interpreter::SampleRun<float> result = run<float>(n, {c}, 40);
    for (uint32_t step = 0; step < 40; ++step)
      ASSERT_EQ(result.answers[step][0], std::floor(float(step + 1) * c + v0)) << c << " " << v0;
    float rest = 40 * c + v0;
    EXPECT_EQ(result.membranes[0][0], rest - std::floor(rest));
  }
}

TEST(IntegrateAndFire, ResetToZeroForgetsTheExcess) {
  // From v_reset, ceil((threshold − v_reset) / c) steps lie between two spikes.
  NetworkBuilder n({1});
  n.direct().integrateAndFire(snn::Reset::Zero, {1}, {-0.25f}, {0.5f}).decode();
  EXPECT_THAT(stepsOfNeuron(run<float>(n, {0.375f}, 12).spikes), ::testing::ElementsAre(1, 5, 9));
}

TEST(IntegrateAndFire, FiresAtTheThresholdItself) {
  NetworkBuilder n({1});
  n.direct().integrateAndFire(snn::Reset::Subtract, {0.5f}, {0}, {0}).decode();
  EXPECT_THAT(stepsOfNeuron(run<float>(n, {0.25f}, 4).spikes), ::testing::ElementsAre(1, 3));
}

TEST(LeakyIntegrateAndFire, MembraneIsTheGeometricSeries) {
  // Below the threshold v(t) = v∞ + (v0 − v∞)·(1 − 1/tau)^t with v∞ = leak + r·i.
  float tau = 5, r = 2, leak = 0.1f, v0 = 0.3f, i = 0.4f;
  for (uint32_t steps : {1u, 2u, 10u, 100u}) {
    NetworkBuilder n({1});
    n.direct().leaky(snn::Reset::Zero, {10}, {tau}, {r}, {leak}, {0}, {v0}).decode();
    interpreter::SampleRun<double> result = run<double>(n, {i}, steps);
    double limit = double(leak) + double(r) * double(i);
    double decay = std::pow(1 - double(1.0f / tau), steps);
    EXPECT_NEAR(result.membranes[0][0], limit + (double(v0) - limit) * decay, 1e-12);
    EXPECT_TRUE(result.spikes.empty());
  }
}

TEST(LeakyIntegrateAndFire, PeriodIsLogarithmic) {
  // From zero it takes ceil(ln(1 − threshold / v∞) / ln(1 − 1/tau)) steps to the threshold.
  for (float i : {0.30f, 0.5f, 0.9f, 2.0f}) {
    float tau = 20, threshold = 1, r = 4;
    NetworkBuilder n({1});
    n.direct().leaky(snn::Reset::Zero, {threshold}, {tau}, {r}, {0}, {0}, {0}).decode();
    std::vector<uint32_t> steps = stepsOfNeuron(run<double>(n, {i}, 200).spikes);
    auto period = static_cast<uint32_t>(
        std::ceil(std::log(1 - threshold / (double(r) * i)) / std::log(1 - 1.0 / tau)));
    ASSERT_EQ(steps.size(), 200 / period);
    for (size_t k = 0; k < steps.size(); ++k)
      EXPECT_EQ(steps[k] + 1, (k + 1) * period);
  }
}

TEST(Integrator, SumsTheCurrent) {
  NetworkBuilder n({2});
  n.direct().integrator({0.5f, -1}).decode();
  interpreter::SampleRun<float> result = run<float>(n, {0.25f, -2}, 3);
  EXPECT_THAT(result.answers.back(), ::testing::ElementsAre(1.25f, -7));
  EXPECT_TRUE(result.spikes.empty());
}

TEST(Rectifier, AddsUpToTheRectifiedSumAtEveryStep) {
  // A population fed by the differences of regular spikes: its inputs change sign from step to
  // step.
  CounterRandom random(4);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<float> x(6);
    for (float &value : x)
      value = float(random.below(9)) / 8;
    auto network = [&](NetworkBuilder &n, const char *attributes) {
      n.regular();
      n.dense(2, {1, -1, 0.5f, -0.5f, 0.25f, -0.75f, -1, 1, -1, 1, 0.5f, 0.5f}, {}, "");
      return n.population(attributes ? "rectifier" : "integrator", attributes ? attributes : "")
          .last();
    };
    NetworkBuilder sum({6}), rectified({6}), clamped({6});
    network(sum, nullptr);
    network(rectified, "r = array<f32: 2.0>");
    network(clamped, "r = array<f32: 2.0>, maximum = array<f32: 0.125>");
    auto sums = run<float>(sum.decode(), x, 20);
    auto made = run<float>(rectified.integrator().decode(), x, 20);
    auto most = run<float>(clamped.integrator().decode(), x, 20);
    for (size_t step = 0; step < 20; ++step)
      for (size_t n = 0; n < 2; ++n) {
        float expected = std::max(2 * sums.answers[step][n], 0.0f); // eighths are added exactly
        ASSERT_EQ(made.answers[step][n], expected) << "step " << step;
        ASSERT_EQ(most.answers[step][n], std::min(expected, float(step + 1) / 8));
      }
    EXPECT_EQ(made.membranes[1][0], 2 * sums.membranes[1][0]);
  }
}

TEST(MaxPool, OfCurrentsFollowsTheLargestSum) {
  // y(t) summed up is the largest of the inputs' sums, also while all of them are negative.
  NetworkBuilder n({1, 1, 2});
  n.direct().integrator({0, 10}).maxPool({1, 2}, {1, 1}).integrator().decode();
  interpreter::SampleRun<float> result = run<float>(n, {-1, -8}, 4);
  // Membranes -1 -2 -3 -4 and 2 -6 -14 -22: sums -1 -3 -6 -10 and 2 -4 -18 -40.
  std::vector<float> sums;
  for (const std::vector<float> &answer : result.answers)
    sums.push_back(answer[0]);
  EXPECT_THAT(sums, ::testing::ElementsAre(2, -3, -6, -10));
}

TEST(Neurons, ParametersMayDifferByChannelAndByNeuron) {
  NetworkBuilder n({2, 2});
  n.direct().integrateAndFire(snn::Reset::Subtract, {1, 2}, {0}, {0, 0.5f, 1, 1.5f}).decode();
  interpreter::SampleRun<float> result = run<float>(n, {0.5f, 0.5f, 0.5f, 0.5f}, 1);
  EXPECT_THAT(result.answers[0], ::testing::ElementsAre(0, 1, 0, 1));
}

} // namespace
