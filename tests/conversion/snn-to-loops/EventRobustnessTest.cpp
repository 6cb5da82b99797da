// Circuits of style event under stalls, resets and other weights, samples back to back; and with
// faults put in: what differs first is named as the emulator has it.
#include "core/support/formats/Npz.h"
#include "dialects/hls/Hls.h"
#include "dialects/hls/interpreter/Interpreter.h"
#include "hw/cosim/Cosim.h"
#include "hw/cosim/samples/SampleMoments.h"
#include "hw/synthesis/KernelFiles.h"
#include "tests/conversion/snn-to-loops/LoopRun.h"
#include "tests/cosim/KernelFolder.h"
#include "tests/emulation/NetworkBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gmock/gmock.h"

#include <bit>

using namespace spindle;
using namespace spindle::test;
using ::testing::IsEmpty;
using ::testing::StartsWith;

namespace {

constexpr int64_t kInputs = 30, kHidden = 20, kClasses = 3, kSteps = 4;

/// 30 inputs, 20 neurons with a lane each (weights of 8 bits: three words of a row), 3 membranes.
struct Perceptron {
  std::vector<float> hidden, output, thresholds;

  explicit Perceptron(uint64_t seed) {
    CounterRandom random(seed, 5);
    for (int64_t n = 0; n < kInputs * kHidden; ++n)
      hidden.push_back(float(random.below(255)) - 127);
    for (int64_t n = 0; n < kHidden * kClasses; ++n)
      output.push_back(float(random.below(255)) - 127);
    for (int64_t n = 0; n < kHidden; ++n)
      thresholds.push_back(float(60 + random.below(80)));
  }

  mlir::ModuleOp build(NetworkBuilder &n) const {
    n.events().dense(kHidden, hidden, {}, "");
    n.population(
        "fixed_lif",
        fmt::format("layer = \"hidden\", reset = #snn<reset subtract>, threshold = "
                    "array<f32: {:.1f}>, initial_membrane = array<f32: 30.0>, decay = 0 : i64, "
                    "membrane_bits = 12 : i64",
                    fmt::join(thresholds, ", ")));
    n.dense(kClasses, output, {}, "");
    n.population("fixed_li", "layer = \"output\", decay = 0 : i64, membrane_bits = 12 : i64");
    return n.decode().finish();
  }
};

/// A perceptron as a program, and the emulator.
struct Subject {
  explicit Subject(const Perceptron &perceptron, bool takesWeights = false)
      : builder({kInputs}), module(perceptron.build(builder)),
        network(llvm::cantFail(readNetwork(module))) {
    CircuitOptions options;
    options.steps = kSteps;
    options.recordsSpikes = true;
    options.takesWeights = takesWeights;
    options.others = {64, 1, LayerStyle::Event};
    program = llvm::cantFail(loopsOf(module, options));
  }

  EmulatedSamples emulate(const std::vector<SampleInput> &inputs) const {
    interpreter::Interpreter<float> interpreter(network);
    std::vector<float> nothing(network.inputs());
    EmulatedSamples made;
    for (const SampleInput &input : inputs)
      made.push_back(llvm::cantFail(interpreter.run(nothing.data(), 0, kSteps, 1, input.events)));
    return made;
  }

