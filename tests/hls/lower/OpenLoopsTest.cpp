// Loops that data end: as kernels cycle by cycle, and as circuits.
#include "core/support/files/File.h"
#include "hw/hls/lower/PredictCycles.h"
#include "tests/hls/lower/ExpectRight.h"
#include "tests/hls/lower/RandomOpenKernels.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

#include <filesystem>

using namespace spindle;
using namespace spindle::hls;

namespace {

constexpr const char *programs = "tests/kernels/programs/";

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
  Golden golden =
      llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top, GoldenCode::Plain));
  llvm::StringRef name = GetParam();
  bool isCounted =
      name.starts_with("vector_") ||
      llvm::is_contained({"conv3x3_i16", "fft", "fir_i16", "matmul_i8", "reverse_i8"}, name);
  EXPECT_EQ(predictCycles(scheduled.kernel).has_value(), isCounted); // else data end a loop
  for (uint64_t seed : {1, 2, 3})
    if (auto found = expectRight(scheduled, randomArguments(golden, seed)); found && seed == 1)
      expectSameCircuit(scheduled, randomArguments(golden, 4), randomArguments(golden, 1), *found);
}

INSTANTIATE_TEST_SUITE_P(All, Programs, testing::ValuesIn(programFiles()),
                         [](const auto &test) { return test.param; });

TEST(OpenLoops, ComputeWhatRandomProgramsDo) {
  for (uint64_t seed = 0; seed < 90 && !testing::Test::HasFailure(); ++seed) {
    std::string program = randomOpenKernel(seed, 1 + seed % 3);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, program));
    ScheduledKernel scheduled(program);
    ASSERT_FALSE(HasFailure());
    Golden golden =
        llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top, GoldenCode::Plain));
    auto found = expectRight(scheduled, randomArguments(golden, seed));
    if (found && seed % 3 == 0)
      expectSameCircuit(scheduled, randomArguments(golden, seed + 1000),
                        randomArguments(golden, seed), *found);
  }
}

} // namespace
