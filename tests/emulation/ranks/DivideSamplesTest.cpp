// Samples divided among ranks: the same as on one rank and thread, bit for bit.
#include "tests/emulation/NetworkBuilder.h"
#include "tests/emulation/ranks/OnRanks.h"

using namespace spindle;
using namespace spindle::test;

namespace {

void leakyLayer(NetworkBuilder &n, llvm::StringRef layer) {
  n.leaky(snn::Reset::Zero, {0.8f}, {6}, {2}, {0.1f}, {0}, {0}, layer);
}

void perceptron(NetworkBuilder &n) {
  n.poisson().dense(40);
  leakyLayer(n, "hidden");
  n.dense(5).integrator().decode();
}

void leNet(NetworkBuilder &n) {
  n.poisson().conv(4, 3, 3);
  leakyLayer(n, "first");
  n.pool({2, 2}, {2, 2}).conv(6, 2, 2);
  leakyLayer(n, "second");
  n.flatten().dense(5).integrator().decode();
}

/// Gives values out again; says no from a sample on.
struct Reader : SampleReader {
  Reader(Samples all, size_t end) : samples(std::move(all)), bad(end) {}
  llvm::Error read(size_t first, size_t count, float *values) override {
    if (first + count > bad)
      return inputError("file", "is damaged");
    std::copy_n(samples.sample(first), count * samples.size(), values);
    return llvm::Error::success();
  }
  Samples samples;
  size_t bad;
};

Samples readOnDemand(const Samples &samples, size_t bad = SIZE_MAX) {
  return {samples.shape, {}, samples.labels, {}, true, std::make_shared<Reader>(samples, bad)};
}

struct SampleCase {
  const char *name;
  Shape input;
  void (*build)(NetworkBuilder &);
};

void PrintTo(const SampleCase &each, std::ostream *os) { *os << each.name; }

class DividedSamples : public ::testing::TestWithParam<std::tuple<SampleCase, EmulationEngine>> {};

TEST_P(DividedSamples, DoNotDependOnRanksAndThreads) {
  const auto &[each, engine] = GetParam();
  NetworkBuilder n(each.input);
  each.build(n);
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(3, each.input, 37, 5);
  EmulationOptions options;
  options.steps = 20;
  options.seed = 7;
  options.stepMs = 0.5;
  options.recordSamples = 15; // ends within the first rank of two, and of three
  options.engine = engine;
  options.threads = 1;
  EmulationResult alone = llvm::cantFail(emulate(module, samples, options));
  ASSERT_GT(alone.summary.synapticEvents, 0u);
  for (size_t ranks : {1, 2, 3})
    for (int64_t threads : {1, 2}) {
      SCOPED_TRACE(testing::Message() << ranks << " ranks, " << threads << " threads");
      options.threads = threads;
      expectSame(llvm::cantFail(emulateOnRanks(ranks, module, samples, options)), alone);
      expectSame(llvm::cantFail(emulateOnRanks(ranks, module, readOnDemand(samples), options)),
                 alone);
    }
}

TEST(UnreadSamples, EndTheEmulation) {
  NetworkBuilder n({1, 10, 9});
  leNet(n);
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(3, {1, 10, 9}, 30, 5);
  EmulationOptions options;
  options.steps = 2;
  for (auto [ranks, bad] : {std::pair<size_t, size_t>{1, 20}, {3, 5}, {3, 15}, {3, 25}})
    for (EmulationEngine engine :
         {EmulationEngine::Layers, EmulationEngine::Lanes, EmulationEngine::Interpreter}) {
      options.engine = engine;
      llvm::Expected<EmulationResult> result =
          emulateOnRanks(ranks, module, readOnDemand(samples, bad), options);
      ASSERT_FALSE(bool(result)) << ranks << " ranks";
      EXPECT_EQ(toText(result.takeError()), "file: error: is damaged");
    }
}

std::string caseName(const ::testing::TestParamInfo<DividedSamples::ParamType> &each) {
  constexpr const char *kNames[] = {"Compiled", "Layers", "Lanes", "Interpreter"};
  const auto &[network, engine] = each.param;
  return std::string(network.name) + kNames[static_cast<size_t>(engine)];
}

INSTANTIATE_TEST_SUITE_P(
    All, DividedSamples,
    ::testing::Combine(::testing::Values(SampleCase{"Perceptron", {30}, perceptron},
                                         SampleCase{"LeNet", {1, 10, 9}, leNet}),
                       ::testing::Values(EmulationEngine::Layers, EmulationEngine::Lanes,
                                         EmulationEngine::Interpreter)),
    caseName);

TEST(DivideSamples, KeepsMembranesAndSpikesOfRecordedSamplesThatRanksShare) {
  NetworkBuilder n({30});
  perceptron(n);
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(3, {30}, 10, 5);
  EmulationOptions options;
  options.steps = 9;
  options.recordSamples = 8; // of three ranks with 3, 3 and 4 samples
  options.recordMembranes = {"hidden", "integrator1"};
  EmulationResult alone = llvm::cantFail(emulate(module, samples, options));
  ASSERT_EQ(alone.membranes.recordings.size(), 2u);
  expectSame(llvm::cantFail(emulateOnRanks(3, module, samples, options)), alone);
}

TEST(DivideSamples, DividesRecordedEvents) {
  NetworkBuilder n({6});
  n.events().dense(4, true, 2).integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}).decode();
  mlir::ModuleOp module = n.finish();
  Samples samples;
  samples.shape = {6};
  samples.events.emplace();
  samples.events->steps = 12;
  samples.events->offsets = {0};
  CounterRandom random(5);
  for (uint32_t sample = 0; sample < 7; ++sample) {
    for (uint32_t step = 0; step < 12; ++step)
      for (uint32_t element = 0; element < 6; ++element)
        if (random.uniform() < 0.3)
          samples.events->events.push_back({step, element});
    samples.events->offsets.push_back(samples.events->events.size());
    samples.labels.push_back(sample % 4);
  }
  EmulationOptions options;
  options.steps = 12;
  EmulationResult alone = llvm::cantFail(emulate(module, samples, options));
  ASSERT_GT(alone.summary.synapticEvents, 0u);
  for (size_t ranks : {2, 3})
    expectSame(llvm::cantFail(emulateOnRanks(ranks, module, samples, options)), alone);
}

