// Layer by layer, every spike and answer is that of the reference interpreter.
#include "lib/emulation/Emulation.h"
#include "lib/emulation/layers/LayersNetwork.h"
#include "tests/emulation/NetworkBuilder.h"
#include "tests/emulation/layers/Processors.h"

#include "gmock/gmock.h"

#include <functional>

using namespace spindle;
using namespace spindle::test;

namespace {

void fire(NetworkBuilder &n) { n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0.5f}); }

void leak(NetworkBuilder &n, bool perNeuron) {
  auto size = perNeuron ? size_t(snn::sizeOf(n.last())) : 1;
  n.leaky(snn::Reset::Zero, randomFloats(n.random, size, 0.4f, 1),
          randomFloats(n.random, size, 2, 9), {2}, {0.1f}, {-0.2f}, {0});
}

struct Case {
  const char *name;
  Shape input;
  std::function<void(NetworkBuilder &)> build;
};

void PrintTo(const Case &each, std::ostream *os) { *os << each.name; }

ConvOptions padded(Shape padding, Shape dilations = {1, 1}) { return {{1, 1}, padding, dilations}; }

/// Integer weights up to `most` by amount: sums of 8 and 16 bits, and such that only floats hold.
void integers(NetworkBuilder &n, int64_t outputs, int32_t most, bool bias) {
  auto draw = [&](size_t count) {
    std::vector<float> values(count);
    for (float &value : values)
      value = float(int32_t(n.random.below(uint32_t(2 * most + 1))) - most);
    return values;
  };
  n.dense(outputs, draw(size_t(outputs * snn::sizeOf(n.last()))),
          bias ? draw(size_t(outputs)) : std::vector<float>(), "");
  n.population(
      "lif",
      "reset = #snn<reset subtract>, tau = array<f32: 9.0>, r = array<f32: 9.0>, threshold = "
      "array<f32: " +
          std::to_string(2 * most) + ".0>");
}

/// The same of a convolution, and neurons that spike in some steps.
void integerConvolution(NetworkBuilder &n, Shape weight, bool bias, const ConvOptions &options) {
  auto draw = [&](int64_t count) {
    std::vector<float> values;
    while (int64_t(values.size()) < count)
      values.push_back(float(n.random.below(256)) - 128);
    return values;
  };
  n.conv(weight, draw(weight[0] * weight[1] * weight[2] * weight[3]),
         bias ? draw(weight[0]) : std::vector<float>(), "", options);
  n.integrateAndFire(snn::Reset::Subtract, {300}, {0}, {0.5f});
}

/// Values of 50 neurons.
std::string perNeuron(float step) {
  std::string values = "0.0";
  for (int k = 1; k < 50; ++k)
    values += ", " + std::to_string(step * float(k));
  return values;
}

/// A recurrent population whose spikes only layers of weights read.
void rest(NetworkBuilder &n, int64_t delay, const std::string &resets, int64_t period = 5) {
  mlir::Value data = n.last();
  mlir::Value inhibitory = n.feedback("cells", {50}, delay).sparse({50}, 0.2, false).last();
  n.from(data).poisson().sparse({50}, 0.3, false);
  n.population(
      "dual_cuba_lif",
      "layer = \"cells\", reset = #snn<reset zero>, threshold = array<f32: 0.3>, tau = array<f32: "
      "5.0>, tau_exc = array<f32: 2.0>, tau_inh = array<f32: 3.0>, refractory = "
      "array<i64: " +
          std::to_string(period) + ">, v_reset = array<f32: " + resets + ">",
      inhibitory);
  n.dense(4).integrator().decode();
}

