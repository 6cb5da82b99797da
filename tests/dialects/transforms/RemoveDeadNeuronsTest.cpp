// Without its dead neurons a network answers as before, spike for spike.
#include "dialects/snn/transforms/Passes.h"
#include "lib/emulation/Emulation.h"
#include "lib/emulation/interpreter/Interpreter.h"
#include "tests/emulation/NetworkBuilder.h"

#include "mlir/Pass/PassManager.h"
#include "gmock/gmock.h"

#include <numeric>
#include <optional>

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

constexpr uint32_t kPrunedSteps = 12;
const Shape kInput{2, 6, 6};

/// Biases of which every third silences its neuron.
std::vector<float> biases(size_t count) {
  std::vector<float> values(count, 0.1f);
  for (size_t k = 1; k < count; k += 3)
    values[k] = -30;
  return values;
}

void buildDead(NetworkBuilder &n) {
  n.conv({5, 2, 3, 3}, randomFloats(n.random, 90, -0.2f, 0.5f), biases(5), "c1");
  n.direct().pool({2, 2}, {2, 2});
  n.integrateAndFire(snn::Reset::Subtract, {0.5f, 0.6f, 0.7f, 0.8f, 0.9f}, {0}, {0.25f}, "c1");
  n.conv({4, 5, 1, 1}, randomFloats(n.random, 20, -0.2f, 0.8f), biases(4), "c2");
  n.integrateAndFire(snn::Reset::Zero, {0.5f}, {0}, randomFloats(n.random, 16, 0, 0.3f), "c2");
  n.maxPool({2, 2}, {1, 1}, {0, 0, 0, 0}, "m").flatten();
  n.dense(9, randomFloats(n.random, 36, 0.05f, 0.5f), biases(9), "d1");
  n.integrateAndFire(snn::Reset::Subtract, randomFloats(n.random, 9, 0.5f, 1), {0}, {0}, "d1");
  n.dense(3, true).integrator({0}, "out").decode();
}

std::string traceOf(mlir::ModuleOp module, const Samples &samples, const std::string &name) {
  EmulationOptions options;
  options.steps = kPrunedSteps;
  std::string path = testing::TempDir() + name;
  llvm::cantFail(writeSpikeTrace(path, llvm::cantFail(emulate(module, samples, options)).trace));
  return path;
}

mlir::LogicalResult remove(mlir::ModuleOp module, const std::string &trace) {
  mlir::PassManager passes(module.getContext());
  snn::SnnRemoveDeadNeuronsOptions options;
  options.trace = trace;
  passes.addPass(snn::createSnnRemoveDeadNeurons(options));
  return passes.run(module);
}

/// Number of each neuron of `before` among those of `after`; what was removed has none.
std::vector<std::optional<NeuronId>> renumbered(const Network &before, const Network &after,
                                                const std::vector<uint64_t> &counts) {
  std::vector<std::optional<NeuronId>> numbers(counts.size());
  for (size_t p = 0; p < before.populations.size(); ++p) {
    const Population &old = before.populations[p];
    bool shrunk = old.size != after.populations[p].size;
    NeuronId next = after.populations[p].first;
    uint32_t block = old.size / uint32_t(old.shape[0]);
    for (uint32_t n = 0; n < old.size; ++n) {
      uint32_t channel = old.first + n / block * block;
      uint64_t spikes =
          std::accumulate(counts.begin() + channel, counts.begin() + channel + block, uint64_t(0));
      if (!shrunk || spikes > 0)
        numbers[old.first + n] = next++;
    }
    EXPECT_EQ(next, after.populations[p].first + after.populations[p].size);
  }
  return numbers;
}

