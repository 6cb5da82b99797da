// Loops that data end: as kernels cycle by cycle, and as circuits.
#include "core/support/files/File.h"
#include "hw/hls/lower/PredictCycles.h"
#include "tests/hls/lower/CircuitRun.h"
#include "tests/hls/lower/RandomOpenKernels.h"
#include "tests/hls/lower/ScheduledKernel.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

#include <filesystem>

using namespace spindle;
using namespace spindle::hls;

namespace {

constexpr const char *programs = "tests/kernels/programs/";

/// What the interpreter finds is what the program computes.
std::optional<Interpretation> expectRight(ScheduledKernel &scheduled,
                                          const std::vector<KernelArray> &inputs) {
  Golden golden = llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top));
  auto found = interpret(scheduled.kernel, inputs, unitFunctions());
  if (!found) {
    ADD_FAILURE() << toText(found.takeError());
    return std::nullopt;
  }
  EXPECT_EQ(difference(found->values, llvm::cantFail(golden.run(inputs))), "");
  return std::move(*found);
}

/// Units of which CircuitRun has a model.
bool isModelled(KernelOp kernel) {
  return llvm::all_of(kernel.getOps<UnitOp>(), [](UnitOp unit) {
    return llvm::is_contained(
        {"spindle_muli", "spindle_addf", "spindle_mulf", "spindle_divf", "spindle_cmpf"},
        unit.getModule());
  });
}

/// So does the circuit, in as many cycles, also after a reset in the middle of another run.
void expectSameCircuit(ScheduledKernel &scheduled, const std::vector<KernelArray> &others,
                       const std::vector<KernelArray> &inputs, const Interpretation &expected) {
  mlir::OwningOpRef<mlir::ModuleOp> design = circuitOf(scheduled.kernel, scheduled.top);
  ASSERT_TRUE(design);
  if (!isModelled(scheduled.kernel))
    return;
  for (uint64_t reset : {0, 9}) {
    auto found = runCircuit(*design, scheduled.top, scheduled.kernel, others, reset, 5, inputs,
                            2 * expected.cycles + 100);
    ASSERT_TRUE(bool(found)) << toText(found.takeError());
    EXPECT_EQ(difference(found->values, expected.values), "");
    EXPECT_EQ(found->cycles, expected.cycles);
  }
}

std::vector<std::string> programFiles() {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(programs))
    files.push_back(entry.path().stem().string());
  std::sort(files.begin(), files.end());
  return files;
}

class Programs : public testing::TestWithParam<std::string> {};

TEST_P(Programs, ComputeWhatTheyDo) {
  ScheduledKernel scheduled(llvm::cantFail(readFile(programs + GetParam() + ".mlir")));
  ASSERT_FALSE(HasFailure());
  Golden golden = llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top));
  EXPECT_EQ(predictCycles(scheduled.kernel), std::nullopt);
  for (uint64_t seed : {1, 2, 3})
    if (auto found = expectRight(scheduled, randomArguments(golden, seed)); found && seed == 1)
      expectSameCircuit(scheduled, randomArguments(golden, 4), randomArguments(golden, 1), *found);
}

INSTANTIATE_TEST_SUITE_P(All, Programs, testing::ValuesIn(programFiles()),
                         [](const auto &test) { return test.param; });

TEST(OpenLoops, ComputeWhatRandomProgramsDo) {
  for (uint64_t seed = 0; seed < 60 && !testing::Test::HasFailure(); ++seed) {
    std::string program = randomOpenKernel(seed, 1 + seed % 3);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, program));
    ScheduledKernel scheduled(program);
    ASSERT_FALSE(HasFailure());
    Golden golden = llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top));
    auto found = expectRight(scheduled, randomArguments(golden, seed));
    if (found && seed % 3 == 0)
      expectSameCircuit(scheduled, randomArguments(golden, seed + 1000),
                        randomArguments(golden, seed), *found);
  }
}

} // namespace
