// Networks of style event: spike for spike what the reference interpreter makes of them, through
// the JIT, in the interpreter of kernels and, some of them, under Verilator.
#include "core/support/files/File.h"
#include "core/support/formats/Npz.h"
#include "dialects/hls/interpreter/Interpreter.h"
#include "hw/cosim/Cosim.h"
#include "hw/synthesis/KernelFiles.h"
#include "lib/conversion/snn-to-loops/events/SpikeWords.h"
#include "tests/conversion/snn-to-loops/EventCase.h"
#include "tests/cosim/KernelFolder.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gmock/gmock.h"

#include <cstdlib>
#include <filesystem>

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

using Case = EventCase;

/// Every population that spikes has a port for its spikes.
void expectAllRecorded(const Case &one, const std::string &what) {
  for (const NetworkOp &each : one.network.ops) {
    auto neurons = llvm::dyn_cast<snn::NeuronOp>(each.op);
    if (!neurons || !neurons.neuronModel().spikes())
      continue;
    const std::string &name = one.network.populations[*each.population].name;
    EXPECT_TRUE(llvm::any_of(one.program.arguments,
                             [&](const ProgramArray &array) {
                               return array.port.role == ArrayRole::Spikes &&
                                      array.port.layer == name;
                             }))
        << what << ": " << name;
  }
}

/// Spikes of all populations together.
size_t compareChains(uint64_t first, uint64_t last, ChainKind kind) {
  size_t spikes = 0;
  for (uint64_t seed = first; seed <= last && !::testing::Test::HasFailure(); ++seed) {
    std::string what = fmt::format("seed {}", seed);
    Case one(seed, kind);
    auto context = hls::makeProgramContext();
    auto parsed = llvm::cantFail(hls::parseProgram(*context, textOf(*one.program.module), what));
    auto found = hls::runGolden(*parsed, "main", one.arguments, hls::GoldenCode::Plain);
    EXPECT_TRUE(bool(found)) << what << ": " << toText(found.takeError());
    if (!found)
      return spikes;
    expectSameSpikes(one.program, *found, one.network, one.wanted, what);
    expectAllRecorded(one, what);
    spikes += one.fired();
  }
  return spikes;
}

TEST(EventNetwork, EqualsTheEmulatorSpikeForSpike) {
  EXPECT_GT(compareChains(1, 40, ChainKind::Dense), 2000u); // else nothing was compared
}

TEST(EventNetwork, WindowsEqualTheEmulatorSpikeForSpike) {
  EXPECT_GT(compareChains(1001, 1025, ChainKind::Image), 1500u);
}

/// The first layer is computed by the host.
TEST(EventNetwork, DirectCodingEqualsTheEmulatorSpikeForSpike) {
  EXPECT_GT(compareChains(2001, 2020, ChainKind::Direct), 1000u);
}

/// It is a tensor kernel.
TEST(EventNetwork, TensorKernelsEqualTheEmulatorSpikeForSpike) {
  EXPECT_GT(compareChains(3001, 3025, ChainKind::Tensor), 1000u);
}

/// Several of them, with poolings in between.
TEST(EventNetwork, ChainsOfTensorKernelsEqualTheEmulatorSpikeForSpike) {
  EXPECT_GT(compareChains(4001, 4025, ChainKind::Tensors), 600u);
}

/// Maxima of windows on the way to weights, of spikes from outside and of populations.
TEST(EventNetwork, MaximaEqualTheEmulatorSpikeForSpike) {
  EXPECT_GT(compareChains(5001, 5030, ChainKind::Maxima), 1000u);
}

/// Pixels that the circuit turns into spikes, which are the emulator's, too.
TEST(EventNetwork, EncodersEqualTheEmulatorSpikeForSpike) {
  EXPECT_GT(compareChains(6001, 6025, ChainKind::Pixels), 1000u);
}

/// Tensor layers behind the spikes, whose numbers they take: their sums are the emulator's.
TEST(EventNetwork, TensorsBehindSpikesEqualTheEmulator) {
  EXPECT_GT(compareChains(7001, 7035, ChainKind::Counted), 800u);
}