TEST(DivideSamples, LeavesRanksIdleThatGetNoSample) {
  NetworkBuilder n({30});
  perceptron(n);
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(3, {30}, 2, 5);
  EmulationOptions options;
  options.steps = 9;
  EmulationResult alone = llvm::cantFail(emulate(module, samples, options));
  EmulationResult divided = llvm::cantFail(emulateOnRanks(4, module, samples, options));
  expectSame(divided, alone);
  EXPECT_EQ(divided.summary.threads, 2u) << "of two ranks";
}

TEST(DivideSamples, SaysHowFarAllRanksAre) {
  NetworkBuilder n({30});
  perceptron(n);
  std::vector<uint64_t> done;
  EmulationOptions options;
  options.steps = 3;
  options.threads = 1;
  llvm::cantFail(emulateOnRanks(2, n.finish(), randomSamples(3, {30}, 64, 5), options,
                                [&](uint64_t part, uint64_t all) {
                                  EXPECT_EQ(all, 64u);
                                  done.push_back(part);
                                }));
  ASSERT_GE(done.size(), 3u) << "in the beginning, and two batches of this rank";
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.front(), 0u);
  EXPECT_EQ(done.back(), 64u);
}

TEST(DivideSamples, GivesTheErrorOfTheLowestSample) {
  NetworkBuilder n({30});
  perceptron(n);
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(3, {30}, 9, 5);
  for (size_t sample : {5, 7, 8}) // of ranks 1 and 2
    samples.values[sample * 30 + 2] = -1;
  EmulationOptions options;
  options.threads = 1;
  std::string alone = errorOf(emulate(module, samples, options));
  EXPECT_EQ(alone, "encode1: error: sample 5 has the value -1 at element 2, poisson encoding "
                   "expects none below zero; scale inputs to [0, 1] without mean and std, or use "
                   "encoding: direct");
  EXPECT_EQ(errorOf(emulateOnRanks(3, module, samples, options)), alone);
}

TEST(DivideSamples, GivesErrorsBeforeTheWorkOnce) {
  NetworkBuilder n({30});
  perceptron(n);
  mlir::ModuleOp module = n.finish();
  EmulationOptions options;
  EXPECT_EQ(errorOf(emulateOnRanks(2, module, randomSamples(3, {29}, 9, 5), options)),
            errorOf(emulate(module, randomSamples(3, {29}, 9, 5), options)));
  options.recordMembranes = {"nobody"};
  Samples samples = randomSamples(3, {30}, 9, 5);
  EXPECT_EQ(errorOf(emulateOnRanks(2, module, samples, options)),
            "emulation: error: record_membranes names 'nobody', expected populations with "
            "membranes: hidden, integrator1");
  EXPECT_EQ(errorOf(emulateOnRanks(2, module, Samples{{30}, {}, {}, {}}, options)),
            errorOf(emulate(module, Samples{{30}, {}, {}, {}}, options)));
}

} // namespace
