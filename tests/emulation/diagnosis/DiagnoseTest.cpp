// Which layer loses, against networks whose losses are known beforehand.
#include "lib/emulation/diagnosis/Diagnose.h"

#include "lib/conversion/ann-to-snn/AnnToSnn.h"
#include "lib/emulation/EvaluateAnn.h"
#include "lib/emulation/diagnosis/AnalogTwin.h"
#include "lib/emulation/interpreter/Interpreter.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

#include <cmath>

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

std::string textOf(llvm::Error error) { return error ? toText(std::move(error)) : ""; }

const char *const kAnn = R"(
func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %one = arith.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<4x4xf32>
  %two = arith.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]> : tensor<2x4xf32>
  %1 = snn.dense %x, %one {layer = "dense1"} : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %2 = snn.relu %1 {layer = "dense1"} : tensor<4xf32>
  %3 = snn.dense %2, %one {layer = "dense2"} : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  %4 = snn.relu %3 {layer = "dense2"} : tensor<4xf32>
  %5 = snn.dense %4, %two {layer = "dense3"} : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2xf32>
  return %5 : tensor<2xf32>
})";

/// Two samples of two large values, a zero and one too small for a spike; the larger one is right.
Samples twoSamples() { return {{4}, {0.5f, 0.75f, 0, 0.05f, 0.75f, 0.5f, 0, 0.05f}, {1, 0}}; }

/// The network above with given scales of its two populations.
SpikingNetwork converted(mlir::ModuleOp ann, float first, float second,
                         ConversionOptions options = {}) {
  ConversionPlan plan;
  plan.inputMaximum = 1;
  for (float scale : {first, second, 1.0f})
    plan.layers.push_back({{scale == 1 && plan.layers.size() == 2 ? 2 : 4}, {scale}, {0}, {0.5f}});
  return llvm::cantFail(convertAnnToSnn(ann, plan, options));
}

EmulationOptions inSteps(int64_t steps) {
  EmulationOptions options;
  options.steps = steps;
  return options;
}

TEST(Diagnose, TheSaturatedLayerIsTheWholeLoss) {
  // A scale of a quarter: both large values spike in every step and cannot be told apart.
  ParsedModule ann(kAnn);
  SpikingNetwork snn = converted(*ann, 1, 0.25f);
  Diagnosis found =
      llvm::cantFail(diagnose(*ann, *snn.module, snn.summary, twoSamples(), inSteps(8)));
  EXPECT_EQ(found.samples, 2u);
  EXPECT_EQ(found.annCorrect, 2u);
  EXPECT_EQ(found.snnCorrect, 1u);
  EXPECT_EQ(lossPoints(found), 50);
  ASSERT_EQ(found.layers.size(), 2u);

  const DiagnosedLayer &first = found.layers[0], &second = found.layers[1];
  EXPECT_EQ(contributionPoints(found, first), 0.0);
  EXPECT_EQ(contributionPoints(found, second), 50.0);
  EXPECT_THAT(costliestLayers(found), ::testing::ElementsAre(&second));

  // Eighths are exact rates; 0.05 never gets from 0.5 to 1 in eight steps.
  EXPECT_EQ(first.code, "rate");
  EXPECT_EQ(first.neurons, 4u);
  EXPECT_NEAR(first.rateError, 0.025, 1e-7); // √(2 · 0.05² / 8)
  EXPECT_NEAR(first.meanError, 0.0125, 1e-7);
  EXPECT_EQ(first.saturated, 0);
  EXPECT_EQ(first.dead, 0.5);
  EXPECT_EQ(first.deadInAnn, 0.25);
  EXPECT_EQ(first.neuronSpikes, 2.5); // 4 and 6 of 8 steps
  // Errors 1, 2, 0 and 0.2.
  EXPECT_NEAR(second.rateError, std::sqrt(5.04 / 4), 1e-6);
  EXPECT_NEAR(second.meanError, 0.8, 1e-6);
  EXPECT_EQ(second.saturated, 0.5);
  EXPECT_EQ(second.neuronSpikes, 4);
  EXPECT_EQ(found.hiddenNeurons, 8u);
  EXPECT_EQ(found.hiddenSpikes, 52u);
  EXPECT_EQ(hiddenSpikeRate(found), 52.0 / (8 * 8 * 2));
}

