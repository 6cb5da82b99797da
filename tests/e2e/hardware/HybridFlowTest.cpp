// Flows whose layers spike in part: tensor kernels in front of those that do, behind them, and
// looked for.
#include "tests/e2e/Tool.h"

#include "llvm/Support/Program.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

class HybridFlow : public ::testing::Test {
protected:
  ScratchFolder scratch;
};

/// The first layer is a tensor kernel: the circuit takes pixels, and makes the emulator's spikes.
TEST_F(HybridFlow, TakesPixelsInATensorKernel) {
  std::string command = "run configs/flows/hw-digits-event.yaml --set dataset.limit=200 --set "
                        "emulation.record_samples=4 --set emulation.encoding=direct --set "
                        "'fixed_point={integers: all, weight_bits: 4, membrane_bits: 12}' --out '" +
                        scratch.path + "' ";
  ToolResult made = runTool(command + "--set hardware.layers='{dense1: {as: tensor, lanes: "
                                      "16, inputs: 4}, dense2: {lanes: 5}}'");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  nlohmann::json hardware = readJsonFile(scratch / "90-hardware/hardware.json");
  EXPECT_EQ(hardware["layers"][0]["as"], "tensor");
  EXPECT_EQ(hardware["layers"][0]["lanes"], 16);
  EXPECT_EQ(hardware["layers"][0]["inputs"], 4);
  EXPECT_EQ(hardware["layers"][0]["weight_bits"], 4);
  EXPECT_FALSE(hardware["layers"][1].contains("as"));
  EXPECT_EQ(hardware["arrays"][0]["role"], "pixels");
  EXPECT_EQ(hardware["arrays"][0]["bits"], 32); // four pixels
  EXPECT_TRUE(std::filesystem::exists(scratch / "90-hardware/pixels.npz"));
  auto errorOfLayer = [&](const char *more) {
    ToolResult refused = runTool(command + "--set hardware.layers.dense1.lanes=32 " + more);
    EXPECT_EQ(refused.exitCode, 1) << more;
    return refused.errors;
  };
  EXPECT_THAT(errorOfLayer("--set hardware.layers.dense1.as=matrix"),
              HasSubstr("error: as is 'matrix', expected spiking or tensor"));
  EXPECT_THAT(errorOfLayer("--set hardware.layers.dense2='{as: tensor, lanes: 10}'"),
              HasSubstr("error: layer 'dense2' is to be a tensor kernel (as: tensor), but takes "
                        "spikes, expected pixels: the first layer of weights"));
  EXPECT_THAT(errorOfLayer("--set hardware.layers.dense3.as=tensor"),
              HasSubstr("error: found no layer 'dense3', expected one of dense1, dense2"));
  if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ToolResult compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 3");
  EXPECT_EQ(compared.exitCode, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr("; 6 runs, 0 mismatches"));
  // Eight rounds of 784 pixels, four in a cycle, set the period; when within it an answer comes,
  // the events say.
  int period = 0;
  const auto intervals = readJsonFile(scratch / "90-hardware/cosim.json")["images"]["intervals"]
                             .get<std::vector<int>>();
  ASSERT_EQ(intervals.size(), 2u);
  for (int interval : intervals)
    period += interval;
  EXPECT_LE(period, 2 * 8 * 196 + 100);
}

/// Convolutions and poolings are tensor kernels, each a process: the slowest one, dense3 with four
/// of its 64 neurons at a time, sets the period.
TEST_F(HybridFlow, JoinsTensorKernelsToLayersThatSpike) {
  if (dataFolder().empty())
    GTEST_SKIP() << "no data: set SPINDLE_DATA to the folder with datasets/mnist and models";
  ToolResult made = runTool("run configs/flows/hw-lenet-hybrid.yaml --set dataset.limit=1000 --set "
                            "emulation.record_samples=4 --out '" +
                            scratch.path + "'");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  nlohmann::json report = readJsonFile(scratch / "report.json");
  EXPECT_GE(report["snn"]["accuracy"].get<double>(), 0.98);
  nlohmann::json hardware = readJsonFile(scratch / "90-hardware/hardware.json");
  std::vector<std::string> tensors;
  for (const nlohmann::json &layer : hardware["layers"])
    if (layer.contains("as"))
      tensors.push_back(layer["name"]);
  EXPECT_THAT(tensors, ::testing::ElementsAre("conv1", "pool1", "conv2", "pool2", "dense3"));
  if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ToolResult compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 4");
  EXPECT_EQ(compared.exitCode, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr("; 7 runs, 0 mismatches"));
  nlohmann::json measured = readJsonFile(scratch / "90-hardware/cosim.json");
  for (int interval : measured["images"]["intervals"])
    EXPECT_NEAR(interval, 16 * 256, 100); // within it the events say when an answer comes
}