/// As a kernel, cycle by cycle: a cycle for every event and group, and what a step costs beside.
void expectACyclePerEvent(uint64_t seed, ChainKind kind) {
  std::string what = fmt::format("seed {}", seed);
  Case one(seed, kind, 1 + seed % 3);
  auto context = hls::makeSynthesisContext();
  hls::Synthesis made = synthesizeEvents(*context, textOf(*one.program.module));
  made.kernel.walk([&](hls::PipelineOp pipeline) {
    EXPECT_LE(pipeline.getInterval(), 1u) << what << " " << pipeline.getName().str();
  });
  auto found = hls::interpret(made.kernel, one.arguments.arguments, {});
  ASSERT_TRUE(bool(found)) << what << ": " << toText(found.takeError());
  expectSameSpikes(one.program, found->values, one.network, one.wanted, what);
  int64_t perStep = 0, groups = 1;
  for (const HardwareLayer &layer : one.program.layers) {
    int64_t own = (layer.neurons + layer.lanes - 1) / layer.lanes;
    groups = std::max(groups, own);
    perStep += own * 6;
  }
  if (kind != ChainKind::Dense) // an event finds its group
    groups = 1;
  int64_t steps = one.chain.options.steps * int64_t(one.wanted.size());
  int64_t events = int64_t(one.spikes()) + steps;
  EXPECT_LE(int64_t(found->cycles), events * groups + steps * (perStep + 8) + 80) << what;
}

TEST(EventNetwork, KernelsTakeACyclePerEventAndGroup) {
  for (uint64_t seed = 101; seed <= 112; ++seed)
    expectACyclePerEvent(seed, ChainKind::Dense);
}

/// Poolings and layers start an iteration in every cycle: a spike takes one for each window that it
/// may lie in, and a sample those that clear the counts.
TEST(EventNetwork, MaximaTakeACyclePerEventAndWindow) {
  for (uint64_t seed = 5101; seed <= 5110; ++seed) {
    std::string what = fmt::format("seed {}", seed);
    Case one(seed, ChainKind::Maxima, 1 + seed % 3);
    auto context = hls::makeSynthesisContext();
    hls::Synthesis made = synthesizeEvents(*context, textOf(*one.program.module));
    if (!one.program.given) // else the population behind the host, with few places, may not
      made.kernel.walk([&](hls::PipelineOp pipeline) {
        EXPECT_LE(pipeline.getInterval(), 1u) << what << " " << pipeline.getName().str();
      });
    auto found = hls::interpret(made.kernel, one.arguments.arguments, {});
    ASSERT_TRUE(bool(found)) << what << ": " << toText(found.takeError());
    expectSameSpikes(one.program, found->values, one.network, one.wanted, what);
    double perEvent = 1, perSample = 0, perStep = 0;
    for (const auto &[layer, work] : one.program.work) {
      perEvent = std::max(perEvent, work.perEvent);
      perSample += work.perSample;
    }
    for (const HardwareLayer &layer : one.program.layers)
      perStep += double(layer.neurons) * 6 + 8;
    auto samples = double(one.wanted.size()), steps = samples * double(one.chain.options.steps);
    EXPECT_LE(double(found->cycles), (double(one.spikes()) + steps) * perEvent +
                                         samples * perSample + steps * perStep + 80)
        << what;
  }
}

TEST(EventNetwork, WindowsTakeACyclePerEvent) {
  for (uint64_t seed = 1101; seed <= 1106; ++seed)
    expectACyclePerEvent(seed, seed < 1105 ? ChainKind::Image : ChainKind::Direct);
}

/// Those of the tensor kernel start an iteration in every cycle (its population, with few places,
/// may not), and the spikes are the emulator's there, too.
TEST(EventNetwork, KernelsOfTensorsStartInEveryCycle) {
  for (uint64_t seed = 3101; seed <= 3110; ++seed) {
    std::string what = fmt::format("seed {}", seed);
    Case one(seed, ChainKind::Tensor, 1 + seed % 3);
    auto context = hls::makeSynthesisContext();
    hls::Synthesis made = synthesizeEvents(*context, textOf(*one.program.module));
    size_t processes = one.chain.isWindowed ? 2 : 1; // they stand first
    made.kernel.walk([&](hls::PipelineOp pipeline) {
      if (processes == 0)
        return;
      --processes;
      EXPECT_EQ(pipeline.getInterval(), 1u) << what << " " << pipeline.getName().str();
    });
    auto found = hls::interpret(made.kernel, one.arguments.arguments, {});
    ASSERT_TRUE(bool(found)) << what << ": " << toText(found.takeError());
    expectSameSpikes(one.program, found->values, one.network, one.wanted, what);
  }
}

