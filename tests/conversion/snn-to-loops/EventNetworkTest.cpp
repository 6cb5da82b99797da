// Networks of style event: spike for spike what the reference interpreter makes of them, through
// the JIT, in the interpreter of kernels and, some of them, under Verilator.
#include "core/support/formats/Npz.h"
#include "dialects/hls/interpreter/Interpreter.h"
#include "hw/cosim/Cosim.h"
#include "hw/synthesis/KernelFiles.h"
#include "lib/conversion/snn-to-loops/events/SpikeWords.h"
#include "tests/conversion/snn-to-loops/LoopRun.h"
#include "tests/cosim/KernelFolder.h"
#include "tests/emulation/NetworkBuilder.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

/// A chain of dense layers behind recorded events; populations are named p1, p2, ….
class RandomChain {
public:
  explicit RandomChain(uint64_t seed)
      : random(seed, 11), inputs(1 + below(seed % 4 == 0 ? 150 : 20)), n({inputs}, seed) {
    options.steps = 1 + below(6);
    options.takesWeights = below(2);
    options.recordsSpikes = true;
    options.others.style = LayerStyle::Event;
    n.events();
    for (int64_t layers = below(3); layers > 0; --layers)
      addLayer((1 + below(4)) * (1 + below(seed % 3 == 0 ? 24 : 6)), false);
    addLayer(2 + below(5), true);
    below(4) ? n.decode() : n.decodeFirstSpike();
  }

  mlir::ModuleOp finish() { return n.finish(); }
  CircuitOptions options;

  std::vector<InputEvent> events() {
    std::vector<InputEvent> drawn;
    double rate = 0.1 + 0.8 * random.uniform();
    for (uint32_t step = 0; step < uint32_t(options.steps); ++step)
      for (uint32_t element = 0; element < uint32_t(inputs); ++element)
        if (random.uniform() < rate)
          drawn.push_back({step, element});
    return drawn;
  }

private:
  int64_t below(int64_t bound) { return int64_t(random.below(uint32_t(bound))); }
  int64_t between(int64_t least, int64_t most) { return least + below(most - least + 1); }

  std::vector<float> weights(int64_t count, bool isUniform = false) {
    int64_t most = int64_t(1) << below(6);
    std::vector<float> values(static_cast<size_t>(count));
    for (float &value : values)
      value = float(between(-most * 2 / 3, most));
    if (isUniform)
      values.assign(values.size(), values.front());
    return values;
  }

  std::string parameters(int64_t count, int64_t least, int64_t most) {
    std::vector<std::string> texts;
    for (int64_t left = below(2) ? count : 1; left > 0; --left)
      texts.push_back(fmt::format("{}.0", between(least, most)));
    return fmt::format("array<f32: {}>", fmt::join(texts, ", "));
  }

  /// Lanes that divide the neurons; parameters differ where there is one for each.
  void addLayer(int64_t neurons, bool isLast) {
    int64_t lanes = neurons;
    while (!isLast && below(2) && lanes > 1)
      do
        --lanes;
      while (neurons % lanes != 0);
    int64_t count = lanes == neurons ? neurons : 1;
    n.dense(neurons, weights(neurons * snn::sizeOf(n.last())),
            below(2) ? weights(neurons, count == 1) : std::vector<float>(), "");
    int64_t bits = between(4, 18), most = (int64_t(1) << (bits - 1)) - 1, shift = below(4),
            decayBits = between(1, 14), decay = below(3) ? between(0, int64_t(1) << decayBits) : 0,
            threshold = std::min<int64_t>(most, between(2, 12) << shift);
    std::string name = fmt::format("p{}", ++populations);
    n.population(
        "fixed_lif",
        fmt::format("layer = \"{}\", reset = #snn<reset {}>, threshold = {}, v_reset = {}, "
                    "initial_membrane = {}, decay = {} : i64, decay_bits = {} : i64, "
                    "weight_shift = {} : i64, membrane_bits = {} : i64",
                    name, below(2) ? "subtract" : "zero", parameters(count, 1, threshold),
                    parameters(count, -std::min<int64_t>(most, 3), 0),
                    parameters(count, -std::min<int64_t>(most, 3), threshold), decay, decayBits,
                    shift, bits));
    options.layers[name] = {lanes, 1, LayerStyle::Event};
  }

  CounterRandom random;
  int64_t inputs;
  NetworkBuilder n;
  int populations = 0;
};

struct Case {
  explicit Case(uint64_t seed) : chain(seed), module(chain.finish()) {
    network = llvm::cantFail(readNetwork(module));
    events = chain.events();
    interpreter::Interpreter<float> interpreter(network);
    std::vector<float> nothing(network.inputs());
    wanted = llvm::cantFail(
        interpreter.run(nothing.data(), 0, uint32_t(chain.options.steps), 1, events));
    program = llvm::cantFail(loopsOf(module, chain.options));
  }

  RandomChain chain;
  mlir::ModuleOp module;
  Network network;
  std::vector<InputEvent> events;
  interpreter::SampleRun<float> wanted;
  LoopProgram program;
};

