// The compiled engine does what the reference interpreter does, bit for bit.
#include "lib/emulation/Emulation.h"
#include "lib/emulation/interpreter/Interpreter.h"
#include "lib/emulation/lanes/CompiledNetwork.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

#include <functional>

using namespace spindle;
using namespace spindle::test;
using lanes::kLanes;

namespace {

struct Case {
  const char *name;
  Shape input;
  std::function<void(NetworkBuilder &)> build;
  float low = -1, high = 1; // input values
};

void PrintTo(const Case &each, std::ostream *os) { *os << each.name; }

int64_t width(NetworkBuilder &n) { return snn::sizeOf(n.last()); }
int64_t channels(NetworkBuilder &n) { return snn::shapeOf(n.last())[0]; }

const Case kCases[] = {
    {"DenseIf",
     {13},
     [](NetworkBuilder &n) {
       n.dense(37).direct();
       n.integrateAndFire(snn::Reset::Subtract, some(n, 37, 0.5f, 1), {0}, {0.5f});
       n.dense(9, false).integrator().decode();
     }},
    {"DenseIfResetToZeroCounted",
     {5},
     [](NetworkBuilder &n) {
       n.direct().dense(18);
       n.integrateAndFire(snn::Reset::Zero, {0.7f}, some(n, 18, -0.5f, 0.2f), some(n, 18, 0, 0.4f));
       n.dense(3, true);
       n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}).decode();
     }},
    {"DenseLif",
     {7},
     [](NetworkBuilder &n) {
       n.dense(21).direct();
       n.leaky(snn::Reset::Subtract, {0.3f}, some(n, 21, 1, 9), some(n, 21, 1, 3),
               some(n, 21, -0.1f, 0.1f), {0}, some(n, 21, 0, 0.3f));
       n.dense(11);
       n.leaky(snn::Reset::Zero, some(n, 11, 0.2f, 1), {3.7f}, {2.3f}, {0.01f}, {-0.2f}, {0});
       n.dense(4).integrator({0.25f}).decode();
     }},
    {"ConvPaddingStridesPool",
     {3, 11, 9},
     [](NetworkBuilder &n) {
       n.conv(7, 3, 5, true, {{1, 1}, {1, 2, 1, 2}, {1, 1}, 1}).direct();
       n.integrateAndFire(snn::Reset::Subtract, some(n, channels(n), 1, 3), {0}, {0.5f});
       n.pool({2, 3}, {2, 2}, {1, 1, 0, 1}, false);
       n.conv(19, 2, 3, false, {{2, 1}, {1, 0, 0, 2}, {1, 1}, 1});
       n.integrateAndFire(snn::Reset::Subtract, some(n, width(n), 0.5f, 2), {0}, {0.25f});
       n.pool({3, 2}, {1, 2}, {0, 1, 1, 0}, true).scale(false).flatten().dense(10);
       n.integrator().decode();
     }},
    {"ConvGroupsDilations",
     {6, 10, 13},
     [](NetworkBuilder &n) {
       n.direct().conv(12, 3, 3, true, {{1, 2}, {2, 2, 2, 2}, {2, 1}, 3});
       n.integrateAndFire(snn::Reset::Zero, {0.8f}, {-0.1f}, {0});
       n.conv(12, 3, 3, true, {{1, 1}, {1, 1, 1, 1}, {1, 1}, 12}); // depthwise
       n.integrateAndFire(snn::Reset::Subtract, {0.8f}, {0}, {0.4f}).flatten();
       n.dense(5).integrator().decode();
     }},
    {"PoissonViews",
     {2, 5, 4},
     [](NetworkBuilder &n) {
       n.poisson(1.5f).transpose({2, 0, 1}).conv(5, 2, 2).scale(true);
       n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0});
       n.reshape({5, 4, 1}).transpose({1, 2, 0}).flatten().dense(6);
       n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}).decode();
     },
     0,
     2},
    {"MaxPoolSpikesAndBranches",
     {3, 9, 8},
     [](NetworkBuilder &n) {
       n.conv(4, 3, 3, true, {{1, 1}, {1, 1, 1, 1}, {1, 1}, 1}).direct();
       n.integrateAndFire(snn::Reset::Subtract, {0.7f}, {0}, {0.3f});
       mlir::Value early = n.last();
       n.maxPool({3, 2}, {2, 2}, {1, 0, 1, 0});
       mlir::Value pooled = n.last();
       n.from(early).sumPool({2, 3}, {2, 2}, {1, 0, 0, 1}).conv(4, 1, 1);
       n.add(pooled).scale(false); // a residual: spikes and current
       mlir::Value sum = n.last();
       n.from(pooled).concat(sum, 2, true);
       n.integrateAndFire(snn::Reset::Subtract, {1.2f}, {0}, {0.5f});
       n.transpose({1, 0, 2}).maxPool({2, 2}, {1, 1}, {1, 1, 1, 1}, "pool2").flatten();
       n.sparse({3, 5}, 0.3).add(n.last()).flatten().dense(6).integrator().decode();
     }},
    {"JoinedSpikes",
     {2, 4},
     [](NetworkBuilder &n) {
       n.regular(0.9f);
       mlir::Value rates = n.last();
       n.sparse({2, 4}, 0.6).integrateAndFire(snn::Reset::Subtract, {0.5f}, {0}, {0});
       n.concat(rates, 1).concat(n.last(), 0).flatten().sparse({7}, 0.5, false);
       n.integrateAndFire(snn::Reset::Subtract, {0.6f}, {0}, {0.1f}).decode();
     },
     0,
     1},
    {"ActivationsBeforeTheEncoder",
     {2, 6, 6},
     [](NetworkBuilder &n) {
       n.conv(5, 3, 3).relu().maxPool({2, 2}, {1, 1}, {1, 1, 0, 0});
       mlir::Value first = n.last();
       n.conv(5, 1, 1).clampedRelu(1.5f);
       n.add(first).concat(first, 0).clampedRelu(2, 5).sumPool({2, 2}, {2, 2});
       n.sparse({4, 3}, 0.4).direct();
       n.integrateAndFire(snn::Reset::Subtract, some(n, 12, 0.5f, 2), {0}, {0.25f});
       n.flatten().decode();
     }},
    {"Latency",
     {4, 5},
     [](NetworkBuilder &n) {
       n.latency(6, 0.9f).flatten();
       n.dense(20)
           .population("if", "reset = #snn<reset zero>, threshold = array<f32: 0.5>")
           .dense(8);
       n.population("first_spike", "start = 4 : i64, window = 4 : i64").decodeFirstSpike();
     },
     0,
     1},
    {"DelaysAndFeedback",
     {6},
     [](NetworkBuilder &n) {
       n.regular();
       mlir::Value input = n.last();
       n.feedback("b", {6}, 1).dense(6);
       mlir::Value back = n.last();
       n.from(input).delay({0, 1, 2, 3, 5, 2}).dense(6).add(back);
       n.population("if",
                    "reset = #snn<reset subtract>, threshold = array<f32: 0.6>, layer = \"a\"");
       mlir::Value a = n.last();
       n.feedback("a", {6}, 3).dense(6);
       mlir::Value late = n.last();
       n.from(a).dense(6).delay({2}).add(late);
       n.population("lif",
                    "reset = #snn<reset zero>, threshold = array<f32: 0.3>, tau = array<f32: 3.0>, "
                    "layer = \"b\"");
       n.feedback("a", {6}, 2).dense(3).integrator().decode(); // after its population
     },
     0,
     1},
    {"Refractory",
     {12},
     [](NetworkBuilder &n) {
       n.dense(12).direct();
       n.population(
           "if",
           "reset = #snn<reset subtract>, threshold = array<f32: 0.2>, refractory = array<i64: 0, "
           "1, 2, 3, 0, 1, 2, 3, 4, 5, 1, 1>, r = array<f32: 0.7>");
       n.dense(10);
       n.population(
           "lif", "reset = #snn<reset zero>, threshold = array<f32: 0.25>, tau = array<f32: 2.5>, "
                  "discretization = #snn<discretization exact>, refractory = array<i64: 2>");
       n.dense(3).population(
           "li", "tau = array<f32: 1.5, 2.5, 9.0>, discretization = #snn<discretization exact>");
       n.decode();
     }},
    {"SeveralSpikesPerStep",
     {9},
     [](NetworkBuilder &n) {
       n.dense(14).direct();
       n.population(
           "if", "reset = #snn<reset subtract>, threshold = array<f32: 0.3>, max_spikes = 3 : i64");
       mlir::Value many = n.last();
       n.reshape({2, 1, 7}).maxPool({1, 3}, {1, 2}).flatten().dense(5);
       n.population(
           "lif",
           "reset = #snn<reset subtract>, threshold = array<f32: 0.1>, tau = array<f32: 2.5>, "
           "max_spikes = 4 : i64, refractory = array<i64: 1>");
       mlir::Value few = n.last();
       n.from(many).concat(few, 0).dense(4);
       n.population("integrator", "sustained, r = array<f32: 0.5>").decode();
     }},
    {"CurrentSynapses",
     {8},
     [](NetworkBuilder &n) {
       n.regular().dense(9);
       n.population(
           "cuba_lif",
           "reset = #snn<reset subtract>, threshold = array<f32: 0.2>, tau = array<f32: 4.0>, "
           "tau_syn = array<f32: 2.0>, w_in = array<f32: 1.5>");
       n.dense(9);
       n.population("cuba_lif",
                    "reset = #snn<reset zero>, threshold = array<f32: 0.05>, tau = array<f32: "
                    "4.0>, tau_syn = "
                    "array<f32: 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0>, discretization = "
                    "#snn<discretization exact>, "
                    "v_leak = array<f32: 0.01>, r = array<f32: 2.0>, refractory = array<i64: 1>");
       n.dense(4);
       n.population("cuba_li", "tau = array<f32: 4.0>, tau_syn = array<f32: 2.0>").decode();
     },
     0,
     1},
    {"TwoReceptors",
     {10},
     [](NetworkBuilder &n) {
       n.regular();
       mlir::Value input = n.last();
       n.sparse({6}, 0.4, false);
       mlir::Value down = n.last();
       n.from(input).dense(6, false).population("dual_cuba_lif",
                                                "reset = #snn<reset zero>, threshold = array<f32: "
                                                "0.2>, tau = array<f32: 5.0>, tau_exc = "
                                                "array<f32: 2.0>, tau_inh = array<f32: 5.0>, "
                                                "discretization = #snn<discretization exact>",
                                                down);
       mlir::Value dual = n.last();
       n.from(input).sparse({6}, 0.4, false);
       mlir::Value inhibitory = n.last();
       n.from(dual).dense(6, false).add(down).population(
           "coba_lif",
           "reset = #snn<reset zero>, threshold = array<f32: -55.0>, v_reset = array<f32: -60.0>, "
           "initial_membrane = array<f32: -58.0>, v_leak = array<f32: -54.0>, tau = array<f32: "
           "20.0>, "
           "tau_exc = array<f32: 5.0>, tau_inh = array<f32: 10.0>, e_exc = array<f32: 0.0>, e_inh "
           "= "
           "array<f32: -80.0>, refractory = array<i64: 1>",
           inhibitory);
       n.decode();
     },
     0,
     1},
    {"RectifiersAndPooledCurrents",
     {3, 7, 8},
     [](NetworkBuilder &n) {
       n.conv(4, 3, 3).direct();
       n.population("rectifier", "r = array<f32: 0.5, 1.0, 1.5, -2.0>");
       mlir::Value analog = n.last();
       n.maxPool({3, 2}, {2, 2}, {1, 0, 1, 1}).delay({1}).conv(4, 1, 1);
       n.population("rectifier", "maximum = array<f32: 0.5, 1.0, 0.25, 2.0>").flatten().dense(9);
       n.integrateAndFire(snn::Reset::Subtract, {0.8f}, {0}, {0.5f});
       mlir::Value spikes = n.last();
       n.from(analog).flatten().dense(9).add(spikes).dense(4).integrator().decode();
     }},
    {"CrossingsWithinTheStep",
     {11},
     [](NetworkBuilder &n) {
       n.dense(20).direct();
       n.population(
           "lif",
           "reset = #snn<reset subtract>, threshold = array<f32: 0.4>, tau = array<f32: 3.0>, r = "
           "array<f32: 2.0>, discretization = #snn<discretization exact_crossing>, max_spikes = 3 "
           ": i64");
       n.dense(8);
       n.population(
           "if",
           "reset = #snn<reset zero>, threshold = array<f32: 0.5>, v_reset = array<f32: -0.3>, "
           "discretization = #snn<discretization exact_crossing>, max_spikes = 2 : i64");
       n.dense(6);
       n.population("lif",
                    "reset = #snn<reset zero>, threshold = array<f32: 0.4>, tau = array<f32: 3.0>, "
                    "discretization = #snn<discretization exact_crossing>, refractory = array<i64: "
                    "0, 1, 2, 0, 1, 2>");
       n.decode();
     }},
    {"TensorsBehindSpikes",
     {3, 7, 8},
     [](NetworkBuilder &n) {
       n.conv(4, 3, 3).direct().integrateAndFire(snn::Reset::Subtract, {0.4f}, {0}, {0.2f});
       n.count(5).maxPool({2, 2}, {2, 2}).conv(5, 2, 2).clampedRelu(3.5f, 255).pool({1, 2}, {1, 1});
       n.flatten().dense(9).quantize(0.25f, -9, 30).dense(4);
     }},
    {"OneOfEverything",
     {1},
     [](NetworkBuilder &n) {
       n.dense(1).direct().integrateAndFire(snn::Reset::Subtract, {0.1f}, {0}, {0}).decode();
     }},
};

