// Networks of style event whose layers run one after the other: the spikes of the emulator, and no
// layer at work beside another.
#include "dialects/hls/Concurrency.h"
#include "dialects/hls/StoredStreams.h"
#include "dialects/hls/Streams.h"
#include "dialects/hls/interpreter/Interpreter.h"
#include "hw/cosim/Cosim.h"
#include "hw/synthesis/KernelFiles.h"
#include "tests/conversion/snn-to-loops/EventCase.h"
#include "tests/cosim/KernelFolder.h"

#include "llvm/ADT/EquivalenceClasses.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

constexpr auto kCentralised = hls::SystemKind::Centralised;

constexpr ChainKind kKinds[] = {ChainKind::Dense,  ChainKind::Image,   ChainKind::Direct,
                                ChainKind::Tensor, ChainKind::Tensors, ChainKind::Maxima,
                                ChainKind::Pixels, ChainKind::Counted};

std::string nameOf(uint64_t seed, ChainKind kind) {
  return fmt::format("seed {}, kind {}", seed, int(kind));
}

TEST(Centralised, ProgramsEqualTheEmulatorSpikeForSpike) {
  size_t spikes = 0;
  for (ChainKind kind : kKinds)
    for (uint64_t seed = 7001; seed <= 7002 && !HasFailure(); ++seed) {
      std::string what = nameOf(seed, kind);
      EventCase one(seed, kind, 3, kCentralised);
      auto context = hls::makeProgramContext();
      auto parsed = llvm::cantFail(hls::parseProgram(*context, textOf(*one.program.module), what));
      auto found = hls::runGolden(*parsed, "main", one.arguments);
      ASSERT_TRUE(bool(found)) << what << ": " << toText(found.takeError());
      expectSameSpikes(one.program, *found, one.network, one.wanted, what);
      spikes += one.fired();
    }
  EXPECT_GT(spikes, 100u); // else nothing was compared
}

/// The tasks of the loop over samples, in classes that streams join which are no memories: layers.
llvm::EquivalenceClasses<mlir::Operation *> layersOf(hls::TasksOp tasks) {
  llvm::EquivalenceClasses<mlir::Operation *> layers;
  std::map<std::string, mlir::Operation *> writers;
  for (mlir::Operation &task : tasks.getBody().front()) {
    layers.insert(&task);
    task.walk([&](hls::PushOp push) { writers[push.getFifo().str()] = &task; });
    task.walk([&](hls::PopOp pop) {
      auto writer = writers.find(pop.getFifo().str());
      if (writer != writers.end() && !hls::isStored(hls::fifoOf(pop)))
        layers.unionSets(writer->second, &task);
    });
  }
  return layers;
}

/// The least that a sample takes: the slowest process of a layer, and of the next one, and so on.
uint64_t leastCycles(hls::KernelOp kernel, const hls::Interpretation &run, uint64_t samples) {
  hls::RepeatOp repeat;
  kernel.walk([&](hls::RepeatOp found) { repeat = found; });
  auto layers = layersOf(repeat.getTasks());
  std::map<mlir::Operation *, uint64_t> slowest;
  for (mlir::Operation &task : repeat.getTasks().getBody().front()) {
    auto pipeline = llvm::cast<hls::PipelineOp>(task);
    uint64_t own = run.pipelines.at(pipeline.getName().str()).iterations / samples;
    uint64_t &most = slowest[layers.getLeaderValue(&task)];
    most = std::max(most, own * pipeline.getInterval());
  }
  uint64_t sum = 0;
  for (const auto &[layer, cycles] : slowest)
    sum += cycles;
  return sum;
}

/// And a sample like the one before takes as many cycles.
TEST(Centralised, KernelsTakeTheSumOfTheirLayers) {
  for (ChainKind kind :
       {ChainKind::Image, ChainKind::Tensors, ChainKind::Maxima, ChainKind::Pixels}) {
    uint64_t seed = 7101 + uint64_t(kind);
    std::string what = nameOf(seed, kind);
    EventCase one(seed, kind, 1, kCentralised), beside(seed, kind, 1);
    auto context = hls::makeSynthesisContext();
    hls::Synthesis made = synthesizeEvents(*context, textOf(*one.program.module));
    hls::Synthesis apart = synthesizeEvents(*context, textOf(*beside.program.module));
    std::vector<uint64_t> cycles, overlapped;
    for (size_t images : {1, 2, 3}) {
      std::vector<SampleInput> inputs(images, one.inputs.front());
      auto run = [&](hls::Synthesis &kernel, const LoopProgram &program) {
        return llvm::cantFail(
            hls::interpret(kernel.kernel, argumentsFor(program, inputs).arguments, {}));
      };
      hls::Interpretation found = run(made, one.program);
      expectSameSpikes(one.program, found.values, one.network,
                       EmulatedSamples(images, one.wanted.front()), what);
      cycles.push_back(found.cycles);
      overlapped.push_back(run(apart, beside.program).cycles);
      EXPECT_GE(found.cycles, images * leastCycles(made.kernel, found, images)) << what;
    }
    uint64_t period = cycles[2] - cycles[1];
    EXPECT_EQ(cycles[1] - cycles[0], period) << what << ": the same sample again";
    EXPECT_LE(overlapped[2] - overlapped[1], period) << what;
  }
}

TEST(Centralised, CircuitsSpikeAsInTheEmulator) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  EventCase one(7201, ChainKind::Tensors, 3, kCentralised);
  TemporaryFolder folder;
  auto context = hls::makeSynthesisContext();
  std::string text = textOf(*one.program.module);
  hls::Synthesis made = synthesizeEvents(*context, text);
  llvm::cantFail(hls::writeKernelFiles(folder.path(), made, text));
  hls::CosimOptions options;
  options.in = {folder / "in.npz"};
  llvm::cantFail(hls::writeValues(options.in[0], one.arguments));
  hls::CosimResult result = llvm::cantFail(hls::cosim(folder.path(), options));
  EXPECT_THAT(result.problems, IsEmpty());
  auto foreseen = llvm::cantFail(hls::interpret(made.kernel, one.arguments.arguments, {}));
  expectSameSpikes(one.program, foreseen.values, one.network, one.wanted, "");
  EXPECT_EQ(result.cycles, foreseen.cycles);
}

/// Layers of style clock are one after the other as they are.
TEST(Centralised, StyleClockIsNoDataflow) {
  EventCase one(7301);
  CircuitOptions options = one.chain.options;
  options.others.style = LayerStyle::Clock;
  options.layers.clear();
  options.classifies = false;
  options.system = hls::SystemKind::Dataflow;
  auto refused = loopsOf(one.module, options);
  ASSERT_FALSE(bool(refused));
  EXPECT_THAT(toText(refused.takeError()),
              HasSubstr("found system: dataflow in style clock, whose layers run one after the "
                        "other, expected style: event"));
  options.system = kCentralised;
  auto made = loopsOf(one.module, options);
  EXPECT_TRUE(bool(made)) << toText(made.takeError());
}

} // namespace
