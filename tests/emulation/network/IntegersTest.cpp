// Networks of integers alone: interpreter and engines spike for spike as straight loops over int64.
#include "core/support/formats/Npz.h"
#include "dialects/snn/IntegerRange.h"
#include "lib/conversion/ann-to-snn/AnnToSnn.h"
#include "lib/conversion/fixed-point/FixedPointNetwork.h"
#include "lib/dataset/Dataset.h"
#include "lib/emulation/Emulation.h"
#include "lib/emulation/EvaluateAnn.h"
#include "tests/emulation/network/FloatNetwork.h"
#include "tests/emulation/network/IntegerSimulation.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using namespace spindle::test;

namespace {

constexpr EmulationEngine kAllEngines[] = {EmulationEngine::Interpreter, EmulationEngine::Lanes,
                                           EmulationEngine::Layers};

size_t classOfAnswer(const Integers &answer) {
  return size_t(std::max_element(answer.begin(), answer.end()) - answer.begin());
}

/// Every spike, and the answer after every step, of every engine. Returns the spikes compared.
size_t compareWithSimulation(mlir::ModuleOp module, Samples samples, uint32_t steps) {
  IntegerSimulation simulation(module);
  std::vector<std::vector<Spike>> spikes;
  std::vector<IntegerSimulation::Run> runs;
  size_t compared = 0;
  for (size_t k = 0; k < samples.count(); ++k) {
    runs.push_back(simulation.run(samples.sample(k), steps));
    spikes.push_back(runs.back().spikes);
    compared += spikes.back().size();
    samples.labels[k] = uint32_t(classOfAnswer(runs.back().answers.back()));
  }
  std::vector<uint64_t> right(steps, 0);
  for (size_t k = 0; k < samples.count(); ++k)
    for (uint32_t step = 0; step < steps; ++step)
      right[step] += classOfAnswer(runs[k].answers[step]) == samples.labels[k];
  EmulationOptions options;
  options.steps = steps;
  options.recordSamples = int64_t(samples.count());
  for (EmulationEngine engine : kAllEngines) {
    options.engine = engine;
    EmulationResult found = llvm::cantFail(emulate(module, samples, options));
    EXPECT_EQ(found.trace.recorded, spikes) << "engine " << int(engine);
    EXPECT_EQ(found.summary.correctByStep, right) << "engine " << int(engine);
  }
  return compared;
}

/// The last membranes that are read, of the interpreter and by lanes; layers records none.
void compareReadouts(mlir::ModuleOp module, const Samples &samples, uint32_t steps) {
  std::string readout;
  module.walk([&](snn::FixedLiOp op) { readout = snn::layerOf(op).str(); });
  if (readout.empty())
    return;
  IntegerSimulation simulation(module);
  EmulationOptions options;
  options.steps = steps;
  options.recordSamples = int64_t(samples.count());
  options.recordMembranes = {readout};
  for (EmulationEngine engine : {EmulationEngine::Interpreter, EmulationEngine::Lanes}) {
    options.engine = engine;
    EmulationResult found = llvm::cantFail(emulate(module, samples, options));
    std::vector<int64_t> membranes, expected;
    for (float value : found.membranes.recordings.front().values)
      membranes.push_back(int64_t(value));
    for (size_t k = 0; k < samples.count(); ++k) {
      IntegerSimulation::Run run = simulation.run(samples.sample(k), steps);
      for (const Integers &answer : run.answers)
        expected.insert(expected.end(), answer.begin(), answer.end());
    }
    EXPECT_EQ(membranes, expected);
  }
}

struct Formats {
  FixedPointOptions options;
  FixedPointUse use{{{0.0f, 1.0f}}, 0};
};

Formats drawFormats(CounterRandom &random, uint32_t steps) {
  auto from = [&](int64_t least, int64_t most) {
    return least + int64_t(random.below(uint32_t(most - least + 1)));
  };
  Formats formats;
  formats.options.integers = IntegerReach::All;
  formats.options.weightBits = from(2, random.below(4) ? 8 : 16);
  formats.options.inputBits = from(1, 8);
  formats.options.perChannel = random.below(2);
  formats.options.membraneBits = from(random.below(2) ? 10 : 18, 25);
  formats.options.decayBits = from(6, 14);
  formats.options.readoutBits = random.below(3) ? -1 : from(12, 25);
  formats.use.steps = random.below(2) ? int64_t(steps) : 0;
  return formats;
}

/// Whether a network drawn at random had a form in integers, and fired.
void expectStraightLoops(uint64_t seed, int64_t tensorLayers) {
  constexpr uint32_t kSteps = 12;
  constexpr size_t kFewestSpikes = 60; // a silent network compares little
  CounterRandom random(1000 + seed);
  for (uint64_t attempt = 0; attempt < 40; ++attempt) { // until numbers fit their widths
    FloatNetwork network(100 * seed + attempt, tensorLayers);
    mlir::ModuleOp module = network.finish();
    ASSERT_TRUE(module);
    Formats formats = drawFormats(random, kSteps);
    if (llvm::Error error = toFixedPoint(module, formats.options, formats.use)) {
      std::string text = llvm::toString(std::move(error));
      EXPECT_THAT(text, ::testing::AnyOf(::testing::HasSubstr("use more membrane_bits"),
                                         ::testing::HasSubstr("use fewer weight_bits"),
                                         ::testing::HasSubstr("more weight_bits")));
      continue;
    }
    Samples samples = randomSamples(seed, network.shapeOfInput(), 3, 5);
    if (compareWithSimulation(module, samples, kSteps) > kFewestSpikes)
      return;
  }
  ADD_FAILURE() << "no network of more than " << kFewestSpikes << " spikes within its widths";
}

class RandomIntegers : public ::testing::TestWithParam<uint64_t> {};

TEST_P(RandomIntegers, EqualStraightLoops) { expectStraightLoops(GetParam(), 0); }

INSTANTIATE_TEST_SUITE_P(Networks, RandomIntegers, ::testing::Range(uint64_t(1), uint64_t(49)));

class TensorPrefix : public ::testing::TestWithParam<uint64_t> {};

/// One to three layers before the first population hand on integers, once per sample.
TEST_P(TensorPrefix, EqualsStraightLoops) {
  expectStraightLoops(500 + GetParam(), 1 + int64_t(GetParam() % 3));
}

INSTANTIATE_TEST_SUITE_P(Networks, TensorPrefix, ::testing::Range(uint64_t(1), uint64_t(25)));

/// Accumulators of the width that is asked for hold all sums, and those of the next narrower width
/// do not hold the worst.
TEST(Integers, AccumulatorsAreAsWideAsTheWorstSum) {
  CounterRandom random(7);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<float> weights(12), bias;
    for (float &weight : weights)
      weight = float(int64_t(random.below(31)) - 15);
    if (random.below(2))
      bias = {float(int64_t(random.below(9)) - 4), 0, 3};
    NetworkBuilder n({4});
    n.regular().dense(3, weights, bias, "dense1");
    n.population("fixed_lif", "reset = #snn<reset zero>, threshold = array<f32: 5.0>, decay = 0 : "
                              "i64");
    n.decode();
    unsigned bits = 0;
    n.finish().walk([&](snn::DenseOp op) { bits = *snn::accumulatorBits(op); });
    int64_t lowest = 0, highest = 0; // over all orders in which inputs may come
    for (size_t o = 0; o < 3; ++o)
      for (int set = 0; set < 32; ++set) {
        int64_t sum = set & 16 && !bias.empty() ? int64_t(bias[o]) : 0;
        for (size_t i = 0; i < 4; ++i)
          sum += set >> i & 1 ? int64_t(weights[4 * o + i]) : 0;
        lowest = std::min(lowest, sum);
        highest = std::max(highest, sum);
      }
    auto holds = [&](unsigned width) {
      return lowest >= -(int64_t(1) << (width - 1)) && highest <= (int64_t(1) << (width - 1)) - 1;
    };
    EXPECT_TRUE(holds(bits));
    EXPECT_FALSE(bits > 1 && holds(bits - 1)) << bits;
  }
}

