// Random programs of several nests: outlined, shared and joined to a circuit they compute what they
// did, in the cycles that are predicted.
#include "core/support/CounterRandom.h"
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"
#include "hw/system/OutlineProgram.h"
#include "tests/system/RandomSystems.h"
#include "tests/system/SystemRun.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

/// SPINDLE_PROGRAMS says how many.
uint64_t programsOr(uint64_t usual) {
  const char *wish = std::getenv("SPINDLE_PROGRAMS");
  return wish ? std::strtoull(wish, nullptr, 10) : usual;
}

std::vector<KernelArray> randomValues(const std::vector<GoldenType> &types, uint64_t seed) {
  CounterRandom random(seed, 7);
  std::vector<KernelArray> values;
  for (const GoldenType &type : types) {
    KernelArray value = makeArray(type.type, type.shape);
    for (size_t n = 0; n < value.count(); ++n)
      value.set(n, random() & type.type.mask());
    values.push_back(std::move(value));
  }
  return values;
}

/// Each seed has choices of its own.
SystemOptions optionsOf(uint64_t seed) {
  SystemOptions options;
  options.kind = seed % 3 == 0 ? SystemKind::Centralised : SystemKind::Dataflow;
  options.share = seed % 5 == 1 ? "all" : seed % 5 == 3 ? "none" : "auto";
  options.groups = seed % 7 == 2 ? 3 : 0;
  options.hasInputs = seed % 2;
  options.kernels.top = "kernel";
  options.kernels.loops.unroll = {seed % 11 == 4 ? 2u : 1u};
  return options;
}

SystemOptions streamOptionsOf(uint64_t seed) {
  SystemOptions options = optionsOf(seed);
  options.hasInputs = options.streamsInputs = true;
  options.startsEarly = seed % 4 != 1;
  return options;
}

struct RandomProgram {
  explicit RandomProgram(uint64_t seed)
      : RandomProgram(seed, randomSystem(seed, seed % 2), optionsOf(seed)) {}
  RandomProgram(uint64_t seed, std::string ofText, SystemOptions wanted)
      : text(std::move(ofText)), options(std::move(wanted)),
        program(llvm::cantFail(parseProgram(*context, text, "kernel.mlir"))),
        golden(llvm::cantFail(Golden::compile(*program, "kernel", GoldenCode::Plain))),
        inputs(randomValues(golden.arguments(), seed)),
        expected(llvm::cantFail(golden.run(inputs))) {}

  std::string text;
  SystemOptions options;
  std::unique_ptr<mlir::MLIRContext> context = makeSystemContext();
  mlir::OwningOpRef<mlir::ModuleOp> program;
  Golden golden;
  std::vector<KernelArray> inputs;
  Values expected;
};

TEST(SystemPrograms, OutlinedTheyComputeTheSame) {
  size_t tasks = 0, circuits = 0;
  for (uint64_t seed = 1; seed <= programsOr(20); ++seed) {
    RandomProgram random(seed);
    auto outlined = outlineProgram(*random.program, random.options);
    ASSERT_TRUE(bool(outlined)) << toText(outlined.takeError()) << random.text;
    tasks += outlined->graph.tasks.size();
    circuits += outlined->graph.circuits.size();
    auto functions = llvm::cantFail(kernelFunctions(*outlined->module));
    Golden after = llvm::cantFail(Golden::compile(*functions, "kernel", GoldenCode::Plain));
    EXPECT_EQ(llvm::cantFail(after.run(random.inputs)), random.expected) << "seed " << seed << "\n"
                                                                         << random.text;
  }
  EXPECT_GT(tasks, circuits); // some kernels were equal
}