  NetworkBuilder builder;
  mlir::ModuleOp module;
  Network network;
  LoopProgram program;
};

std::vector<SampleInput> drawSamples(size_t count, uint64_t seed) {
  CounterRandom random(seed, 6);
  std::vector<SampleInput> samples(count);
  for (SampleInput &sample : samples)
    for (uint32_t step = 0; step < kSteps; ++step)
      for (uint32_t element = 0; element < kInputs; ++element)
        if (random.uniform() < 0.4)
          sample.events.push_back({step, element});
  return samples;
}

/// A circuit of one program, compared with another one, which is what it ought to be.
hls::CosimResult simulateCircuit(const TemporaryFolder &folder, const LoopProgram &circuit,
                                 const LoopProgram &right, const std::vector<hls::Values> &inputs,
                                 const std::vector<uint64_t> &stalls) {
  auto context = hls::makeSynthesisContext();
  auto parsed =
      llvm::cantFail(hls::parseProgram(*context, textOf(*circuit.module), "circuit.mlir"));
  hls::SynthesisOptions options;
  options.loops.unroll = {1};
  hls::Synthesis made = llvm::cantFail(
      hls::synthesize(*parsed, llvm::cantFail(hls::readTarget(hls::kDefaultTarget)), options));
  llvm::cantFail(hls::writeKernelFiles(folder.path(), made, textOf(*right.module)));
  hls::CosimOptions cosim;
  for (const hls::Values &values : inputs) {
    cosim.in.push_back(folder / fmt::format("in{}.npz", cosim.in.size()));
    llvm::cantFail(hls::writeValues(cosim.in.back(), values));
    auto foreseen = llvm::cantFail(hls::interpret(made.kernel, values.arguments, {}));
    if (stalls[cosim.predicted.size()] == 0)
      cosim.predicted.push_back(foreseen.cycles);
  }
  cosim.runs = uint32_t(inputs.size());
  cosim.stalls = stalls;
  cosim.mostCycles = 100000;
  cosim.names = [&](size_t, size_t argument, size_t token, uint64_t bits) {
    return hls::bitName(right.arguments[argument].port, token, unsigned(std::countr_zero(bits)), 0);
  };
  return llvm::cantFail(hls::cosim(folder.path(), cosim));
}

std::vector<HardwareArray> portsOf(const LoopProgram &program) {
  std::vector<HardwareArray> ports;
  for (const ProgramArray &array : program.arguments)
    ports.push_back(array.port);
  return ports;
}

/// The rows of every neuron in another order: the same sums of amounts, so that the circuit holds
/// them.
Perceptron withOtherWeights(Perceptron perceptron) {
  for (int64_t neuron = 0; neuron < kHidden; ++neuron) {
    auto row = perceptron.hidden.begin() + neuron * kInputs;
    std::rotate(row, row + 7, row + kInputs);
  }
  return perceptron;
}

TEST(EventRobustness, StallsResetsAndOtherWeights) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  Perceptron perceptron(1);
  Subject first(perceptron, true), other(withOtherWeights(perceptron), true);
  std::vector<SampleInput> samples = drawSamples(6, 1);
  std::vector<hls::Values> inputs;
  for (const Subject *subject : {&first, &other, &first, &other}) {
    inputs.push_back(argumentsFor(subject->program, samples));
    auto context = hls::makeProgramContext();
    auto parsed =
        llvm::cantFail(hls::parseProgram(*context, textOf(*first.program.module), "network.mlir"));
    hls::Values found =
        llvm::cantFail(hls::runGolden(*parsed, "main", inputs.back(), hls::GoldenCode::Plain));
    expectSameSpikes(first.program, found, subject->network, subject->emulate(samples), "program");
  }
  TemporaryFolder folder;
  // The last run follows one that a reset breaks off between two samples.
  hls::CosimResult result =
      simulateCircuit(folder, first.program, first.program, inputs, {0, 0, 50, 87});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.runs, 4u);
  std::vector<hls::SampleMoments> moments =
      hls::momentsOf(portsOf(first.program), result.streamCycles[0], samples.size());
  ASSERT_EQ(moments.size(), samples.size());
  for (size_t n = 1; n < moments.size(); ++n) // the next sample is on its way before the answer
    EXPECT_LT(moments[n].firstWord, moments[n - 1].answer);
}

/// The name of the first difference between two emulations, at the first port that has one.
std::string differenceOfEmulations(const Subject &right, const EmulatedSamples &faulty,
                                   const EmulatedSamples &wanted) {
  for (const ProgramArray &array : right.program.arguments) {
    if (array.port.role != ArrayRole::Spikes && array.port.role != ArrayRole::Answer)
      continue;
    std::string text = hls::firstDifference(array.port, wantedAt(array.port, right.network, faulty),
                                            wantedAt(array.port, right.network, wanted), 0);
    if (!text.empty())
      return text.substr(0, text.find(": found"));
  }
  return "none";
}