class RealNetworks : public ::testing::Test {
protected:
  void SetUp() override {
    const char *data = std::getenv("SPINDLE_DATA");
    folder = data ? data : "../shared/data";
    if (!std::filesystem::exists(folder + "/datasets/mnist") ||
        !std::filesystem::exists(folder + "/models/npz"))
      GTEST_SKIP() << "MNIST or models/npz is absent in " << folder << "; set SPINDLE_DATA";
    DatasetOptions options;
    options.test.images = "datasets/mnist/t10k-images-idx3-ubyte.gz";
    options.test.labels = "datasets/mnist/t10k-labels-idx1-ubyte.gz";
    options.scale = 1.0 / 255;
    options.test.limit = 40;
    samples = llvm::cantFail(loadDataset(options, PathResolver()));
  }

  void compare(mlir::ModuleOp ann, InputEncoding encoding, int64_t bits, int64_t membraneBits,
               uint32_t steps) {
    Activations activations = llvm::cantFail(collectActivations(ann, samples, 1));
    ConversionOptions conversion;
    conversion.encoding = encoding;
    conversion.steps = steps;
    SpikingNetwork network = llvm::cantFail(convertAnnToSnn(ann, activations, conversion));
    FixedPointOptions options;
    options.integers = IntegerReach::All;
    options.weightBits = bits;
    options.membraneBits = membraneBits;
    llvm::cantFail(toFixedPoint(*network.module, options, {{{0.0f, 1.0f}}, steps}));
    EXPECT_GT(compareWithSimulation(*network.module, samples, steps), 5000u);
    compareReadouts(*network.module, samples, steps);
  }

