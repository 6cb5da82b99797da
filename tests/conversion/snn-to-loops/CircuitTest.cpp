// Spiking networks as circuits under Verilator: every spike that the emulator makes, in the cycles
// that were predicted.
#include "core/support/formats/Npz.h"
#include "hw/cosim/Cosim.h"
#include "hw/synthesis/KernelFiles.h"
#include "tests/conversion/snn-to-loops/LoopRun.h"
#include "tests/conversion/snn-to-loops/RandomCircuit.h"
#include "tests/cosim/KernelFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::IsEmpty;

namespace {

hls::Synthesis synthesizeText(mlir::MLIRContext &context, const std::string &text) {
  auto program = llvm::cantFail(hls::parseProgram(context, text, "network.mlir"));
  hls::SynthesisOptions options;
  options.loops.unroll = {1};
  return llvm::cantFail(
      hls::synthesize(*program, llvm::cantFail(hls::readTarget(hls::kDefaultTarget)), options));
}

/// Runs the circuit on the spikes of one sample; the arguments after the run.
hls::Values simulate(const LoopProgram &program, const std::vector<InputEvent> &events,
                     uint64_t &cycles) {
  TemporaryFolder folder;
  auto context = hls::makeSynthesisContext();
  std::string text = textOf(*program.module);
  hls::Synthesis made = synthesizeText(*context, text);
  llvm::cantFail(hls::writeKernelFiles(folder.path(), made, text));
  hls::Values inputs = argumentsFor(program, events);
  hls::CosimOptions options;
  options.in = {folder / "in.npz"};
  options.dump = folder / "out.npz";
  llvm::cantFail(hls::writeValues(options.in[0], inputs));
  hls::CosimResult result = llvm::cantFail(hls::cosim(folder.path(), options));
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.predictedCycles);
  EXPECT_EQ(result.cycles, result.predictedCycles);
  cycles = result.cycles.value_or(0);
  auto arrays = llvm::cantFail(readNpz(options.dump));
  hls::Values after;
  for (size_t n = 0; n < inputs.arguments.size(); ++n) {
    const hls::KernelArray &like = inputs.arguments[n];
    std::string name = fmt::format("arg{}", n);
    for (const NpzMember &member : arrays)
      if (member.name == name)
        after.arguments.push_back(
            llvm::cantFail(hls::fromNpy(member.array, like.type, like.shape, options.dump, name)));
  }
  return after;
}

TEST(SnnCircuit, RandomNetworksSpikeAsInTheEmulator) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  for (uint64_t seed : {2001, 2002, 2003, 2004}) {
    std::string what = fmt::format("seed {}", seed);
    RandomCircuit circuit(seed, /*isSmall=*/true);
    circuit.options.takesWeights = true;
    mlir::ModuleOp module = circuit.finish();
    Network network = llvm::cantFail(readNetwork(module));
    std::vector<InputEvent> events = circuit.events();
    interpreter::Interpreter<float> interpreter(network);
    std::vector<float> nothing(network.inputs());
    auto wanted = llvm::cantFail(
        interpreter.run(nothing.data(), 0, uint32_t(circuit.options.steps), 1, events));
    LoopProgram program = llvm::cantFail(loopsOf(module, circuit.options));
    uint64_t cycles = 0;
    hls::Values found = simulate(program, events, cycles);
    expectSameSpikes(program, found, network, {wanted}, what);
  }
}

/// A perceptron of integers; its weights do not matter to its cycles.
uint64_t predictedCycles(LayerOptions first, LayerOptions second) {
  NetworkBuilder n({784});
  CounterRandom random(3);
  auto weights = [&](size_t count) {
    std::vector<float> values(count);
    for (float &value : values)
      value = float(random.below(15)) - 7;
    return values;
  };
  const char *attributes =
      "layer = \"{}\", reset = #snn<reset subtract>, threshold = array<f32: 40.0>, "
      "decay = 0 : i64, membrane_bits = 12 : i64";
  n.events();
  n.dense(128, weights(784 * 128), weights(128), "dense1");
  n.population("fixed_lif", fmt::format(fmt::runtime(attributes), "dense1"));
  n.dense(10, weights(1280), {}, "dense2");
  n.population("fixed_lif", fmt::format(fmt::runtime(attributes), "dense2")).decode();
  CircuitOptions options;
  options.steps = 8;
  options.takesWeights = true;
  options.layers = {{"dense1", first}, {"dense2", second}};
  LoopProgram program = llvm::cantFail(loopsOf(n.finish(), options));
  auto context = hls::makeSynthesisContext();
  return *synthesizeText(*context, textOf(*program.module)).interface.predictedCycles;
}

TEST(SnnCircuit, APerceptronTakesACyclePerInputAndGroup) {
  EXPECT_LE(predictedCycles({128, 1}, {10, 4}), 6700u); // 784 · 8 = 6,272 for the first layer
  uint64_t wide = predictedCycles({64, 1}, {10, 4}), narrow = predictedCycles({32, 1}, {10, 4});
  EXPECT_NEAR(double(wide), 2 * 6272 + 256, 100);
  EXPECT_NEAR(double(narrow), 4 * 6272 + 256, 100);
}

} // namespace