TEST(Diagnose, TheResultDoesNotDependOnTheEngine) {
  ParsedModule ann(kAnn);
  SpikingNetwork snn = converted(*ann, 0.3f, 0.25f);
  EmulationOptions options = inSteps(5);
  Diagnosis compiled =
      llvm::cantFail(diagnose(*ann, *snn.module, snn.summary, twoSamples(), options));
  options.engine = EmulationEngine::Interpreter;
  options.threads = 1;
  uint64_t last = 0, all = 0;
  Diagnosis interpreted = llvm::cantFail(diagnose(*ann, *snn.module, snn.summary, twoSamples(),
                                                  options, [&](uint64_t done, uint64_t of) {
                                                    EXPECT_GE(done, last);
                                                    last = done;
                                                    all = of;
                                                  }));
  EXPECT_EQ(compiled, interpreted);
  EXPECT_EQ(last, 6u); // the network and two twins on two samples
  EXPECT_EQ(all, 6u);
}

TEST(Diagnose, FirstSpikesCodeValuesByTheTimeTheyLeave) {
  ParsedModule ann(kAnn);
  ConversionOptions options;
  options.method = ConversionMethod::FirstSpike;
  options.steps = 48; // three windows of 16
  SpikingNetwork snn = converted(*ann, 1, 0.5f, options);
  Diagnosis found =
      llvm::cantFail(diagnose(*ann, *snn.module, snn.summary, twoSamples(), inSteps(48)));
  ASSERT_EQ(found.layers.size(), 2u);
  const DiagnosedLayer &first = found.layers[0], &second = found.layers[1];
  EXPECT_EQ(first.code, "first_spike");
  EXPECT_EQ(first.saturated, 0);
  // 0.05 · 16 is one step of 16: an error of 0.0125 less for one of four neurons.
  EXPECT_NEAR(first.rateError, 0.0125 / 2, 1e-6);
  EXPECT_EQ(first.neuronSpikes, 0.75);
  EXPECT_EQ(second.saturated, 0.5);
  EXPECT_NEAR(second.meanError, (0 + 0.5 + 0 + (0.1 - 0.125)) / 4, 1e-6);
  EXPECT_THAT(first.withoutTwin, HasSubstr("snn.first_spike has no analog twin"));
  EXPECT_THAT(costliestLayers(found), ::testing::IsEmpty());
}

TEST(Diagnose, WhatWasNotConvertedIsRefused) {
  ParsedModule ann(kAnn);
  SpikingNetwork snn = converted(*ann, 1, 1);
  ConversionSummary none;
  none.method = "none";
  EXPECT_THAT(
      textOf(diagnose(*ann, *snn.module, none, twoSamples(), inSteps(4)).takeError()),
      HasSubstr("this network was not converted, there is no ANN to compare it with; leave out "
                "the section diagnosis"));
  ConversionSummary other = snn.summary;
  other.layers[0].scale = {1, 1, 1};
  EXPECT_THAT(
      textOf(diagnose(*ann, *snn.module, other, twoSamples(), inSteps(4)).takeError()),
      HasSubstr("dense1 has 4 neurons, which its rectifier in the ANN and its 3 scales do not "
                "fit; convert again, or leave out the section diagnosis if neurons were removed"));
}

/// Branches, max pooling, a clamped rectifier, joins: what conversion knows.
mlir::ModuleOp branching(NetworkBuilder &n) {
  n.conv(4, 3, 3, true, {{1, 1}, {1, 1, 1, 1}, {1, 1}, 1}).relu("conv1").maxPool({2, 2}, {2, 2});
  mlir::Value pooled = n.last();
  n.conv(4, 3, 3, true, {{1, 1}, {1, 1, 1, 1}, {1, 1}, 1}).clampedRelu(0.5f);
  mlir::cast<snn::ReluOp>(n.last().getDefiningOp()).setLayer("conv2");
  mlir::Value clamped = n.last();
  n.conv(4, 3, 3, true, {{1, 1}, {1, 1, 1, 1}, {1, 1}, 1}).add(pooled).relu("conv3");
  n.concat(clamped, 0).transpose({1, 2, 0}).flatten().dense(9).relu("dense4").dense(3);
  return n.finish();
}

