// A layer as Loihi computes it, recorded from lava-dl: 200 inputs, 256 leaky neurons, 2,000 ticks.
// What a neuron makes comes out one tick later. As loops, as a kernel and as a circuit.
#include "core/support/files/File.h"
#include "core/support/formats/Npz.h"
#include "dialects/hls/interpreter/Interpreter.h"
#include "hw/cosim/Cosim.h"
#include "hw/synthesis/KernelFiles.h"
#include "tests/conversion/snn-to-loops/LoopRun.h"
#include "tests/conversion/snn-to-loops/RandomChain.h"
#include "tests/cosim/KernelFolder.h"

#include "gmock/gmock.h"

#include <cstdlib>
#include <filesystem>

namespace spindle::test {
namespace {

constexpr size_t kSpikes = 1826; // of the recording

class LoihiLayer : public ::testing::Test {
protected:
  void SetUp() override {
    const char *data = std::getenv("SPINDLE_DATA");
    folder = std::string(data ? data : "../shared/data") + "/workloads/loihi-oxford/";
    if (!std::filesystem::exists(folder))
      GTEST_SKIP() << folder << " is absent; set SPINDLE_DATA";
    NpyArray weight = load("weight.npy"), in = load("in.npy");
    inputs = weight.shape[1];
    neurons = weight.shape[0];
    ticks = in.shape[1];
    weights = weight.floats();
    spikesIn = in.floats();
    spikesOut = load("out.npy").floats();
  }

  NpyArray load(const std::string &name) const {
    return llvm::cantFail(parseNpy(llvm::cantFail(readFile(folder + name)), folder, name));
  }

  LoopProgram programOf(int64_t steps, int64_t lanes) {
    builder.emplace(std::vector<int64_t>{inputs});
    builder->events().dense(neurons, weights, {}, "");
    builder->population("fixed_lif",
                        "layer = \"loihi\", reset = #snn<reset zero>, threshold = array<f32: "
                        "385.0>, decay = 415 : i64, decay_bits = 12 : i64, weight_shift = 6 : i64");
    builder->decode();
    CircuitOptions options;
    options.steps = steps;
    options.recordsSpikes = true;
    options.others = {lanes, 1, LayerStyle::Event};
    return llvm::cantFail(loopsOf(builder->finish(), options));
  }

  hls::Values argumentsOf(const LoopProgram &program, int64_t steps) const {
    std::vector<InputEvent> events;
    for (int64_t tick = 0; tick < steps; ++tick)
      for (int64_t element = 0; element < inputs; ++element)
        if (spikesIn[size_t(element * ticks + tick)] > 0)
          events.push_back({uint32_t(tick), uint32_t(element)});
    return argumentsFor(program, events);
  }

  static bool fires(const LoopProgram &program, const hls::Values &found, size_t tick,
                    size_t neuron) {
    for (size_t each = 0; each < program.arguments.size(); ++each) {
      const HardwareArray &port = program.arguments[each].port;
      if (port.role != ArrayRole::Spikes || !holds(port, neuron))
        continue;
      SpikePlace place = placeOf(port, tick, neuron);
      return (found.arguments[each].at(place.element) >> place.bit & 1) == 1;
    }
    return false;
  }

  /// Compares every neuron in every tick with the recording; how many spikes there are.
  size_t compare(const LoopProgram &program, const hls::Values &found, int64_t steps) const {
    size_t spikes = 0, wrong = 0;
    for (int64_t tick = 0; tick + 1 < steps; ++tick)
      for (int64_t neuron = 0; neuron < neurons; ++neuron) {
        bool isSpike = fires(program, found, size_t(tick), size_t(neuron));
        spikes += isSpike;
        bool isWrong = isSpike != (spikesOut[size_t(neuron * ticks + tick + 1)] > 0);
        if (isWrong && wrong++ == 0)
          ADD_FAILURE() << "neuron " << neuron << " tick " << tick;
      }
    EXPECT_EQ(wrong, 0u);
    return spikes;
  }

  std::string folder;
  int64_t inputs = 0, neurons = 0, ticks = 0;
  std::vector<float> weights, spikesIn, spikesOut;
  std::optional<NetworkBuilder> builder; // owns the network that a program is made of
};

TEST_F(LoihiLayer, ACycleForEveryEvent) {
  constexpr int64_t kSteps = 60;
  LoopProgram program = programOf(kSteps, neurons);
  auto context = hls::makeSynthesisContext();
  hls::Synthesis made = synthesizeEvents(*context, textOf(*program.module));
  made.kernel.walk([](hls::PipelineOp each) { // the answer records 256 spikes by two ports
    if (each.getName().starts_with("while")) {
      EXPECT_EQ(each.getInterval(), 1u) << each.getName().str();
    }
  });
  hls::Values arguments = argumentsOf(program, kSteps);
  compare(program, llvm::cantFail(hls::interpret(made.kernel, arguments.arguments, {})).values,
          kSteps);
}

/// The loops give the recording, and the circuit gives what the loops give; eight neurons a lane.
TEST_F(LoihiLayer, ACircuitRepeatsTheRecording) {
  LoopProgram program = programOf(ticks, neurons / 8);
  hls::Values arguments = argumentsOf(program, ticks);
  std::string text = textOf(*program.module);
  {
    auto context = hls::makeProgramContext();
    auto parsed = llvm::cantFail(hls::parseProgram(*context, text, "loihi"));
    hls::Values found =
        llvm::cantFail(hls::runGolden(*parsed, "main", arguments, hls::GoldenCode::Plain));
    EXPECT_EQ(compare(program, found, ticks), kSpikes);
  }
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder made;
  auto context = hls::makeSynthesisContext();
  hls::Synthesis synthesis = synthesizeEvents(*context, text);
  llvm::cantFail(hls::writeKernelFiles(made.path(), synthesis, text));
  hls::CosimOptions options;
  options.in = {made / "in.npz"};
  llvm::cantFail(hls::writeValues(options.in[0], arguments));
  hls::CosimResult result = llvm::cantFail(hls::cosim(made.path(), options));
  EXPECT_THAT(result.problems, ::testing::IsEmpty());
}

} // namespace
} // namespace spindle::test