  std::vector<NpzMember> weights(const std::string &name) {
    return llvm::cantFail(readNpz(folder + "/models/npz/" + name + ".npz"));
  }

  std::string folder;
  Samples samples;
};

TEST_F(RealNetworks, PerceptronOfFourBits) {
  for (InputEncoding encoding : {InputEncoding::Regular, InputEncoding::Direct}) {
    std::vector<NpzMember> layers = weights("own_mlp_784_128_10_nobias");
    NetworkBuilder n({784});
    for (const NpzMember &layer : layers) { // stored inputs × outputs
      n.dense(
          layer.array.shape[1],
          [&] {
            size_t inputs = size_t(layer.array.shape[0]), outputs = size_t(layer.array.shape[1]);
            std::vector<float> stored = layer.array.floats(), turned(stored.size());
            for (size_t k = 0; k < stored.size(); ++k)
              turned[k % outputs * inputs + k / outputs] = stored[k];
            return turned;
          }(),
          {}, layer.name);
      if (&layer != &layers.back())
        n.relu(layer.name);
    }
    compare(n.finish(), encoding, 4, 12, 8);
  }
}

TEST_F(RealNetworks, ConvolutionsOfEightBits) {
  std::vector<NpzMember> layers = weights("own_lenet_avgpool_nobias");
  NetworkBuilder n({1, 28, 28});
  for (size_t k : {0u, 1u})
    n.conv(layers[k].array.shape, layers[k].array.floats(), {}, layers[k].name)
        .relu(layers[k].name)
        .pool({2, 2}, {2, 2});
  n.flatten().dense(64, layers[2].array.floats(), {}, "dense3").relu("dense3");
  n.dense(10, layers[3].array.floats(), {}, "dense4");
  compare(n.finish(), InputEncoding::Direct, 8, 24, 4);
}

} // namespace