/// Behind the layer that spikes: its spikes are counted, and a dense layer is a tensor kernel,
/// whose sums are those of the emulator.
TEST_F(HybridFlow, CountsSpikesForTensorLayers) {
  std::string command = "run configs/flows/hw-digits-pixels.yaml --set dataset.limit=200 --set "
                        "emulation.record_samples=4 --set conversion.decoding=membrane --set "
                        "'conversion.tensor=[dense2]' --set 'hardware.layers={input: {lanes: 10}, "
                        "dense1: {lanes: 18}, dense2: {lanes: 5, inputs: 3}}' --out '" +
                        scratch.path + "' ";
  for (bool isClass : {true, false}) {
    ToolResult made = runTool(command + (isClass ? "" : "--set hardware.answer=values"));
    ASSERT_EQ(made.exitCode, 0) << made.errors;
    EXPECT_GE(readJsonFile(scratch / "report.json")["snn"]["accuracy"].get<double>(), 0.95);
    nlohmann::json hardware = readJsonFile(scratch / "90-hardware/hardware.json");
    EXPECT_EQ(hardware["layers"][2]["name"], "dense2");
    EXPECT_EQ(hardware["layers"][2]["as"], "tensor");
    EXPECT_EQ(hardware["arrays"].back()["of"], "sums");
    if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
      GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
    std::string folder = "'" + (scratch / "90-hardware") + "'";
    ToolResult compared = runTool("cosim " + folder + " --images 3");
    EXPECT_EQ(compared.exitCode, 0) << compared.errors;
    EXPECT_THAT(compared.output, HasSubstr(isClass ? " spikes and 3 classes as in the emulator"
                                                   : " spikes and 30 sums that answer as in the "
                                                     "emulator"));
    EXPECT_THAT(compared.output, HasSubstr("; 6 runs, 0 mismatches"));
    std::string answers = scratch / "90-hardware/answers.npz";
    std::filesystem::copy_file(scratch / "90-hardware/pixels.npz", answers,
                               std::filesystem::copy_options::overwrite_existing);
    ToolResult refused = runTool("cosim " + folder + " --images 3");
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(refused.errors, HasSubstr("answers.npz: error: found no 'answers' of 3 samples"));
  }
  // Fewer samples than were recorded.
  ToolResult refused = runTool(command + "--from hardware --set dataset.limit=2");
  EXPECT_EQ(refused.exitCode, 1);
  EXPECT_THAT(refused.errors, HasSubstr("30-spikes.h5: error: has spikes of 4 samples, and the "
                                        "data set holds 2 now; run the stage emulate again, or "
                                        "raise dataset.limit"));
}