class EngineCase : public ::testing::TestWithParam<Case> {};

/// Runs batches of 16 and compares answers of every step, spikes and final membranes of every
/// sample.
TEST_P(EngineCase, EqualsTheInterpreterBitForBit) {
  constexpr uint32_t kSteps = 9;
  constexpr uint64_t kSeed = 0x123456789abcdefull, kFirst = 0xfffffff8ull; // over the 32-bit edge
  NetworkBuilder builder(GetParam().input, 7);
  GetParam().build(builder);
  mlir::ModuleOp module = builder.finish();
  ASSERT_TRUE(module);
  Network network = llvm::cantFail(readNetwork(module));
  auto compiled = llvm::cantFail(lanes::CompiledNetwork::compile(network));
  Samples samples = randomSamples(3, GetParam().input, kLanes, 1, GetParam().low, GetParam().high);

  interpreter::Interpreter<float> interpreter(network);
  std::vector<interpreter::SampleRun<float>> runs;
  lanes::Batch batch(*compiled);
  for (size_t lane = 0; lane < size_t(kLanes); ++lane) {
    batch.load(lane, samples.sample(lane));
    runs.push_back(
        llvm::cantFail(interpreter.run(samples.sample(lane), kFirst + lane, kSteps, kSeed)));
  }
  uint64_t spikes = 0;
  for (int repetition = 0; repetition < 2; ++repetition) { // state must not outlive a batch
    batch.setup(kFirst, kSeed);
    for (uint32_t step = 0; step < kSteps; ++step) {
      batch.step();
      for (size_t lane = 0; lane < size_t(kLanes); ++lane)
        for (size_t n = 0; n < network.outputs(); ++n)
          ASSERT_EQ(batch.signal(network.output)[n * kLanes + lane], runs[lane].answers[step][n])
              << "step " << step << " lane " << lane << " output " << n;
    }
    for (size_t lane = 0; lane < size_t(kLanes); ++lane) {
      std::vector<uint64_t> counts(neuronCount(network.populations));
      for (const Spike &spike : runs[lane].spikes)
        ++counts[spike.neuron];
      spikes += runs[lane].spikes.size();
      for (size_t p = 0; p < network.populations.size(); ++p)
        for (uint32_t n = 0; n < network.populations[p].size; ++n) {
          ASSERT_EQ(batch.counts(p)[n * kLanes + lane],
                    float(counts[network.populations[p].first + n]));
          if (!runs[lane].membranes[p].empty()) {
            ASSERT_EQ(batch.membranes(p)[n * kLanes + lane], runs[lane].membranes[p][n]);
          }
        }
    }
  }
  EXPECT_GT(spikes, 0u) << "a silent network would compare nothing";
}

