// A residual network from its ONNX file to a circuit whose spikes part and meet.
#include "tests/e2e/Tool.h"

#include "llvm/Support/Program.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

TEST(JoinFlow, AResidualNetworkBecomesACircuit) {
  if (dataFolder().empty())
    GTEST_SKIP() << "no data: set SPINDLE_DATA to the folder with datasets and models";
  ScratchFolder scratch;
  ToolResult made = runTool("run configs/flows/hw-resnet.yaml --set dataset.limit=100 --set "
                            "emulation.record_samples=2 --out '" +
                            scratch.path + "'");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  nlohmann::json hardware = readJsonFile(scratch / "90-hardware/hardware.json");
  std::vector<std::string> names;
  for (const auto &layer : hardware["layers"])
    names.push_back(layer["name"]);
  EXPECT_THAT(names, ::testing::ElementsAre("Conv_0", "Conv_2", "Add_6", "Conv_8", "Add_11",
                                            "Gemm_14", "Gemm_16"));
  // Nine banks of sixteen filters: a window of three by three, and one of one by one beside it.
  EXPECT_EQ(hardware["layers"][2]["lanes"], 16);
  EXPECT_EQ(hardware["layers"][4]["neurons"], 16 * 8 * 8);
  // One channel never spikes; it takes no more bits than the others (snn-quantize-weights).
  EXPECT_LE(hardware["layers"][1]["membrane_bits"], 18);
  if (!std::getenv("SPINDLE_LONG_TESTS"))
    GTEST_SKIP() << "the circuit is made; a minute in Verilator, as smaller ones take it too "
                    "(EventJoins): set SPINDLE_LONG_TESTS to run it";
  if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ToolResult compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 2");
  EXPECT_EQ(compared.exitCode, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr(", 0 mismatches"));
}

} // namespace
} // namespace spindle::test