/// `as: auto` divides the layers itself: of a perceptron, both spike or the second is a kernel.
TEST_F(HybridFlow, LooksForTheLayersThatSpike) {
  std::string command = "run configs/flows/hw-digits-event.yaml --set dataset.limit=200 --set "
                        "emulation.record_samples=2 --set emulation.encoding=direct --set "
                        "conversion='{method: max, max_loss: 1}' --set hardware.as=auto --set "
                        "hardware.layers='{}' --set hardware.lanes=32 --out '" +
                        scratch.path + "' ";
  ToolResult made = runTool(command + "--set fixed_point.integers=all");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  EXPECT_THAT(made.output, HasSubstr("the best of 2 divisions"));
  nlohmann::json hardware = readJsonFile(scratch / "90-hardware/hardware.json"),
                 kernels = readJsonFile(scratch / "20-snn.json")["kernels"];
  ASSERT_FALSE(kernels.empty());
  EXPECT_EQ(kernels[0]["name"], "dense1"); // the products of the pixels in any case
  for (const nlohmann::json &kernel : kernels)
    for (const nlohmann::json &layer : hardware["layers"])
      if (layer["name"] == kernel["name"]) {
        EXPECT_EQ(layer["as"], "tensor");
        EXPECT_EQ(layer["lanes"], kernel["lanes"]);
      }
  auto errorOf = [&](const std::string &more) { return runTool(command + more).errors; };
  EXPECT_THAT(
      errorOf("--set fixed_point.integers=all --set 'conversion.tensor=[dense2]'"),
      HasSubstr(
          "hw-digits-event.yaml:8:11: error: as: auto looks for the layers that conversion.tensor "
          "names, expected one of both"));
  EXPECT_THAT(
      errorOf(""),
      HasSubstr("hw-digits-event.yaml:8:11: error: as: auto makes tensor kernels, which work "
                "on integers, expected fixed_point.integers: all"));
  EXPECT_THAT(
      errorOf("--set fixed_point.integers=all --set hardware.tile='{layer: dense2}'"),
      HasSubstr(
          "hw-digits-event.yaml:8:11: error: found as: auto beside a tile, whose circuit is one "
          "layer, expected one of both"));
  EXPECT_THAT(errorOf("--set hardware.style=clock"),
              HasSubstr("found auto in style clock, which has no tensor kernels, expected style: "
                        "event"));
  EXPECT_THAT(errorOf("--set fixed_point.integers=all --set dataset.calibration.limit=1"),
              HasSubstr("hardware.as: auto needs two calibration samples or more; raise "
                        "dataset.calibration.limit"));
  EXPECT_THAT(errorOf("--set fixed_point.integers=all --set hardware.budget='{lut: 10}'"),
              HasSubstr("hw-digits-event.yaml:8:11: error: as: auto found no division of 2 layers: "
                        "of 2 tried 0 lose more than 1 points, 2 exceed the budget (the smallest "
                        "needs "));
  EXPECT_THAT(errorOf("--set 'fixed_point={integers: all, weight_bits: auto}'"),
              HasSubstr("as: auto judges networks of given bits, found fixed_point.weight_bits: "
                        "auto, expected a number"));
  EXPECT_THAT(errorOf("--set fixed_point.integers=all --set hardware.layers='{dense2: {style: "
                      "clock}}'"),
              HasSubstr("found layer 'dense2' in style clock beside as: auto, expected style: "
                        "event"));
  EXPECT_THAT(
      errorOf("--set fixed_point.integers=all --set hardware.layers='{dense3: {lanes: 2}}'"),
      HasSubstr("hw-digits-event.yaml:8:11: error: found no layer 'dense3', expected one "
                "of dense1, dense2"));
  ToolResult spiking = runTool("run configs/flows/vogels-abbott-cuba.yaml --until convert --set "
                               "'hardware={target: zynq-7020-100mhz, style: event, as: auto}' "
                               "--out '" +
                               scratch.path + "'");
  EXPECT_THAT(spiking.errors,
              HasSubstr("error: as: auto looks for the layers that are to spike, and those of this "
                        "model do already, expected as: given"));
}

/// One layer after the other, with what counts spikes for a kernel: cycles as foreseen.
TEST_F(HybridFlow, ForeseesTheCyclesOfACentralisedCircuit) {
  if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  std::string command = "run configs/flows/hw-digits-event.yaml --set dataset.limit=200 --set "
                        "emulation.record_samples=20 --set emulation.encoding=direct --set "
                        "conversion='{method: max, max_loss: 1}' --set hardware.as=auto --set "
                        "hardware.lanes=32 --set hardware.system=centralised --set "
                        "fixed_point.integers=all --set hardware.layers='{dense2: {as: tensor}}' "
                        "--out '" +
                        scratch.path + "'";
  ToolResult made = runTool(command);
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  llvm::StringRef foreseen = llvm::StringRef(made.output).split("tensors: dense2; ").second;
  int cycles = 0;
  ASSERT_FALSE(foreseen.consumeInteger(10, cycles)) << made.output;
  EXPECT_TRUE(foreseen.starts_with(" cycles per sample"));
  ToolResult compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 20");
  ASSERT_EQ(compared.exitCode, 0) << compared.errors;
  double measured = 0;
  nlohmann::json images = readJsonFile(scratch / "90-hardware/cosim.json")["images"];
  ASSERT_EQ(images["intervals"].size(), 19u);
  for (int interval : images["intervals"])
    measured += interval / 19.0;
  EXPECT_NEAR(cycles / measured, 1, 0.03);
}

/// Convolutions spike and dense layers are tensor kernels: a LeNet the other way round.
TEST_F(HybridFlow, JoinsLayersThatSpikeToTensorKernels) {
  if (dataFolder().empty())
    GTEST_SKIP() << "no data: set SPINDLE_DATA to the folder with datasets/mnist and models";
  ToolResult made =
      runTool("run configs/flows/hw-lenet-reverse.yaml --set dataset.limit=1000 --set "
              "emulation.record_samples=4 --out '" +
              scratch.path + "'");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  nlohmann::json report = readJsonFile(scratch / "report.json");
  EXPECT_GE(report["snn"]["accuracy"].get<double>(), 0.98);
  if (!std::getenv("SPINDLE_LONG_TESTS"))
    GTEST_SKIP() << "half a minute in Verilator, as smaller circuits of this kind take it too: set "
                    "SPINDLE_LONG_TESTS to run it";
  if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ToolResult compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 4");
  EXPECT_EQ(compared.exitCode, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr(" spikes and 40 sums that answer as in the emulator"));
  EXPECT_THAT(compared.output, HasSubstr("; 7 runs, 0 mismatches"));
}

} // namespace
} // namespace spindle::test
