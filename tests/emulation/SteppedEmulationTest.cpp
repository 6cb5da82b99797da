// A network that is stepped from outside, population by population, against the emulation.
#include "lib/emulation/SteppedEmulation.h"

#include "lib/emulation/Emulation.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

#include <functional>

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

constexpr uint32_t kSteppedSteps = 11;

EmulationOptions steppedOptions() {
  EmulationOptions options;
  options.steps = kSteppedSteps;
  options.recordSamples = 100;
  options.threads = 1;
  return options;
}

/// Each population so many slots behind the one before it, as on a chip.
std::vector<Spike> stepAll(SteppedNetwork &network, uint32_t lag,
                           const std::vector<std::vector<float>> &extra = {}) {
  std::vector<Spike> spikes;
  auto populations = static_cast<uint32_t>(network.populations().size());
  for (uint32_t slot = 0; slot < kSteppedSteps + populations * lag; ++slot)
    for (uint32_t p = 0; p < populations; ++p)
      if (slot >= p * lag && slot - p * lag < kSteppedSteps) {
        uint32_t step = slot - p * lag;
        for (NeuronId neuron :
             network.step(p, step, extra.empty() ? std::vector<float>() : extra[p]))
          spikes.push_back({step, neuron});
      }
  std::sort(spikes.begin(), spikes.end());
  return spikes;
}

void buildConvolution(NetworkBuilder &n) {
  n.conv(5, 3, 3).direct();
  n.integrateAndFire(snn::Reset::Subtract, {0.9f}, {0}, {0.5f});
  n.pool({2, 2}, {2, 2}, {0, 0, 0, 0}, false).conv(6, 2, 2);
  n.integrateAndFire(snn::Reset::Subtract, {1.3f}, {0}, {0.25f}).flatten().dense(4);
  n.integrator().decode();
}

void buildPoisson(NetworkBuilder &n) {
  n.poisson(1.5f).flatten().dense(9);
  n.leaky(snn::Reset::Subtract, {0.8f}, {5}, {2}, {0}, {0}, {0}).dense(7);
  n.integrateAndFire(snn::Reset::Zero, {0.6f}, {0}, {0}).dense(4);
  n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}).decode();
}

TEST(SteppedEmulation, SpikesAndAnswersAreThoseOfTheEmulation) {
  for (const auto &build : {buildConvolution, buildPoisson})
    for (uint64_t seed = 1; seed <= 5; ++seed)
      for (uint32_t lag : {0u, 1u, 4u}) {
        NetworkBuilder builder({2, 7, 6}, seed);
        build(builder);
        mlir::ModuleOp module = builder.finish();
        Samples samples = randomSamples(seed, {2, 7, 6}, 3, 4);
        auto whole = emulate(module, samples, steppedOptions());
        ASSERT_TRUE(bool(whole)) << toText(whole.takeError());
        auto made = SteppedEmulation::make(module, samples, steppedOptions());
        ASSERT_TRUE(bool(made)) << toText(made.takeError());
        std::unique_ptr<SteppedNetwork> network = (*made)->open();
        std::vector<uint64_t> correct(kSteppedSteps);
        uint64_t total = 0;
        for (size_t sample = 0; sample < 3; ++sample) {
          ASSERT_FALSE(bool(network->begin(sample)));
          std::vector<Spike> spikes = stepAll(*network, lag);
          EXPECT_EQ(spikes, whole->trace.recorded[sample]);
          total += spikes.size();
          std::vector<uint32_t> answers = network->answers(kSteppedSteps);
          for (uint32_t step = 0; step < kSteppedSteps; ++step)
            correct[step] += answers[step] == samples.labels[sample];
        }
        EXPECT_EQ(correct, whole->summary.correctByStep);
        EXPECT_GT(total, 0u);
      }
}

/// An extra current in every step is a bias.
TEST(SteppedEmulation, ExtraCurrentsAreAdded) {
  auto build = [](NetworkBuilder &n, float bias) {
    n.poisson(1).dense(2, {1, 2, 3, -1, 0, 2}, {0, bias}, "");
    n.integrateAndFire(snn::Reset::Subtract, {4}, {0}, {0}).decode();
    return n.finish();
  };
  NetworkBuilder plain({3}), biased({3});
  mlir::ModuleOp without = build(plain, 0), with = build(biased, 3);
  Samples samples = randomSamples(3, {3}, 1, 2);
  auto expected = emulate(with, samples, steppedOptions()),
       other = emulate(without, samples, steppedOptions());
  ASSERT_TRUE(bool(expected) && bool(other));
  auto made = SteppedEmulation::make(without, samples, steppedOptions());
  ASSERT_TRUE(bool(made));
  std::unique_ptr<SteppedNetwork> network = (*made)->open();
  ASSERT_FALSE(bool(network->begin(0)));
  EXPECT_EQ(stepAll(*network, 1, {{}, {0, 3}}), expected->trace.recorded[0]);
  EXPECT_NE(expected->trace.recorded[0], other->trace.recorded[0]);
}

TEST(SteppedEmulation, RefusesWhatCannotBeStepped) {
  NetworkBuilder n({2, 4, 4});
  n.direct();
  n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0});
  n.maxPool({2, 2}, {2, 2}).flatten().dense(2);
  n.integrator().decode();
  Samples samples = randomSamples(3, {2, 4, 4}, 1, 2);
  EXPECT_THAT(
      toText(SteppedEmulation::make(n.finish(), samples, steppedOptions()).takeError()),
      HasSubstr("maximum pooling of spikes on the way to population 'max_pool2d1': accuracy "
                "on the chip is known for weights, sums and populations with one current; "
                "leave out the section assessment"));
}

} // namespace
