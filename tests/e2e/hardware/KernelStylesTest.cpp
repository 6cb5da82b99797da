// Programs as different people write them, made into circuits: the file at the top of each says
// what is special about it. Co-simulation compares every bit with the program as it was written.
#include "tests/cosim/KernelFolder.h"
#include "tests/e2e/Tool.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;

namespace {

struct Style {
  const char *kernel;
  const char *options;
  int64_t atMost; // cycles: what its innermost iterations need one after the other, and a pipeline
};

std::ostream &operator<<(std::ostream &stream, const Style &style) {
  return stream << style.kernel;
}

struct KernelStyles : ::testing::TestWithParam<Style> {};

TEST_P(KernelStyles, BecomesACircuit) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  ToolResult made = runTool(std::string("synth tests/kernels/") + GetParam().kernel +
                            ".mlir --out " + folder.path() + " " + GetParam().options);
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  int64_t predicted = readJsonFile(folder / "kernel.json")["predicted_cycles"];
  EXPECT_LE(predicted, GetParam().atMost);
  ToolResult result = runTool("cosim " + folder.path() + " --runs 2");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_EQ(readJsonFile(folder / "cosim.json")["cycles"], predicted);
}

constexpr int64_t kFill = 24; // cycles of a pipeline to fill and drain
INSTANTIATE_TEST_SUITE_P(
    All, KernelStyles,
    ::testing::Values(Style{"styles/fir", "", 113 * 16 + kFill},
                      Style{"styles/histogram", "", 2 * 64 + kFill}, // load, add, store
                      Style{"styles/bubble_sort", "", 3 * 120 + kFill},
                      Style{"styles/jacobi", "", 2 * 64 + kFill}, // four loads through two ports
                      Style{"styles/attention", "", 2 * 8 * 8 * 16 + 2000}, // 64 slow divisions
                      Style{"styles/axpy", "--bind 0=20", 20 + kFill},
                      Style{"styles/block_maximum", "", 256 + kFill},
                      Style{"styles/norms", "", 4 * 12 + 2 * 80}, // f64 additions, two roots
                      Style{"styles/integers", "", 8 * 100},
                      Style{"styles/whole_indices", "", 64 + 36 + 2 * kFill},
                      Style{"layers/lif", "", 50 * 8 * 32 + kFill}));

} // namespace