TEST(AnalogTwin, OfAllPopulationsIsTheAnn) {
  for (bool perChannel : {false, true}) {
    NetworkBuilder builder({2, 6, 6}, 5);
    mlir::ModuleOp ann = branching(builder);
    Samples samples = randomSamples(4, {2, 6, 6}, 20, 3, -1, 1);
    ConversionOptions options;
    options.perChannel = perChannel;
    options.percentile = 70; // much saturates, which the twins must not
    SpikingNetwork snn = llvm::cantFail(
        convertAnnToSnn(ann, llvm::cantFail(collectActivations(ann, samples, 1)), options));
    std::vector<AnalogTwin> twins;
    for (const ConversionSummary::Layer &layer : snn.summary.layers)
      if (!layer.scale.empty() && layer.neuron == "if") {
        twins.push_back({layer.name});
        for (double scale : layer.scale)
          if (layer.name == "conv2")
            twins.back().maximum.push_back(float(0.5 / scale));
      }
    ASSERT_EQ(twins.size(), 4u);
    auto exact = llvm::cantFail(withAnalogTwins(*snn.module, twins));
    Network original = llvm::cantFail(readNetwork(ann)), twin = llvm::cantFail(readNetwork(*exact));
    interpreter::Interpreter<float> analog(original), inTime(twin);
    for (size_t index = 0; index < samples.count(); ++index) {
      auto expected = llvm::cantFail(analog.run(samples.sample(index), index, 1, 0));
      auto found = llvm::cantFail(inTime.run(samples.sample(index), index, 8, 0));
      EXPECT_TRUE(found.spikes.empty());
      for (size_t step = 0; step < 8; ++step)
        for (size_t n = 0; n < 3; ++n)
          ASSERT_NEAR(found.answers[step][n] / float(step + 1), expected.answers[0][n], 1e-4)
              << "sample " << index << " step " << step;
    }
  }
}

/// The answer of a network with a twin in the place of its one population.
std::vector<float> twinAnswer(NetworkBuilder &n, const std::vector<float> &x, uint32_t steps) {
  auto twin = llvm::cantFail(withAnalogTwins(n.finish(), AnalogTwin{"p"}));
  Network network = llvm::cantFail(readNetwork(*twin));
  return llvm::cantFail(interpreter::Interpreter<float>(network).run(x.data(), 0, steps, 0))
      .answers.back();
}

TEST(AnalogTwin, CountsInUnitsOfTheThreshold) {
  NetworkBuilder subtract({3});
  subtract.direct().integrateAndFire(snn::Reset::Subtract, {0.5f, 1, 2}, {0}, {0}, "p").decode();
  EXPECT_THAT(twinAnswer(subtract, {3, 0.5f, -1}, 4), ::testing::ElementsAre(24, 2, 0));
  NetworkBuilder zero({2});
  zero.direct().integrateAndFire(snn::Reset::Zero, {1}, {-1, 0.5f}, {0}, "p").decode();
  EXPECT_THAT(twinAnswer(zero, {0.5f, 0.25f}, 4), ::testing::ElementsAre(1, 2));
  NetworkBuilder leaky({1}); // what enters per step: r / tau of the current
  leaky.direct().leaky(snn::Reset::Subtract, {1}, {8}, {4}, {0}, {0}, {0}, "p").decode();
  EXPECT_THAT(twinAnswer(leaky, {0.5f}, 4), ::testing::ElementsAre(1));
}

TEST(AnalogTwin, PopulationsWithoutOneSayWhy) {
  NetworkBuilder plain({2});
  mlir::ModuleOp module = pixelNeurons(plain);
  EXPECT_THAT(textOf(withAnalogTwins(module, AnalogTwin{"dense7"}).takeError()),
              HasSubstr("no population is named 'dense7'"));

  NetworkBuilder first({2});
  first.direct().integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "p").decodeFirstSpike();
  EXPECT_THAT(textOf(withAnalogTwins(first.finish(), AnalogTwin{"p"}).takeError()),
              HasSubstr("the answer is read from its first spikes, which a current has not"));

  NetworkBuilder loop({2});
  loop.direct();
  mlir::Value current = loop.last();
  loop.feedback("p", {2}, 1).dense(2).add(current);
  loop.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "p").decode();
  EXPECT_THAT(textOf(withAnalogTwins(loop.finish(), AnalogTwin{"p"}).takeError()),
              HasSubstr("its spikes come back by snn.feedback, which carries no currents"));
}

} // namespace