hls::Synthesis synthesizeEvents(mlir::MLIRContext &context, const std::string &text) {
  auto program = llvm::cantFail(hls::parseProgram(context, text, "network.mlir"));
  hls::SynthesisOptions options;
  options.loops.unroll = {1};
  return llvm::cantFail(
      hls::synthesize(*program, llvm::cantFail(hls::readTarget(hls::kDefaultTarget)), options));
}

TEST(EventNetwork, EqualsTheEmulatorSpikeForSpike) {
  size_t spikes = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    std::string what = fmt::format("seed {}", seed);
    Case one(seed);
    auto context = hls::makeProgramContext();
    auto parsed = llvm::cantFail(hls::parseProgram(*context, textOf(*one.program.module), what));
    auto found = hls::runGolden(*parsed, "main", argumentsFor(one.program, one.events));
    ASSERT_TRUE(bool(found)) << what << ": " << toText(found.takeError());
    expectSameSpikes(one.program, *found, one.network, one.wanted, what);
    spikes += one.wanted.spikes.size() - one.events.size();
    ASSERT_FALSE(HasFailure()) << what;
  }
  EXPECT_GT(spikes, 2000u); // else nothing was compared
}

/// A membrane that leaks is multiplied before the next event of its group can add to it, which may
/// not fit into one cycle.
bool leaks(mlir::ModuleOp network) {
  bool found = false;
  network.walk([&](snn::FixedLifOp population) { found |= population.getDecay() != 0; });
  return found;
}

/// As a kernel, cycle by cycle: a cycle for every event and group, and what a step costs beside.
TEST(EventNetwork, KernelsTakeACyclePerEventAndGroup) {
  for (uint64_t seed = 101; seed <= 112; ++seed) {
    std::string what = fmt::format("seed {}", seed);
    Case one(seed);
    auto context = hls::makeSynthesisContext();
    hls::Synthesis made = synthesizeEvents(*context, textOf(*one.program.module));
    int64_t interval = 1;
    made.kernel.walk([&](hls::PipelineOp pipeline) {
      EXPECT_LE(pipeline.getInterval(), leaks(one.module) ? 3u : 1u)
          << what << " " << pipeline.getName().str();
      interval = std::max(interval, int64_t(pipeline.getInterval()));
    });
    auto found = hls::interpret(made.kernel, argumentsFor(one.program, one.events).arguments, {});
    ASSERT_TRUE(bool(found)) << what << ": " << toText(found.takeError());
    expectSameSpikes(one.program, found->values, one.network, one.wanted, what);
    int64_t most = 0, groups = 1;
    for (const HardwareLayer &layer : one.program.layers) {
      groups = std::max(groups, layer.neurons / layer.lanes);
      most += layer.neurons / layer.lanes * 3;
    }
    int64_t bound =
        int64_t(one.wanted.spikes.size() + size_t(one.chain.options.steps)) * groups * interval +
        one.chain.options.steps * (most + 6) + 60;
    EXPECT_LE(int64_t(found->cycles), bound) << what;
  }
}

TEST(EventNetwork, CircuitsSpikeAsInTheEmulator) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  for (uint64_t seed : {201, 204}) {
    std::string what = fmt::format("seed {}", seed);
    Case one(seed);
    TemporaryFolder folder;
    auto context = hls::makeSynthesisContext();
    std::string text = textOf(*one.program.module);
    hls::Synthesis made = synthesizeEvents(*context, text);
    llvm::cantFail(hls::writeKernelFiles(folder.path(), made, text));
    hls::Values inputs = argumentsFor(one.program, one.events);
    hls::CosimOptions options;
    options.in = {folder / "in.npz"};
    llvm::cantFail(hls::writeValues(options.in[0], inputs));
    hls::CosimResult result = llvm::cantFail(hls::cosim(folder.path(), options));
    EXPECT_THAT(result.problems, IsEmpty()) << what;
    auto foreseen = llvm::cantFail(hls::interpret(made.kernel, inputs.arguments, {}));
    expectSameSpikes(one.program, foreseen.values, one.network, one.wanted, what);
    EXPECT_EQ(result.cycles, foreseen.cycles) << what;
  }
}

/// 785 bits of a step and the end of it in 13 words of 61; 128 lanes and one bit in 3 words of 43.
TEST(EventNetwork, WordsHaveRoomForTheEndOfAStep) {
  using snn_to_loops::SpikeWords;
  SpikeWords inputs = SpikeWords::ofInputs(784), neurons = SpikeWords::ofNeurons(128, 128);
  EXPECT_EQ(inputs.groups, 13);
  EXPECT_EQ(inputs.bits, 61u);
  EXPECT_EQ(inputs.eventBits(), 10u);
  EXPECT_EQ(neurons.streams, 3);
  EXPECT_EQ(neurons.bits, 43u);
  for (int64_t count = 1; count < 300; ++count)
    for (int64_t lanes = 1; lanes <= count; ++lanes) {
      if (count % lanes != 0)
        continue;
      SpikeWords words = SpikeWords::ofNeurons(count, lanes);
      EXPECT_LT(words.end() - words.lastFirst(), int64_t(words.bits)) << count << " " << lanes;
      EXPECT_GT(words.inWord(words.streams - 1) + 1, 0);
      EXPECT_LE(words.bits, 64u);
    }
}

} // namespace