/// Neurons of one hidden layer with parameters of their own, by fewer and fewer lanes: a cycle for
/// each event and group.
TEST(EventNetwork, LanesSetTheCycles) {
  constexpr int64_t kNeurons = 32, kSteps = 6;
  CounterRandom random(8);
  std::vector<InputEvent> events;
  for (uint32_t step = 0; step < kSteps; ++step)
    for (uint32_t element = 0; element < 90; ++element)
      if (random.uniform() < 0.4)
        events.push_back({step, element});
  for (int64_t lanes : {32, 16, 8, 4}) {
    NetworkBuilder n({90}, 3);
    auto draw = [&](int64_t count, int64_t most) {
      std::vector<float> values;
      while (int64_t(values.size()) < count)
        values.push_back(float(int64_t(n.random.below(uint32_t(2 * most + 1))) - most));
      return values;
    };
    std::vector<float> thresholds = draw(kNeurons, 10);
    for (float &value : thresholds)
      value += 40;
    n.events().dense(kNeurons, draw(kNeurons * 90, 7), draw(kNeurons, 3), "");
    n.population("fixed_lif",
                 fmt::format("layer = \"p1\", reset = #snn<reset subtract>, threshold = "
                             "array<f32: {:.1f}>, decay = 0 : i64, membrane_bits = 12 "
                             ": i64",
                             fmt::join(thresholds, ", ")));
    n.dense(5, draw(5 * kNeurons, 7), {}, "");
    n.population("fixed_li", "layer = \"p2\", decay = 0 : i64, membrane_bits = 12 : i64").decode();
    mlir::ModuleOp module = n.finish();
    Network network = llvm::cantFail(readNetwork(module));
    interpreter::Interpreter<float> interpreter(network);
    std::vector<float> nothing(network.inputs());
    auto wanted = llvm::cantFail(interpreter.run(nothing.data(), 0, kSteps, 1, events));
    CircuitOptions options;
    options.steps = kSteps;
    options.recordsSpikes = true;
    options.others = {5, 1, LayerStyle::Event};
    options.layers["p1"] = {lanes, 1, LayerStyle::Event};
    LoopProgram program = llvm::cantFail(loopsOf(module, options));
    auto context = hls::makeSynthesisContext();
    hls::Synthesis made = synthesizeEvents(*context, textOf(*program.module));
    auto found =
        llvm::cantFail(hls::interpret(made.kernel, argumentsFor(program, events).arguments, {}));
    expectSameSpikes(program, found.values, network, {wanted}, fmt::format("{} lanes", lanes));
    double least = double(events.size()) * double(kNeurons / lanes);
    EXPECT_GE(double(found.cycles), least) << lanes;
    EXPECT_LE(double(found.cycles), 1.15 * least + 300) << lanes;
  }
}