/// Every number of samples, with and without threads: the whole result but its timing.
TEST_P(EngineCase, ResultsDoNotDependOnEngineThreadsOrBatch) {
  NetworkBuilder builder(GetParam().input, 11);
  GetParam().build(builder);
  mlir::ModuleOp module = builder.finish();
  ASSERT_TRUE(module);
  for (size_t count : {1, 3, 16, 17, 40}) {
    uint32_t classes = static_cast<uint32_t>(snn::sizeOf(builder.last()));
    Samples samples =
        randomSamples(5, GetParam().input, count, classes, GetParam().low, GetParam().high);
    EmulationOptions options;
    options.steps = 6;
    options.recordSamples = 18;
    options.engine = EmulationEngine::Interpreter;
    options.threads = 1;
    EmulationResult expected = llvm::cantFail(emulate(module, samples, options));
    options.engine = EmulationEngine::Compiled;
    for (int64_t threads : {1, 2}) {
      if (threads == 1 && count != 40)
        continue; // a compilation each
      options.threads = threads;
      EmulationResult found = llvm::cantFail(emulate(module, samples, options));
      EXPECT_EQ(found.trace, expected.trace) << count << " samples";
      EXPECT_EQ(found.summary.correctByStep, expected.summary.correctByStep);
      EXPECT_EQ(found.summary.confusion, expected.summary.confusion);
      EXPECT_EQ(found.summary.spikes, expected.summary.spikes);
      EXPECT_EQ(found.summary.synapticEvents, expected.summary.synapticEvents);
    }
  }
}

std::string nameOfCase(const ::testing::TestParamInfo<Case> &each) { return each.param.name; }

INSTANTIATE_TEST_SUITE_P(Networks, EngineCase, ::testing::ValuesIn(kCases), nameOfCase);

} // namespace
