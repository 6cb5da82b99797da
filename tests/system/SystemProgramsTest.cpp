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

struct RandomProgram {
  explicit RandomProgram(uint64_t seed)
      : text(randomSystem(seed, seed % 2)), options(optionsOf(seed)),
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

} // namespace