/// A place of pixels in every cycle of a step; the interval may be longer where a step has few.
TEST(EventNetwork, EncodersTakeACyclePerPlace) {
  for (uint64_t seed = 6101; seed <= 6108; ++seed) {
    std::string what = fmt::format("seed {}", seed);
    Case one(seed, ChainKind::Pixels, 1 + seed % 3);
    auto context = hls::makeSynthesisContext();
    hls::Synthesis made = synthesizeEvents(*context, textOf(*one.program.module));
    const HardwareLayer &encoder = one.program.layers.front();
    ASSERT_EQ(encoder.name, "input");
    int64_t places = (encoder.neurons + encoder.lanes - 1) / encoder.lanes;
    std::string first; // pipeline
    made.kernel.walk([&](hls::PipelineOp pipeline) {
      if (first.empty() && places > 4) {
        EXPECT_EQ(pipeline.getInterval(), 1u) << what << " " << pipeline.getName().str();
      }
      first = first.empty() ? pipeline.getName().str() : first;
    });
    auto found = hls::interpret(made.kernel, one.arguments.arguments, {});
    ASSERT_TRUE(bool(found)) << what << ": " << toText(found.takeError());
    expectSameSpikes(one.program, found->values, one.network, one.wanted, what);
    const hls::PipelineUse &use = found->pipelines.at(first);
    EXPECT_EQ(int64_t(use.iterations),
              places * one.chain.options.steps * int64_t(one.wanted.size()))
        << what;
    EXPECT_LE(use.iterations + use.withoutToken + use.withoutRoom, found->cycles) << what;
  }
}

TEST(EventNetwork, CircuitsSpikeAsInTheEmulator) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  int windowed = 0; // of two tensor kernels
  for (uint64_t seed : {201, 1201, 2201, 3201, 3203, 4201, 5201, 6201, 7202}) {
    std::string what = fmt::format("seed {}", seed);
    Case one(seed, seed > 7000   ? ChainKind::Counted
                   : seed > 6000 ? ChainKind::Pixels
                   : seed > 5000 ? ChainKind::Maxima
                   : seed > 4000 ? ChainKind::Tensors
                   : seed > 3000 ? ChainKind::Tensor
                   : seed > 2000 ? ChainKind::Direct
                   : seed > 1000 ? ChainKind::Image
                                 : ChainKind::Dense);
    TemporaryFolder folder;
    auto context = hls::makeSynthesisContext();
    std::string text = textOf(*one.program.module);
    hls::Synthesis made = synthesizeEvents(*context, text);
    llvm::cantFail(hls::writeKernelFiles(folder.path(), made, text));
    const hls::Values &inputs = one.arguments;
    hls::CosimOptions options;
    options.in = {folder / "in.npz"};
    llvm::cantFail(hls::writeValues(options.in[0], inputs));
    hls::CosimResult result = llvm::cantFail(hls::cosim(folder.path(), options));
    EXPECT_THAT(result.problems, IsEmpty()) << what;
    auto foreseen = llvm::cantFail(hls::interpret(made.kernel, inputs.arguments, {}));
    expectSameSpikes(one.program, foreseen.values, one.network, one.wanted, what);
    EXPECT_EQ(result.cycles, foreseen.cycles) << what;
    windowed += one.chain.isWindowed && seed < 4000;
  }
  EXPECT_EQ(windowed, 1);
}

/// 785 bits of a step and the end of it in 13 words of 61; 128 lanes and one bit in 3 words of 43.
TEST(EventNetwork, WordsHaveRoomForTheEndOfAStep) {
  using snn_to_loops::EventNumbers, snn_to_loops::SpikeWords;
  SpikeWords inputs = SpikeWords::ofInputs(784), neurons = SpikeWords::ofNeurons(128, 128);
  EXPECT_EQ(inputs.groups, 13);
  EXPECT_EQ(inputs.bits, 61u);
  EXPECT_EQ(EventNumbers::ofElements(inputs).bits(), 10u);
  EXPECT_EQ(neurons.streams, 3);
  EXPECT_EQ(neurons.bits, 43u);
  auto check = [](const SpikeWords &words, const std::string &what) {
    EXPECT_LT(words.markAt(), int64_t(words.bits)) << what;
    EXPECT_LE(words.bits, 64u) << what;
    int64_t next = 0; // elements are neighbours
    for (int64_t word = 0; word < words.words(); ++word) {
      EXPECT_EQ(words.first[size_t(word)], next) << what;
      next += words.inWord(word);
    }
    EXPECT_EQ(next, words.elements) << what;
  };
  for (int64_t count = 1; count < 300; ++count) {
    check(SpikeWords::ofInputs(count), fmt::format("{} inputs", count));
    for (int64_t lanes = 1; lanes <= count; ++lanes)
      check(SpikeWords::ofNeurons(count, lanes), fmt::format("{} by {}", count, lanes));
  }
}

} // namespace