/// What a Kahn network would compute, computed by circuits: branches, joins, shared circuits and
/// ports, successive inputs.
TEST(SystemPrograms, CircuitsComputeTheSameInTheCyclesPredicted) {
  Target target = llvm::cantFail(readTarget(kDefaultTarget));
  size_t overlapping = 0, excluding = 0;
  for (uint64_t seed = 1; seed <= programsOr(40); ++seed) {
    RandomProgram random(seed);
    auto made = synthesizeSystem(*random.program, target, random.options);
    ASSERT_TRUE(bool(made)) << toText(made.takeError()) << random.text;
    ASSERT_TRUE(made->times);
    uint64_t predicted = made->times->cycles;
    auto run = runSystem(*made->design, made->interface, random.inputs,
                         seed % 4 == 0 ? predicted / 2 + 1 : 0, 2 * predicted);
    ASSERT_TRUE(bool(run)) << "seed " << seed << ": " << toText(run.takeError()) << random.text;
    EXPECT_EQ(run->arguments, random.expected.arguments) << "seed " << seed << "\n" << random.text;
    EXPECT_EQ(run->cycles, predicted) << "seed " << seed << "\n" << random.text;
    uint64_t work = 0;
    for (const TaskSpan &span : made->times->spans)
      work += span.end - span.start;
    overlapping += work > predicted;
    for (const std::vector<uint32_t> &others : made->ports.excludes)
      excluding += !others.empty();
  }
  EXPECT_GT(overlapping, 0u);
  EXPECT_GT(excluding, 0u);
}

/// Tokens of the arguments that are streams in a program.
std::vector<KernelArray> asTokens(const Golden &streams, std::vector<KernelArray> arguments) {
  for (size_t n = 0; n < arguments.size(); ++n)
    if (streams.arguments()[n].isStream)
      arguments[n].shape = {int64_t(arguments[n].count())};
  return arguments;
}

TEST(SystemStreams, OutlinedTheyComputeTheSame) {
  for (uint64_t seed = 1; seed <= programsOr(10); ++seed) {
    RandomProgram random(seed, randomStreams(seed), streamOptionsOf(seed));
    auto outlined = outlineProgram(*random.program, random.options);
    ASSERT_TRUE(bool(outlined)) << toText(outlined.takeError()) << random.text;
    EXPECT_THAT(outlined->remarks, testing::IsEmpty()) << random.text;
    auto functions = llvm::cantFail(kernelFunctions(*outlined->module));
    Golden after = llvm::cantFail(Golden::compile(*functions, "kernel", GoldenCode::Plain));
    size_t streams =
        llvm::count_if(after.arguments(), [](const GoldenType &type) { return type.isStream; });
    EXPECT_GE(streams, 2u) << random.text; // argument 0, argument 3, and 2 where it is read
    std::vector<KernelArray> inputs = asTokens(after, random.inputs);
    for (size_t n = 0; n < inputs.size(); ++n)
      if (n == 3) // written
        inputs[n] = makeArray(inputs[n].type, {0});
    EXPECT_EQ(llvm::cantFail(after.run(inputs)).arguments,
              asTokens(after, random.expected.arguments))
        << "seed " << seed << "\n"
        << random.text;
  }
}

/// Without stalls in the cycles predicted; with them the same elements.
TEST(SystemStreams, CircuitsComputeTheSameWhateverTheStreamsDo) {
  Target target = llvm::cantFail(readTarget(kDefaultTarget));
  size_t overlapping = 0, early = 0;
  for (uint64_t seed = 1; seed <= programsOr(6); ++seed) {
    RandomProgram random(seed, randomStreams(seed), streamOptionsOf(seed));
    auto made = synthesizeSystem(*random.program, target, random.options);
    ASSERT_TRUE(bool(made)) << toText(made.takeError()) << random.text;
    ASSERT_TRUE(made->times);
    uint64_t predicted = made->times->cycles;
    uint32_t stalls = seed % 6 == 3 ? 75 : seed % 3 == 2 ? 50 : 0;
    auto run = runSystem(*made->design, made->interface, random.inputs,
                         seed % 4 == 0 ? predicted / 2 + 1 : 0, 32 * predicted, stalls);
    ASSERT_TRUE(bool(run)) << "seed " << seed << ": " << toText(run.takeError()) << random.text;
    EXPECT_EQ(run->arguments, random.expected.arguments) << "seed " << seed << "\n" << random.text;
    if (stalls == 0) {
      EXPECT_EQ(run->cycles, predicted) << "seed " << seed << "\n" << random.text;
    }
    uint64_t work = 0;
    for (const TaskSpan &span : made->times->spans)
      work += span.end - span.start;
    overlapping += work > predicted;
    for (const TaskOrder &order : made->graph.order) {
      early += order.delay.has_value();
      for (uint32_t task : {order.from, order.to})
        for (const TaskOperand &operand : made->graph.tasks[task].operands)
          EXPECT_FALSE(order.delay && operand.kind == TaskOperand::Kind::Stream) << random.text;
    }
  }
  EXPECT_GT(overlapping, 0u);
  EXPECT_GT(early, 0u);
}

} // namespace
