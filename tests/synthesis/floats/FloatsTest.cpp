// Floating-point numbers of all formats through the whole line: what the program computes, in the
// cycles that were predicted.
#include "core/support/CounterRandom.h"
#include "hw/cosim/Cosim.h"
#include "hw/synthesis/KernelFiles.h"
#include "tests/cosim/KernelFolder.h"
#include "tests/synthesis/SynthesizedKernel.h"
#include "tests/synthesis/floats/RandomFloats.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

#include <cmath>
#include <cstdlib>

using namespace spindle;
using namespace spindle::hls;
using testing::IsEmpty;

namespace {

/// Numbers of all magnitudes that the format has, special ones too; of NaNs the hardware's.
std::vector<KernelArray> randomNumbers(const Golden &golden, uint64_t seed) {
  CounterRandom random(seed, /*substream=*/0x666c6f61);
  std::vector<KernelArray> arguments;
  for (const GoldenType &type : golden.arguments()) {
    KernelArray array = makeArray(type.type, type.shape);
    std::vector<double> values(array.count());
    for (double &value : values) {
      constexpr double special[] = {0, INFINITY, NAN, 65504, 65520, 0x1p-24, 0x1p-133, 3.4e38};
      value = random.below(8) == 0
                  ? special[random.below(8)]
                  : std::ldexp(double(random()) - 0x1p31,
                               int(random.below(4) ? random.below(8) : random.below(80)) - 34);
      if (random.below(2))
        value = -value;
    }
    arguments.push_back(makeFloats(type.type, type.shape, values));
  }
  return arguments;
}

void expectRight(uint64_t seed) {
  std::string text = randomFloats(seed);
  SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
  SynthesizedKernel made(text, {1 + seed % 3});
  ASSERT_FALSE(testing::Test::HasFailure());
  const Golden &golden = made.golden();
  expectSynthesizedRight(made, randomNumbers(golden, seed), randomNumbers(golden, seed + 1), false);
}

/// SPINDLE_PROGRAMS=2000 runs more of them.
TEST(Floats, ComputeWhatRandomProgramsDo) {
  const char *given = std::getenv("SPINDLE_PROGRAMS");
  unsigned programs = given ? unsigned(std::atoi(given)) : 100;
  for (uint64_t seed = 0; seed < programs && !HasFailure(); ++seed)
    expectRight(seed);
}

/// Six programs in one circuit.
TEST(Floats, ComputeWhatRandomProgramsDoUnderVerilator) {
  if (!hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  std::string text = randomFloats(11, 6);
  SynthesizedKernel made(text, {1});
  ASSERT_FALSE(HasFailure());
  llvm::cantFail(writeKernelFiles(folder.path(), made.synthesis, text));
  llvm::Expected<CosimResult> result = cosim(folder.path(), {});
  ASSERT_TRUE(bool(result)) << toText(result.takeError());
  EXPECT_THAT(result->problems, IsEmpty()) << text;
  EXPECT_EQ(result->cycles, made.cycles());
}

} // namespace
