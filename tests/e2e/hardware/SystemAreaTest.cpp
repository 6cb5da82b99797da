// What a system of kernels takes, part by part.
#include "tests/e2e/Tool.h"

#include "llvm/Support/Program.h"
#include "gmock/gmock.h"

namespace spindle::test {
namespace {

/// Two products and a third one: three circuits of one kernel, a manager for each, and the copies
/// of two arrays. All that the whole has is in some part.
TEST(SystemArea, CountsKernelsManagersAndMemories) {
  if (!llvm::sys::findProgramByName("yosys"))
    GTEST_SKIP() << "yosys is absent, install the package yosys";
  ScratchFolder scratch;
  std::string folder = "'" + scratch.path + "'";
  ToolResult made = runTool("synth tests/kernels/polybench/8x8-i32/3mm.mlir --system dataflow "
                            "--out " +
                            folder);
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  ToolResult counted = runTool("area " + folder);
  ASSERT_EQ(counted.exitCode, 0) << counted.errors;
  for (const char *part : {"3 of kernel_3mm_0", "3 of kernel_3mm_manager", "memory arg0_copy1_0_b0",
                           "memory arg3_copy1_0_b0", "what joins them"})
    EXPECT_THAT(counted.output, ::testing::HasSubstr("area      " + std::string(part) + ": "));
  nlohmann::json area = readJsonFile(scratch / "area.json");
  EXPECT_EQ(area["parts"].size(), 5u);
  for (const char *kind : {"lut", "ff", "dsp", "bram"}) {
    double sum = 0;
    for (const nlohmann::json &part : area["parts"])
      sum += part[kind].get<double>();
    EXPECT_GE(sum, area[kind].get<double>()) << kind;
  }
}

} // namespace
} // namespace spindle::test