/// A recurrent population of integers; `membrane` says how v is computed.
void restInFixedPoint(NetworkBuilder &n, const char *kind, const std::string &membrane) {
  std::vector<int64_t> offsets(51);
  std::vector<int32_t> own(50), back;
  for (int32_t k = 0; k < 50; ++k) {
    offsets[size_t(k) + 1] = k + 1;
    own[size_t(k)] = k % 30;
    back.push_back((7 * k + 3) % 50);
  }
  mlir::Value data = n.last();
  mlir::Value again = n.feedback("cells", {50}).sparse({50}, offsets, back, -1).last();
  n.from(data).poisson().sparse({50}, offsets, own, 4).add(again);
  n.population(kind, "layer = \"cells\", reset = #snn<reset zero>, threshold = array<f32: 10.0>, "
                     "v_reset = array<f32: 1.0>, refractory = array<i64: 5>, " +
                         membrane);
  n.dense(4).integrator().decode();
}

const Case kCases[] = {
    {"DensePanels",
     {37},
     [](NetworkBuilder &n) {
       n.poisson().dense(301);
       leak(n, true);
       n.dense(128, false, 0.3f);
       fire(n);
       n.dense(5).integrator().decode();
     }},
    {"BusyImages",
     {3, 13, 12},
     [](NetworkBuilder &n) {
       n.poisson(0.4f).conv(17, 3, 4, true, padded({1, 1, 2, 0}));
       fire(n);
       n.flatten().dense(4);
       fire(n);
       n.decode();
     }},
    {"BusyInputs", // most of them spike: 0.75 and, behind weights all positive, more
     {200},
     [](NetworkBuilder &n) {
       n.poisson(0.5f).dense(210, randomFloats(n.random, 200 * 210, 0, 1), {}, "");
       fire(n);
       n.dense(165, randomFloats(n.random, 210 * 165, -0.1f, 1), randomFloats(n.random, 165), "");
       fire(n);
       n.dense(5).integrator().decode();
     }},
    {"IntegerWeights",
     {35},
     [](NetworkBuilder &n) {
       n.poisson();
       integers(n, 300, 127, true);
       integers(n, 256, 128, false);
       integers(n, 130, 300, true);
       integers(n, 64, 3000, false);
       integers(n, 5, 7, true);
       n.decode();
     }},
    {"LeNet",
     {1, 12, 13},
     [](NetworkBuilder &n) {
       n.poisson().conv(6, 5, 5, true, padded({2, 2, 2, 2}));
       leak(n, true);
       n.pool({2, 2}, {2, 2}).conv(16, 3, 3, false);
       fire(n);
       n.sumPool({2, 3}, {1, 1}).flatten().dense(20);
       fire(n);
       n.decode();
     }},
    {"BytesOfPooledSpikes", // with windows that are powers of two, and others
     {2, 33, 31},
     [](NetworkBuilder &n) {
       n.poisson(0.6f);
       integerConvolution(n, {5, 2, 3, 3}, true, padded({1, 1, 1, 1}));
       n.pool({2, 2}, {2, 2});
       integerConvolution(n, {37, 5, 3, 2}, true, {{1, 1}, {0, 0, 0, 0}, {2, 1}, 1});
       n.sumPool({2, 1}, {1, 1});
       integerConvolution(n, {70, 37, 2, 3}, false, {{1, 2}, {0, 0, 0, 0}, {1, 1}, 1});
       n.sumPool({1, 1}, {1, 1});
       integerConvolution(n, {9, 70, 1, 1}, false, {});
       n.pool({3, 1}, {1, 1});
       integerConvolution(n, {20, 9, 2, 2}, false, {{1, 1}, {0, 0, 0, 0}, {1, 2}, 1});
       n.flatten().dense(4).integrator().decode();
     }},
    {"PooledImages", // of words of 8 to 64 bits, lines that fill vectors and others
     {1, 20, 37},
     [](NetworkBuilder &n) {
       n.poisson(0.5f).conv(8, 1, 2);
       fire(n);
       n.pool({1, 2}, {1, 1}).conv(13, 2, 3, true, {{1, 1}, {0, 0, 0, 0}, {2, 1}, 1});
       leak(n, false);
       n.sumPool({3, 2}, {1, 2}).conv(20, 3, 3, false);
       fire(n);
       n.pool({2, 2}, {1, 1}).conv(50, 3, 1, true, {{1, 3}, {0, 0, 0, 0}, {1, 1}, 1});
       leak(n, true);
       n.pool({2, 1}, {2, 1}).conv(70, 1, 2);
       fire(n);
       n.sumPool({1, 1}, {1, 1}).conv(3, 1, 1);
       fire(n);
       n.flatten().dense(4);
       fire(n);
       n.decode();
     }},
    {"ManyFilters",
     {2, 5, 7},
     [](NetworkBuilder &n) {
       n.regular().conv(70, 3, 2, true, padded({0, 1, 2, 0}));
       leak(n, false);
       n.conv(33, 2, 3, true, padded({1, 1, 1, 1}, {2, 1}));
       leak(n, true);
       n.conv(9, 1, 1).integrateAndFire(snn::Reset::Zero, {0.7f}, {0.1f}, {0});
       n.flatten().dense(3).population("li", "tau = array<f32: 4.0>");
       n.decode();
     }},
    {"PaddingBeyondTheKernel",
     {1, 4, 3},
     [](NetworkBuilder &n) {
       n.latency(5).conv(3, 2, 2, true, padded({3, 0, 1, 4}));
       fire(n);
       n.flatten().dense(4);
       fire(n);
       n.decode();
     }},
    {"StridesAndPaddingOfPooledSpikes",
     {2, 9, 11},
     [](NetworkBuilder &n) {
       n.poisson().pool({2, 1}, {1, 1}).conv(5, 3, 2, true, {{2, 1}, {1, 2, 0, 1}, {1, 2}, 1});
       fire(n);
       n.conv(40, 2, 3, false, {{1, 3}, {1, 1, 1, 1}, {2, 1}, 1});
       leak(n, true);
       n.sumPool({2, 2}, {1, 1}).conv(17, 1, 2);
       fire(n);
       n.flatten().dense(4);
       fire(n);
       n.decode();
     }},
    {"ConstantCurrentBehindAConvolution",
     {3, 6, 5},
     [](NetworkBuilder &n) {
       n.conv(7, 3, 3).relu().direct();
       fire(n);
       n.pool({2, 2}, {1, 1}).conv(11, 2, 2);
       fire(n);
       n.flatten().dense(4).integrator().decode();
     }},
    {"SeveralSpikesPerStep",
     {9},
     [](NetworkBuilder &n) {
       n.dense(40, true, 2).direct();
       n.population(
           "if", "reset = #snn<reset subtract>, threshold = array<f32: 0.4>, max_spikes = 4 : i64");
       n.dense(17);
       n.population("lif",
                    "reset = #snn<reset zero>, threshold = array<f32: 0.3>, tau = array<f32: 3.0>, "
                    "refractory = array<i64: 2>");
       n.dense(6);
       fire(n);
       n.decode();
     }},
    {"Rectifiers",
     {12},
     [](NetworkBuilder &n) {
       n.regular().dense(19).population("rectifier", "maximum = array<f32: 0.7>").dense(4);
       fire(n);
       n.decode();
     }},
    {"SparseAndDelayed",
     {3, 5, 5},
     [](NetworkBuilder &n) {
       n.poisson().delay({3}).sparse({30}, 0.2);
       fire(n);
       mlir::Value first = n.last();
       mlir::Value skipped = n.dense(11).last();
       n.from(first).delay({0}).sparse({25}, 0.1, false);
       leak(n, true);
       n.sparse({11}, 0.3).add(skipped);
       fire(n);
       n.delay({1}).dense(4).integrator().decode();
     }},
    {"Recurrent",
     {17},
     [](NetworkBuilder &n) {
       mlir::Value input = n.regular().dense(40).last();
       mlir::Value slow = n.feedback("second", {9}, 4).sparse({40}, 0.3).last();
       mlir::Value own = n.feedback("first", {40}, 2).sparse({40}, 0.2, false).last();
       n.from(input).add(slow).add(own);
       n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "first").dense(9);
       n.integrateAndFire(snn::Reset::Zero, {1}, {0}, {0}, "second").dense(3);
       fire(n);
       n.decode();
     }},
    {"SeveralSpikesComeBackAsRows",
     {10},
     [](NetworkBuilder &n) {
       mlir::Value input = n.poisson().dense(15).last();
       mlir::Value back = n.feedback("cells", {15}, 2).reshape({3, 5}).sparse({15}, 0.2).last();
       mlir::Value own = n.feedback("cells", {15}, 2).dense(15, false).last();
       n.from(own).add(back).add(input);
       n.population("if",
                    "layer = \"cells\", reset = #snn<reset subtract>, threshold = array<f32: 0.8>, "
                    "max_spikes = 3 : i64");
       n.dense(4).integrator().decode();
     }},
    {"ReceptorsOfARecurrentPopulation",
     {60},
     [](NetworkBuilder &n) {
       mlir::Value data = n.last();
       mlir::Value inhibitory = n.feedback("cells", {60}).sparse({60}, 0.1, false).last();
       mlir::Value excitatory = n.feedback("cells", {60}).sparse({60}, 0.1, false).last();
       n.from(data).poisson().sparse({60}, 0.05, false).add(excitatory);
       n.population(
           "dual_cuba_lif",
           "layer = \"cells\", reset = #snn<reset zero>, threshold = array<f32: 0.4>, tau = "
           "array<f32: 5.0>, tau_exc = array<f32: 2.0>, tau_inh = array<f32: 3.0>, "
           "refractory = array<i64: 2>",
           inhibitory);
       n.decode();
     }},
    {"RestingNeurons", {30}, [](NetworkBuilder &n) { rest(n, 1, perNeuron(-0.01f)); }},
    {"RestingNeuronsOfALongDelay", {30}, [](NetworkBuilder &n) { rest(n, 3, "0.1"); }},
    {"NeuronsThatRestForever", {30}, [](NetworkBuilder &n) { rest(n, 1, "0.1", 1'000'000'000); }},
    {"RestingIntegers", // in words
     {30},
     [](NetworkBuilder &n) {
       restInFixedPoint(n, "fixed_lif", "decay = 0 : i64, membrane_bits = 16 : i64");
     }},
    {"RestingIntegersInWideNumbers",
     {30},
     [](NetworkBuilder &n) {
       restInFixedPoint(n, "fixed_lif",
                        "decay = 4096 : i64, weight_shift = 2 : i64, membrane_bits = 25 : i64");
     }},
    {"RestingIntegersWithSynapses",
     {30},
     [](NetworkBuilder &n) {
       restInFixedPoint(n, "fixed_cuba_lif",
                        "decay = 16 : i64, decay_syn = 2048 : i64, membrane_bits = 16 : i64");
     }},
    {"MaximumPooling",
     {2, 11, 13},
     [](NetworkBuilder &n) {
       n.poisson().maxPool({2, 2}, {2, 2}).conv(12, 3, 3, true, padded({1, 1, 1, 1}));
       fire(n);
       n.maxPool({3, 2}, {1, 2}, {2, 1, 0, 1}).flatten().dense(4);
       fire(n);
       n.decode();
     }},
    {"MaximumPoolingOfSeveralSpikesAndOfCurrents",
     {2, 8, 21},
     [](NetworkBuilder &n) {
       n.poisson().conv(3, 3, 3, true, padded({1, 1, 1, 1}));
       n.population(
           "if", "reset = #snn<reset subtract>, threshold = array<f32: 0.2>, max_spikes = 3 : i64");
       mlir::Value spikes = n.maxPool({2, 2}, {1, 1}).last();
       n.from(spikes).conv(3, 1, 1).population("rectifier", "maximum = array<f32: 0.7>");
       n.maxPool({2, 3}, {1, 1}, {1, 1, 0, 1}).add(spikes);
       fire(n);
       n.flatten().dense(4).integrator().decode();
     }},
    {"ResidualSums", // of convolutions, of one with the spikes scaled, of a constant current
     {3, 9, 9},
     [](NetworkBuilder &n) {
       mlir::Value constant = n.conv(8, 3, 3, true, padded({1, 1, 1, 1})).relu().direct().last();
       fire(n);
       mlir::Value spikes = n.last();
       mlir::Value shortcut = n.conv(8, 1, 1).last();
       n.from(spikes).conv(8, 3, 3, true, padded({1, 1, 1, 1})).add(shortcut);
       leak(n, true);
       n.add(constant);
       fire(n);
       mlir::Value second = n.last();
       mlir::Value scaled = n.scale(false, false).last();
       n.from(second).conv(8, 3, 3, false, padded({1, 1, 1, 1})).scale(true).add(scaled);
       fire(n);
       n.flatten().dense(4).integrator().decode();
     }},
    {"Concatenation",
     {2, 6, 7},
     [](NetworkBuilder &n) {
       mlir::Value constant = n.direct().last();
       fire(n);
       mlir::Value spikes = n.last();
       n.conv(9, 3, 3, true, padded({1, 1, 1, 1}));
       mlir::Value current = n.last();
       fire(n);
       n.concat(spikes, 0).conv(5, 1, 1).concat(current, 0).concat(constant, 0, true);
       leak(n, true);
       n.concat(n.last(), 1).concat(n.last(), 2).flatten().dense(4);
       fire(n);
       n.decode();
     }},
    {"Depthwise", // and pointwise
     {9, 17, 19},
     [](NetworkBuilder &n) {
       n.poisson(0.5f).conv(9, 3, 3, true, {{1, 1}, {1, 1, 1, 1}, {1, 1}, 9});
       leak(n, true);
       n.conv(20, 1, 1, false);
       fire(n);
       n.conv(40, 3, 3, false, {{2, 2}, {1, 1, 1, 1}, {1, 1}, 20});
       fire(n);
       n.flatten().dense(4).integrator().decode();
     }},
    {"Groups",
     {6, 12, 23},
     [](NetworkBuilder &n) {
       n.poisson().conv(9, 2, 3, true, {{1, 1}, {0, 2, 1, 0}, {2, 1}, 3});
       fire(n);
       n.pool({2, 2}, {1, 1}).conv(24, 3, 3, true, {{1, 2}, {1, 1, 1, 1}, {1, 2}, 3});
       fire(n);
       n.flatten().dense(4).integrator().decode();
     }},
    {"PaddedPooling",
     {2, 10, 11},
     [](NetworkBuilder &n) {
       n.poisson().pool({3, 3}, {2, 1}, {1, 2, 2, 0}, false).conv(7, 3, 3);
       fire(n);
       n.pool({2, 2}, {1, 1}, {1, 1, 1, 1}).sumPool({3, 2}, {2, 2}, {0, 1, 2, 1});
       fire(n);
       n.flatten().dense(4).integrator().decode();
     }},
    {"DelaysThatDiffer",
     {3, 5, 6},
     [](NetworkBuilder &n) {
       std::vector<int64_t> each(90);
       for (size_t k = 0; k < each.size(); ++k)
         each[k] = int64_t(k % 7);
       n.poisson().delay({3, 0, 200}).conv(3, 3, 3, true, padded({1, 1, 1, 1})).delay(each);
       fire(n);
       n.delay({0, 1, 0}).flatten().dense(4).integrator().decode();
     }},
    {"OtherOrders",
     {3, 6, 5},
     [](NetworkBuilder &n) {
       mlir::Value spikes = n.poisson().transpose({1, 2, 0}).last();
       mlir::Value image = n.conv(2, 2, 2).last();
       n.from(spikes).flatten().dense(16).reshape({2, 4, 2});
       n.population(
           "dual_cuba_lif",
           "reset = #snn<reset zero>, threshold = array<f32: 0.2>, tau = array<f32: 5.0>, tau_exc "
           "= array<f32: 2.0>, tau_inh = array<f32: 3.0>",
           image);
       n.conv(4, 2, 1).transpose({2, 0, 1}).reshape({8, 3}).integrator().decode();
     }},
    {"SynapticCurrents",
     {14},
     [](NetworkBuilder &n) {
       n.poisson().dense(21);
       n.population("cuba_lif",
                    "reset = #snn<reset zero>, threshold = array<f32: 0.1>, tau = array<f32: "
                    "3.0>, tau_syn = array<f32: 2.0>");
       mlir::Value spikes = n.last();
       mlir::Value inhibitory = n.dense(8).last();
       n.from(spikes).dense(8);
       n.population(
           "dual_cuba_lif",
           "reset = #snn<reset zero>, threshold = array<f32: 0.2>, tau = array<f32: 5.0>, tau_exc "
           "= array<f32: 2.0>, tau_inh = array<f32: 3.0>",
           inhibitory);
       n.decode();
     }},
};

class LayersCase : public ::testing::TestWithParam<Case> {};

/// Steps of three blocks, or of two where a block holds as many steps as any: state is kept from
/// block to block.
int64_t severalBlocks(mlir::ModuleOp module) {
  constexpr size_t kMost = 150; // a block holds 128
  Network network = llvm::cantFail(readNetwork(module));
  std::string reason;
  auto compiled = llvm::cantFail(layers::LayersNetwork::compile(network, reason));
  return compiled ? int64_t(std::clamp<size_t>(3 * compiled->blockFor(kMost).steps, 60, kMost)) : 0;
}

/// More samples than a block holds, too.
TEST_P(LayersCase, EqualsTheInterpreter) {
  NetworkBuilder builder(GetParam().input, 5);
  GetParam().build(builder);
  mlir::ModuleOp module = builder.finish();
  ASSERT_TRUE(module);
  auto classes = static_cast<uint32_t>(snn::sizeOf(builder.last()));
  Samples samples = randomSamples(3, GetParam().input, 21, classes);
  for (float &value : samples.values)
    value = value < 0.3f ? 0 : value; // what never spikes is left out
  EmulationOptions options;
  options.steps = severalBlocks(module);
  options.seed = 0x123456789abcdef;
  options.recordSamples = 21;
  options.engine = EmulationEngine::Interpreter;
  EmulationResult expected = llvm::cantFail(emulate(module, samples, options));
  ASSERT_GT(expected.trace.recorded[0].size(), 20u) << "a silent network would compare nothing";
  options.engine = EmulationEngine::Layers;
  onEveryProcessor([&] {
    EmulationResult found = llvm::cantFail(emulate(module, samples, options));
    EXPECT_EQ(found.trace, expected.trace);
    EXPECT_EQ(found.summary.engine, "layers");
    EXPECT_EQ(found.summary.correctByStep, expected.summary.correctByStep);
    EXPECT_EQ(found.summary.confusion, expected.summary.confusion);
  });
}

/// Spikes are counted in bytes for 255 steps at most.
TEST(LayersCounts, GoOnBehindAByte) {
  NetworkBuilder builder({1, 4, 5});
  builder.poisson(0.9f)
      .conv(3, 2, 2, false)
      .integrateAndFire(snn::Reset::Subtract, {0.2f}, {0}, {0});
  builder.pool({2, 2}, {1, 1}).flatten().dense(3);
  fire(builder);
  builder.decode();
  mlir::ModuleOp module = builder.finish();
  Samples samples = randomSamples(3, {1, 4, 5}, 3, 3);
  EmulationOptions options;
  options.steps = 700;
  options.recordSamples = 0;
  options.engine = EmulationEngine::Interpreter;
  EmulationResult expected = llvm::cantFail(emulate(module, samples, options));
  ASSERT_GT(*llvm::max_element(expected.trace.counts), 1200u);
  options.engine = EmulationEngine::Layers;
  EXPECT_EQ(llvm::cantFail(emulate(module, samples, options)).trace.counts, expected.trace.counts);
}

INSTANTIATE_TEST_SUITE_P(Networks, LayersCase, ::testing::ValuesIn(kCases),
                         [](const auto &each) { return std::string(each.param.name); });

} // namespace
