// Random programs through the whole line: what the program computes, in the cycles that were
// predicted, or a refusal that says where.
#include "hw/cosim/Cosim.h"
#include "hw/synthesis/KernelFiles.h"
#include "tests/cosim/KernelFolder.h"
#include "tests/hls/lower/CircuitRun.h"
#include "tests/synthesis/SynthesizedKernel.h"
#include "tests/synthesis/programs/RandomInputs.h"
#include "tests/synthesis/programs/RandomPrograms.h"

#include "gmock/gmock.h"

#include <cstdlib>

using namespace spindle;
using namespace spindle::hls;
using testing::IsEmpty;

namespace {

constexpr unsigned kShards = 20, kPrograms = 2000;

/// SPINDLE_PROGRAMS=20000 runs ten times as many; SPINDLE_SEED=17 this one alone.
unsigned programsOf(const char *variable, unsigned otherwise) {
  const char *given = std::getenv(variable);
  return given ? unsigned(std::atoi(given)) : otherwise;
}

RandomProgramOptions optionsOf(uint64_t seed) {
  constexpr NumberKind kinds[] = {NumberKind::Integers, NumberKind::Any, NumberKind::Floats,
                                  NumberKind::Integers};
  RandomProgramOptions options;
  options.numbers = kinds[seed % 4];
  options.isClosed = seed % 3 == 0;
  options.statements = seed % 5 == 0 ? 5 : 1 + seed % 5 / 2;
  return options;
}

std::vector<uint64_t> factorsOf(uint64_t seed) {
  static const std::vector<uint64_t> factors[] = {{1}, {4}, {2}, {1}, {3}, {2, 2}, {8}};
  return factors[seed % 7];
}

/// Right, or refused with a place; false where it is refused.
bool expectRightOrRefused(uint64_t seed) {
  std::string text = randomProgram(seed, optionsOf(seed));
  SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
  std::string refusal;
  SynthesizedKernel made(text, factorsOf(seed), {}, &refusal);
  if (!made.program) // a fault of the writer, which has been reported
    return false;
  if (!refusal.empty()) {
    EXPECT_THAT(refusal, testing::StartsWith("kernel.mlir:"));
    if (std::getenv("SPINDLE_SEED"))
      fmt::print("{}seed {}: {}\n", text, seed, refusal);
    return false;
  }
  std::vector<GoldenType> types = made.golden().arguments();
  bool runsCircuit = seed % 4 == 0 && hasUnitModels(made.synthesis.kernel);
  expectSynthesizedRight(made, randomInputs(types, seed), randomInputs(types, seed + 1),
                         runsCircuit);
  return true;
}

class Programs : public testing::TestWithParam<unsigned> {};

TEST_P(Programs, ComputeWhatTheyDo) {
  unsigned programs = programsOf("SPINDLE_PROGRAMS", kPrograms), right = 0, tried = 0;
  for (uint64_t seed = GetParam(); seed < programs && !HasFailure(); seed += kShards, ++tried)
    right += expectRightOrRefused(seed);
  EXPECT_GE(right, tried - (tried + 19) / 20); // a twentieth, rounded up
}

INSTANTIATE_TEST_SUITE_P(Shards, Programs, testing::Range(0u, kShards));

/// SPINDLE_SEED=17 runs this one, SPINDLE_SEED=17 SPINDLE_PROGRAMS=50 the ones up to 50.
TEST(ProgramsFrom, ASeedOn) {
  if (!std::getenv("SPINDLE_SEED"))
    GTEST_SKIP() << "SPINDLE_SEED says which";
  unsigned first = programsOf("SPINDLE_SEED", 0), end = programsOf("SPINDLE_PROGRAMS", first + 1);
  for (uint64_t seed = first; seed < end; ++seed)
    expectRightOrRefused(seed);
}

/// Many programs in one circuit.
struct Joined {
  std::string name;
  NumberKind numbers;
  unsigned parts;
};
class JoinedPrograms : public testing::TestWithParam<Joined> {};

TEST_P(JoinedPrograms, ComputeWhatTheyDoUnderVerilator) {
  if (!hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  RandomProgramOptions options;
  options.numbers = GetParam().numbers;
  options.parts = GetParam().parts;
  options.statements = 1;
  options.hasDirectives = false;
  std::string text = randomProgram(7, options);
  SynthesizedKernel made(text, {2});
  ASSERT_FALSE(HasFailure());
  llvm::cantFail(writeKernelFiles(folder.path(), made.synthesis, text));
  llvm::Expected<CosimResult> result = cosim(folder.path(), {});
  ASSERT_TRUE(bool(result)) << toText(result.takeError());
  EXPECT_THAT(result->problems, IsEmpty()) << text;
}

INSTANTIATE_TEST_SUITE_P(Kinds, JoinedPrograms,
                         testing::Values(Joined{"Integers", NumberKind::Integers, 30},
                                         Joined{"Floats", NumberKind::Floats, 10},
                                         Joined{"Mixed", NumberKind::Any, 20}),
                         [](const auto &test) { return test.param.name; });

} // namespace
