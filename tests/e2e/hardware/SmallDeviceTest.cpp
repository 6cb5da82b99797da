// A spiking network on a small FPGA: routed, with its weights inside.
#include "core/support/CounterRandom.h"
#include "tests/e2e/Tool.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/Support/Program.h"
#include "gmock/gmock.h"

namespace spindle::test {
namespace {

/// A constant of drawn weights.
std::string drawnMatrix(CounterRandom &draw, uint32_t rows, uint32_t columns) {
  std::string text;
  for (uint32_t row = 0; row < rows; ++row) {
    text += row == 0 ? "[" : ", [";
    for (uint32_t column = 0; column < columns; ++column)
      text += fmt::format("{}{:.4f}", column == 0 ? "" : ", ", draw.uniform() - 0.5);
    text += "]";
  }
  return "dense<[" + text + fmt::format("]> : tensor<{}x{}xf32>", rows, columns);
}

/// 64-32-10 with a rectifier.
std::string network(CounterRandom &draw) {
  return "#id = affine_map<(d0, d1) -> (d0, d1)>\n"
         "func.func @main(%x: tensor<1x64xf32>) -> tensor<1x10xf32> {\n"
         "  %w = arith.constant " +
         drawnMatrix(draw, 64, 32) + "\n  %v = arith.constant " + drawnMatrix(draw, 32, 10) + R"(
  %zero = arith.constant 0.0 : f32
  %hidden = tensor.empty() : tensor<1x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%hidden : tensor<1x32xf32>) -> tensor<1x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<1x64xf32>, tensor<64x32xf32>)
                     outs(%start : tensor<1x32xf32>) -> tensor<1x32xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
       ins(%y : tensor<1x32xf32>) outs(%hidden : tensor<1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %m = arith.maximumf %in, %zero : f32
      linalg.yield %m : f32
  } -> tensor<1x32xf32>
  %classes = tensor.empty() : tensor<1x10xf32>
  %first = linalg.fill ins(%zero : f32) outs(%classes : tensor<1x10xf32>) -> tensor<1x10xf32>
  %z = linalg.matmul ins(%r, %v : tensor<1x32xf32>, tensor<32x10xf32>)
                     outs(%first : tensor<1x10xf32>) -> tensor<1x10xf32>
  return %z : tensor<1x10xf32>
}
)";
}

std::string table(CounterRandom &draw, uint32_t samples) {
  std::string text = "p0";
  for (uint32_t pixel = 1; pixel < 64; ++pixel)
    text += fmt::format(",p{}", pixel);
  text += ",label\n";
  for (uint32_t sample = 0; sample < samples; ++sample) {
    for (uint32_t pixel = 0; pixel < 64; ++pixel)
      text += fmt::format("{},", draw.below(3) == 0 ? draw.below(256) : 0);
    text += fmt::format("{}\n", draw.below(10));
  }
  return text;
}

/// Eight lanes, weights of four bits: the spikes are exact, and the circuit fits an iCE40 HX8K.
TEST(SmallDevice, HasRoomForASpikingNetworkAndItsWeights) {
  CounterRandom draw(4);
  ScratchFolder scratch;
  writeText(scratch / "net.mlir", network(draw));
  writeText(scratch / "data.csv", table(draw, 60));
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