/// The fault is found, and named as the emulator says that it has to show.
void expectFound(const LoopProgram &faulty, const Subject &right,
                 const std::vector<SampleInput> &samples, const EmulatedSamples &faultyRun,
                 const std::string &layer) {
  std::string name = differenceOfEmulations(right, faultyRun, right.emulate(samples));
  EXPECT_THAT(name, ::testing::HasSubstr(layer));
  TemporaryFolder folder;
  hls::CosimResult result =
      simulateCircuit(folder, faulty, right.program, {argumentsFor(right.program, samples)}, {0});
  ASSERT_FALSE(result.problems.empty()) << name;
  EXPECT_THAT(result.problems[0], StartsWith("run 0: " + name + ": arg"));
}

TEST(EventRobustness, ADroppedEventIsNamed) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  Subject right(Perceptron(2)), faulty(Perceptron(2));
  std::vector<SampleInput> samples = drawSamples(3, 2), without = samples;
  constexpr uint32_t kDropped = 11;
  for (SampleInput &sample : without)
    std::erase_if(sample.events, [](const InputEvent &event) { return event.element == kDropped; });
  faulty.program.module->walk([&](hls::WriteOp write) { // never to the events of the first layer
    auto name = llvm::dyn_cast<mlir::NameLoc>(write.getStream().getLoc());
    if (!name || name.getName() != "hidden.events")
      return;
    mlir::OpBuilder builder(write->getParentOp());
    builder.setInsertionPoint(write);
    auto number = mlir::arith::ConstantOp::create(
        builder, write.getLoc(), builder.getIntegerAttr(write.getToken().getType(), kDropped));
    auto isOther = mlir::arith::CmpIOp::create(
        builder, write.getLoc(), mlir::arith::CmpIPredicate::ne, write.getToken(), number);
    auto branch = mlir::scf::IfOp::create(builder, write.getLoc(), isOther, false);
    write->moveBefore(branch.thenYield());
  });
  expectFound(faulty.program, right, samples, right.emulate(without), "layer 'hidden'");
}

TEST(EventRobustness, ASwappedBankIsNamed) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  Perceptron perceptron(3), swapped = perceptron;
  constexpr int64_t kPerWord = 8; // lanes
  std::swap_ranges(swapped.hidden.begin(), swapped.hidden.begin() + kPerWord * kInputs,
                   swapped.hidden.begin() + kPerWord * kInputs);
  Subject right(perceptron), faulty(perceptron), like(swapped);
  std::vector<SampleInput> samples = drawSamples(3, 3);
  std::map<int64_t, mlir::memref::LoadOp> words; // of a row, each in a bank of its own
  faulty.program.module->walk([&](mlir::memref::LoadOp load) {
    auto table = load.getMemRef().getDefiningOp<mlir::memref::GetGlobalOp>();
    auto bank = load->getAttrOfType<mlir::IntegerAttr>(hls::HlsDialect::bankName);
    if (table && table.getName() == "hidden.rows" && bank)
      words[bank.getInt()] = load;
  });
  ASSERT_EQ(words.size(), 3u);
  mlir::Attribute bank = words[0]->getAttr(hls::HlsDialect::bankName);
  mlir::Value position = words[0].getIndices()[1];
  words[0]->setAttr(hls::HlsDialect::bankName, words[1]->getAttr(hls::HlsDialect::bankName));
  words[0].getIndicesMutable()[1].set(words[1].getIndices()[1]);
  words[1]->setAttr(hls::HlsDialect::bankName, bank);
  words[1].getIndicesMutable()[1].set(position);
  expectFound(faulty.program, right, samples, like.emulate(samples), "layer 'hidden'");
}

TEST(EventRobustness, AThresholdThatIsOneTooLargeIsNamed) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  Perceptron perceptron(4), off = perceptron;
  constexpr size_t kNeuron = 13;
  off.thresholds[kNeuron] += 1;
  Subject right(perceptron), faulty(off);
  std::vector<SampleInput> samples = drawSamples(16, 4);
  std::string name = "layer 'hidden', neuron 13";
  expectFound(faulty.program, right, samples, faulty.emulate(samples), name);
}

} // namespace
