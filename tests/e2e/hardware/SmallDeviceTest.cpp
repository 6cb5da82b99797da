// A spiking network on a small FPGA: routed, with its weights inside.
#include "tests/e2e/Tool.h"
#include "tests/e2e/hardware/DrawnNetwork.h"

#include "llvm/Support/Program.h"
#include "gmock/gmock.h"

namespace spindle::test {
namespace {

/// Eight lanes, weights of four bits: the spikes are exact, and the circuit fits an iCE40 HX8K.
TEST(SmallDevice, HasRoomForASpikingNetworkAndItsWeights) {
  CounterRandom draw(4);
  ScratchFolder scratch;
  writeText(scratch / "net.mlir", drawnNetwork(draw));
  writeText(scratch / "data.csv", drawnTable(draw, 60));
  writeText(scratch / "flow.yaml", R"(
model: {path: net.mlir, function: main}
dataset: {format: csv, images: data.csv, scale: 0.00392157, limit: 30,
          calibration: {images: data.csv, skip: 30, limit: 30}}
conversion: {method: percentile, percentile: 99.9, initial_membrane: 0.5, decoding: count}
fixed_point: {weight_bits: 4, membrane_bits: 12}
emulation: {steps: 8, encoding: regular, seed: 1, record_samples: 5}
hardware: {target: ice40-hx8k-25mhz, style: event, weights: constants,
           layers: {dense1: {lanes: 8}, dense2: {lanes: 10}}}
)");
  ToolResult made =
      runTool("run '" + (scratch / "flow.yaml") + "' --out '" + (scratch / "out") + "'");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  std::string folder = scratch / "out/90-hardware";
  if (llvm::sys::findProgramByName("verilator") && llvm::sys::findProgramByName("make")) {
    ToolResult compared = runTool("cosim '" + folder + "' --images 5");
    EXPECT_EQ(compared.exitCode, 0) << compared.errors;
    EXPECT_THAT(compared.output, ::testing::HasSubstr(" 0 mismatches"));
  }
  if (!llvm::sys::findProgramByName("yosys") || !llvm::sys::findProgramByName("nextpnr-ice40"))
    GTEST_SKIP() << "needs the packages yosys and nextpnr-ice40";
  ToolResult counted = runTool("area '" + folder + "' --ice40");
  ASSERT_EQ(counted.exitCode, 0) << counted.errors;
  nlohmann::json routed = readJsonFile(folder + "/area.json")["routed"];
  EXPECT_LE(routed["logic_cells"], 7680);
  EXPECT_LE(routed["memories"], 32);
  EXPECT_GE(routed["clock_mhz"], 45);
}

} // namespace
} // namespace spindle::test
