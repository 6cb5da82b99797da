// Networks of style event whose spikes part and meet, come later or are weighed as they are: spike
// for spike what the reference interpreter makes of them.
#include "dialects/hls/interpreter/Interpreter.h"
#include "hw/cosim/Cosim.h"
#include "hw/synthesis/KernelFiles.h"
#include "tests/conversion/snn-to-loops/LoopRun.h"
#include "tests/conversion/snn-to-loops/RandomCircuit.h"
#include "tests/conversion/snn-to-loops/RandomJoins.h"
#include "tests/cosim/KernelFolder.h"

#include "gmock/gmock.h"

#include <cstdlib>

using namespace spindle;
using namespace spindle::test;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

/// As many as the environment asks for.
uint64_t most(const char *variable, uint64_t otherwise) {
  const char *asked = std::getenv(variable);
  return asked ? std::strtoull(asked, nullptr, 10) : otherwise;
}

/// A network, samples of it, and what the emulator makes of them.
template <typename Drawn> struct JoinCase {
  template <typename... Arguments>
  explicit JoinCase(size_t images, Arguments... arguments)
      : draw(arguments...), module(draw.finish()), network(llvm::cantFail(readNetwork(module))) {
    draw.options.layers.clear();
    draw.options.others = {64, 1, LayerStyle::Event};
    interpreter::Interpreter<float> interpreter(network);
    std::vector<float> nothing(network.inputs());
    for (; images > 0; --images) {
      inputs.push_back({draw.events(), {}});
      wanted.push_back(llvm::cantFail(interpreter.run(
          nothing.data(), 0, uint32_t(draw.options.steps), 1, inputs.back().events)));
    }
  }

  size_t spikes() const {
    size_t all = 0;
    for (const auto &one : wanted)
      all += one.spikes.size();
    return all;
  }

  void expectSame(const LoopProgram &program, const std::string &what) const {
    auto context = hls::makeProgramContext();
    auto parsed = llvm::cantFail(hls::parseProgram(*context, textOf(*program.module), what));
    auto found =
        hls::runGolden(*parsed, "main", argumentsFor(program, inputs), hls::GoldenCode::Plain);
    ASSERT_TRUE(bool(found)) << what << ": " << toText(found.takeError());
    expectSameSpikes(program, *found, network, wanted, what);
  }

  /// As a kernel, cycle by cycle; the cycles.
  uint64_t expectSameKernel(const LoopProgram &program, const std::string &what) const {
    auto context = hls::makeSynthesisContext();
    hls::Synthesis made = synthesizeEvents(*context, textOf(*program.module));
    // Two where a neuron in LUT RAM has a synaptic current and a refractory period.
    made.kernel.walk([&](hls::PipelineOp pipeline) {
      EXPECT_LE(pipeline.getInterval(), 2u) << what << " " << pipeline.getName().str();
    });
    auto found = hls::interpret(made.kernel, argumentsFor(program, inputs).arguments, {});
    EXPECT_TRUE(bool(found)) << what << ": " << toText(found.takeError());
    if (!found)
      return 0;
    expectSameSpikes(program, found->values, network, wanted, what);
    return found->cycles;
  }

  Drawn draw;
  mlir::ModuleOp module;
  Network network;
  std::vector<SampleInput> inputs;
  EmulatedSamples wanted;
};

TEST(EventJoins, RandomNetworksEqualTheEmulatorSpikeForSpike) {
  size_t spikes = 0;
  for (uint64_t seed = 1; seed <= most("SPINDLE_JOINS", 25) && !HasFailure(); ++seed) {
    std::string what = fmt::format("seed {}", seed);
    JoinCase<RandomJoins> one(2, seed);
    auto program = loopsOf(one.module, one.draw.options);
    ASSERT_TRUE(bool(program)) << what << ": " << toText(program.takeError());
    one.expectSame(*program, what);
    spikes += one.spikes();
  }
  EXPECT_GT(spikes, 2000u); // else nothing was compared
}

/// Streams are never too short: a network that waits for itself would be named by the interpreter.
TEST(EventJoins, KernelsEqualTheEmulatorAndNeverStop) {
  for (uint64_t seed = 101; seed <= 100 + most("SPINDLE_JOINS", 10) && !HasFailure(); ++seed) {
    std::string what = fmt::format("seed {}", seed);
    JoinCase<RandomJoins> one(1 + seed % 3, seed);
    one.expectSameKernel(llvm::cantFail(loopsOf(one.module, one.draw.options)), what);
  }
}

TEST(EventJoins, CentralisedKernelsEqualTheEmulator) {
  for (uint64_t seed = 201; seed <= 204 && !HasFailure(); ++seed) {
    std::string what = fmt::format("seed {}", seed);
    JoinCase<RandomJoins> one(2, seed);
    one.draw.options.system = hls::SystemKind::Centralised;
    one.expectSameKernel(llvm::cantFail(loopsOf(one.module, one.draw.options)), what);
  }
}

/// The networks that style clock is tested with: what has no form in events is refused by name.
TEST(EventJoins, NetworksOfStyleClockEqualTheEmulatorOrAreRefused) {
  size_t taken = 0;
  for (uint64_t seed = 1; seed <= 40 && !HasFailure(); ++seed) {
    std::string what = fmt::format("seed {}", seed);
    JoinCase<RandomCircuit> one(2, seed, /*isSmall=*/true);
    auto program = loopsOf(one.module, one.draw.options);
    if (!program) {
      EXPECT_THAT(toText(program.takeError()),
                  AnyOf(HasSubstr("takes the maximum of"),
                        HasSubstr("delays currents, expected spikes (style event)")))
          << what;
      continue;
    }
    ++taken;
    one.expectSame(*program, what);
  }
  EXPECT_GT(taken, 25u);
}

TEST(EventJoins, CircuitsSpikeAsInTheEmulator) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  for (uint64_t seed : {301, 302}) {
    std::string what = fmt::format("seed {}", seed);
    JoinCase<RandomJoins> one(3, seed);
    LoopProgram program = llvm::cantFail(loopsOf(one.module, one.draw.options));
    TemporaryFolder folder;
    auto context = hls::makeSynthesisContext();
    std::string text = textOf(*program.module);
    hls::Synthesis made = synthesizeEvents(*context, text);
    llvm::cantFail(hls::writeKernelFiles(folder.path(), made, text));
    hls::CosimOptions options;
    options.in = {folder / "in.npz"};
    llvm::cantFail(hls::writeValues(options.in[0], argumentsFor(program, one.inputs)));
    hls::CosimResult result = llvm::cantFail(hls::cosim(folder.path(), options));
    EXPECT_THAT(result.problems, IsEmpty()) << what;
    EXPECT_EQ(result.cycles, one.expectSameKernel(program, what)) << what;
  }
}

} // namespace