TEST(RemoveDeadNeurons, AnswersAndSpikesStay) {
  NetworkBuilder n(kInput, 6);
  buildDead(n);
  mlir::ModuleOp module = n.finish();
  mlir::OwningOpRef<mlir::ModuleOp> original = module.clone();
  Samples samples = randomSamples(3, kInput, 6, 3);
  std::string path = traceOf(module, samples, "dead.h5");
  ASSERT_TRUE(succeeded(remove(module, path)));
  Network before = llvm::cantFail(readNetwork(*original)),
          after = llvm::cantFail(readNetwork(module));
  std::vector<uint32_t> sizes;
  for (const Population &population : after.populations)
    sizes.push_back(population.size);
  // Channels 1 and 4 of c1, 1 of c2 and with it of m, 1, 4 and 7 of d1.
  EXPECT_THAT(sizes, testing::ElementsAre(3 * 4, 3 * 4, 3, 6, 3));
  auto numbers = renumbered(before, after, llvm::cantFail(readSpikeTrace(path)).counts);
  interpreter::Interpreter<float> old(before), now(after);
  size_t spikes = 0;
  for (uint64_t sample = 0; sample < 6; ++sample) {
    const float *x = samples.values.data() + sample * samples.size();
    auto a = llvm::cantFail(old.run(x, sample, kPrunedSteps, 1));
    auto b = llvm::cantFail(now.run(x, sample, kPrunedSteps, 1));
    EXPECT_EQ(a.answers, b.answers);
    for (Spike &spike : a.spikes)
      spike.neuron = numbers[spike.neuron].value();
    EXPECT_EQ(a.spikes, b.spikes);
    spikes += a.spikes.size();
  }
  EXPECT_GT(spikes, 300u);
}

TEST(RemoveDeadNeurons, LeavesWhatOthersCountOn) {
  auto make = [](NetworkBuilder &n) {
    n.direct().flatten().dense(6, randomFloats(n.random, 12), biases(6), "a");
    n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "a");
    mlir::Value spikes = n.last(), one = n.dense(4).last();
    n.from(spikes).dense(4).add(one);
    n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "b");
    mlir::Value forward = n.dense(2, {1, 1, 1, 1, 1, 1, 1, 1}, {-90, 1}, "c").last();
    n.feedback("c", {2}).dense(2).add(forward);
    n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "c").decode();
  };
  NetworkBuilder n({2}, 2);
  make(n);
  mlir::ModuleOp module = n.finish();
  std::string path = traceOf(module, randomSamples(3, {2}, 4, 2), "left.h5");
  mlir::OwningOpRef<mlir::ModuleOp> original = module.clone();
  ASSERT_TRUE(succeeded(remove(module, path)));
  std::string a, b;
  llvm::raw_string_ostream(a) << *original;
  llvm::raw_string_ostream(b) << module;
  EXPECT_EQ(a, b);
}

TEST(RemoveDeadNeurons, OneNeuronOfASilentLayerStays) {
  NetworkBuilder n({2}, 2);
  n.direct().dense(3, false).integrateAndFire(snn::Reset::Subtract, {100}, {0}, {0}, "silent");
  n.dense(2).integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "out").decode();
  mlir::ModuleOp module = n.finish();
  std::string path = traceOf(module, randomSamples(3, {2}, 2, 2), "silent.h5");
  ASSERT_TRUE(succeeded(remove(module, path)));
  EXPECT_EQ(llvm::cantFail(readNetwork(module)).populations[0].size, 1u);
}

TEST(RemoveDeadNeurons, RefusesOtherTraces) {
  NetworkBuilder n(kInput, 6), other(kInput, 6);
  buildDead(n);
  mlir::ModuleOp module = n.finish();
  other.direct().flatten().integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "x").decode();
  Samples samples = randomSamples(3, kInput, 1, 3);
  std::string path = traceOf(other.finish(), samples, "other.h5"), message;
  mlir::ScopedDiagnosticHandler listen(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    message = diagnostic.str();
    return mlir::success();
  });
  EXPECT_TRUE(failed(remove(module, path)));
  EXPECT_THAT(message, HasSubstr("is not the network of the trace " + path +
                                 ", expected the populations of @main in program order"));
  EXPECT_TRUE(failed(remove(module, testing::TempDir() + "none.h5")));
  EXPECT_THAT(message, HasSubstr("cannot read the trace: "));
}

} // namespace
