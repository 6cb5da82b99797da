// Whole emulations: answers, counts, layouts; evaluation of ANNs.
#include "lib/emulation/Emulation.h"
#include "lib/emulation/EvaluateAnn.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::ElementsAre;

namespace {

TEST(Emulate, AnswersAfterEveryStep) {
  // Rates 0.3 and 0.6: silent at first, where the tie goes to output 0; then output 1.
  NetworkBuilder n({2});
  mlir::ModuleOp module = pixelNeurons(n);
  Samples samples{{2}, {0.3f, 0.6f, 0.6f, 0.3f}, {1, 1}};
  EmulationOptions options;
  options.steps = 4;
  options.recordSamples = 1;
  std::vector<uint64_t> progress;
  EmulationResult run = llvm::cantFail(emulate(
      module, samples, options, [&](uint64_t done, uint64_t all) { progress = {done, all}; }));
  EXPECT_THAT(run.summary.correctByStep, ElementsAre(0, 1, 1, 1)); // only the first sample is a 1
  EXPECT_EQ(run.summary.confusion, (ConfusionTable{{0, 0}, {1, 1}}));
  EXPECT_THAT(run.trace.recorded, ElementsAre(ElementsAre(Spike{1, 1}, Spike{3, 0}, Spike{3, 1})));
  EXPECT_THAT(run.trace.counts, ElementsAre(3, 3));
  EXPECT_THAT(progress, ElementsAre(2, 2));
  EXPECT_EQ(run.summary.encoding, "direct");
  EXPECT_EQ(run.summary.engine, "layers");
  EXPECT_EQ(run.summary.threads, 2u) << "one for each sample";
}

/// Spike counts of each neuron for one sample with distinct values.
std::vector<uint64_t> countsFor(Shape network, Shape sample) {
  NetworkBuilder n(network);
  mlir::ModuleOp module = pixelNeurons(n);
  Samples samples{sample, {}, {0}};
  for (size_t k = 0; k < samples.size(); ++k)
    samples.values.push_back(float(k + 1) / 16);
  EmulationOptions options;
  options.steps = 16;
  return llvm::cantFail(emulate(module, samples, options)).trace.counts;
}

TEST(InputMapping, PermutesOnlyWhereTheNetworkWantsChannelsLast) {
  EXPECT_THAT(countsFor({2, 1, 3}, {2, 1, 3}), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(countsFor({1, 3, 2}, {2, 1, 3}), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(countsFor({6}, {2, 1, 3}), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(countsFor({2, 3, 1}, {1, 2, 3}), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(countsFor({2, 3}, {1, 2, 3}), ElementsAre(1, 2, 3, 4, 5, 6));
}

//===-- ANN ---------------------------------------------------------------===//

TEST(CollectActivations, KeepsRectifiersAndTheResult) {
  NetworkBuilder n({2});
  n.dense(2, {1, 0, 0, -1}, {0, 0}, "first").relu("first").dense(1, {2, 3}, {1}, "second");
  n.reshape({1, 1});
  mlir::ModuleOp module = n.finish();
  Samples samples{{2}, {1, 2, -3, -4, 5, -6}, {0, 0, 0}};
  Activations found = llvm::cantFail(collectActivations(module, samples, 2));
  EXPECT_EQ(found.samples, 3u);
  EXPECT_EQ(found.inputMaximum, 5);
  ASSERT_EQ(found.layers.size(), 2u);
  EXPECT_EQ(found.layers[0].layer, "first");
  EXPECT_THAT(found.layers[0].values, ElementsAre(1, 0, 0, 4, 5, 6));
  EXPECT_EQ(found.layers[1].layer, "second");
  EXPECT_THAT(found.layers[1].shape, ElementsAre(1, 1));
  EXPECT_THAT(found.layers[1].values, ElementsAre(3, 13, 29));
}

TEST(CollectActivations, DoesNotRepeatAResultThatIsARectifier) {
  NetworkBuilder n({2});
  n.dense(2, {1, 0, 0, -1}, {}, "only").relu("only").flatten();
  mlir::ModuleOp module = n.finish();
  Activations found = llvm::cantFail(collectActivations(module, Samples{{2}, {1, 2}, {0}}, 1));
  ASSERT_EQ(found.layers.size(), 1u);
  EXPECT_EQ(found.layers[0].layer, "only");
}

/// A mean of a rectifier is none: it answers under a name of its own.
TEST(CollectActivations, KeepsMeansOfRectifiers) {
  NetworkBuilder n({1, 2, 2});
  n.conv({1, 1, 1, 1}, {2}, {-1}, "c").relu("c").pool({2, 2}, {1, 1}).flatten();
  mlir::ModuleOp module = n.finish();
  Activations found =
      llvm::cantFail(collectActivations(module, Samples{{1, 2, 2}, {1, 2, 0, 3}, {0}}, 1));
  ASSERT_EQ(found.layers.size(), 2u);
  EXPECT_THAT(found.layers[0].values, ElementsAre(1, 3, 0, 5));
  EXPECT_EQ(found.layers[1].layer, "answer");
  EXPECT_THAT(found.layers[1].values, ElementsAre(2.25f));
}

TEST(EvaluateAnn, CountsLayersParametersAndAnswers) {
  NetworkBuilder n({1, 2, 2});
  n.conv({1, 1, 2, 2}, {1, 1, 1, 1}, {-1}, "c").relu("c").flatten();
  n.dense(2, {1, -1}, {-2, 2}, "d");
  mlir::ModuleOp module = n.finish();
  // s − 1 rectified against −2, then the sign of it: class 0 above a sum of 3.
  Samples samples{{1, 2, 2}, {1, 1, 1, 1, 0, 0, 1, 1, 4, 0, 0, 0}, {0, 1, 1}};
  AnnEvaluation found = llvm::cantFail(evaluateAnn(module, samples, 2));
  EXPECT_THAT(found.layers, ElementsAre("c", "d"));
  EXPECT_EQ(found.parameters, 5u + 4u);
  EXPECT_EQ(found.correct, 2u);
  EXPECT_EQ(found.confusion, (ConfusionTable{{1, 0}, {1, 1}}));
}

/// A table of n outputs takes n² numbers for each thread.
TEST(Emulate, ThousandsOfOutputsHaveNoConfusionTable) {
  for (int64_t outputs : {int64_t(kMostConfused), int64_t(kMostConfused) + 1}) {
    NetworkBuilder ann({1}), snn({1});
    std::vector<float> equal(size_t(outputs), 1);
    ann.dense(outputs, equal, {}, "only");
    Samples samples{{1}, {1, 1}, {0, 1}};
    AnnEvaluation evaluation = llvm::cantFail(evaluateAnn(ann.finish(), samples, 1));
    EXPECT_EQ(evaluation.correct, 1u) << "of equal outputs the first is the answer";
    snn.dense(outputs, equal, {}, "only").direct();
    snn.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "only").decode();
    EmulationOptions options;
    options.steps = 2;
    EmulationResult run = llvm::cantFail(emulate(snn.finish(), samples, options));
    EXPECT_THAT(run.summary.correctByStep, ElementsAre(1, 1));
    for (const ConfusionTable *table : {&evaluation.confusion, &run.summary.confusion})
      EXPECT_EQ(table->size(), size_t(outputs) <= kMostConfused ? size_t(outputs) : 0);
  }
}

/// Two populations with membranes, over events that repeat.
EmulationResult eventRun(EmulationEngine engine, int64_t threads) {
  NetworkBuilder n({3});
  n.events().dense(5, false);
  n.integrateAndFire(snn::Reset::Subtract, {0.5f}, {0}, {0}, "first");
  n.dense(2, false).integrator({0}, "second").decode();
  CounterRandom random(4);
  Samples samples{{3}, {}, {}, EventSamples{8, {0}, {}}};
  for (uint32_t sample = 0; sample < 40; ++sample) {
    samples.labels.push_back(sample % 2);
    for (uint32_t step = 0; step < 8; ++step)
      for (uint32_t element = 0; element < 3; ++element)
        for (uint32_t left = random.below(4); left > 1; --left)
          samples.events->events.push_back({step, element});
    samples.events->offsets.push_back(samples.events->events.size());
  }
  EmulationOptions options;
  options.steps = 6;
  options.engine = engine;
  options.threads = threads;
  options.recordSamples = 18;
  options.recordMembranes = {"second", "first"};
  return llvm::cantFail(emulate(n.finish(), samples, options));
}

TEST(Emulate, RecordsEventsAndMembranesAlikeInBothEngines) {
  EmulationResult expected = eventRun(EmulationEngine::Interpreter, 1);
  for (int64_t threads : {1, 2, 3, 4}) {
    EmulationResult found = eventRun(EmulationEngine::Compiled, threads);
    EXPECT_EQ(found.trace, expected.trace);
    EXPECT_EQ(found.membranes, expected.membranes);
    EXPECT_EQ(found.summary.correctByStep, expected.summary.correctByStep);
  }
  EXPECT_EQ(expected.trace.maxSpikes, 2u);
  ASSERT_EQ(expected.membranes.recordings.size(), 2u);
  EXPECT_EQ(expected.membranes.recordings[0].population.name, "second");
  EXPECT_EQ(expected.membranes.recordings[0].values.size(), 18u * 6 * 2);
}

} // namespace
