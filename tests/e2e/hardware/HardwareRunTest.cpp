// The folder of a circuit in a run: what it stands on, who works in it, networks of one's own.
#include "tests/e2e/Tool.h"

#include "llvm/Support/Program.h"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace spindle::test {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class HardwareRun : public ::testing::Test {
protected:
  ToolResult run(const std::string &more = "",
                 const std::string &flow = "configs/flows/hw-digits.yaml") {
    return runTool("run '" + flow +
                   "' --set dataset.limit=50 --set emulation.record_samples=3 --out '" +
                   scratch.path + "' " + more);
  }
  void finish() {
    ToolResult result = run();
    ASSERT_EQ(result.exitCode, 0) << result.errors;
  }
  std::string cosim() { return "cosim '" + circuit + "' --images 1"; }
  std::string errorOf(const std::string &arguments) {
    ToolResult result = runTool(arguments);
    EXPECT_EQ(result.exitCode, 1) << result.output;
    return result.errors;
  }

  ScratchFolder scratch;
  std::string circuit = scratch / "90-hardware";
};

TEST_F(HardwareRun, ALostFileIsMadeAgain) {
  finish();
  EXPECT_THAT(run().output, HasSubstr("hardware  up to date"));
  const std::string lost =
      circuit + "/" + readJsonFile(circuit + "/kernel.json")["sources"][0].get<std::string>();
  const std::string text = readText(lost);
  std::filesystem::remove(lost);
  EXPECT_THAT(run().output, Not(HasSubstr("hardware  up to date")));
  EXPECT_EQ(readText(lost), text);
  writeText(circuit + "/weights.npz", "no weights");
  EXPECT_THAT(run().output, Not(HasSubstr("hardware  up to date")));
  writeText(circuit + "/cosim.json", "{}"); // what others put beside them does not count
  EXPECT_THAT(run().output, HasSubstr("hardware  up to date"));
}

TEST_F(HardwareRun, AChangedTargetIsSeen) {
  const std::string target = scratch / "flows/own.yaml", flow = scratch / "flows/flow.yaml";
  const std::string text = readText("configs/targets/zynq-7020-100mhz.yaml");
  writeText(target, text);
  writeText(flow, readText("configs/flows/hw-digits.yaml"));
  const std::string own = "--set hardware.target=own.yaml"; // beside the flow
  ToolResult result = run(own, flow);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(run(own, flow).output, HasSubstr("hardware  up to date"));
  writeText(target, text + "# another one\n");
  EXPECT_THAT(run(own, flow).output,
              AllOf(HasSubstr("emulate   up to date"), Not(HasSubstr("hardware  up to date"))));
  std::filesystem::remove(target);
  EXPECT_THAT(run(own, flow).errors, HasSubstr("own.yaml"));
}

TEST_F(HardwareRun, TargetsAreReadBeforeTheFirstStage) {
  ToolResult result = run("--set hardware.target=nosuch");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, AllOf(HasSubstr("hw-digits.yaml"),
                                   HasSubstr("error: there is no target 'nosuch', expected ")));
  EXPECT_EQ(result.output, "");
  writeText(scratch / "t.yaml", "format: spindle-target\nversion: 1\n");
  result = run("--set hardware.target='" + scratch / "t.yaml" + "'");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("t.yaml"));
  EXPECT_EQ(result.output, "");
}

TEST_F(HardwareRun, OneCommandAtATimeWorksOnACircuit) {
  finish();
  int folder = open(circuit.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_GE(folder, 0);
  ASSERT_EQ(flock(folder, LOCK_EX | LOCK_NB), 0);
  const std::string busy = circuit + ": error: another spindle works in this folder; wait for its "
                                     "end or choose another folder\n";
  EXPECT_EQ(errorOf(cosim()), busy);
  EXPECT_EQ(errorOf("cosim '" + circuit + "'"), busy);
  EXPECT_EQ(errorOf("area '" + circuit + "'"), busy);
  EXPECT_EQ(errorOf("synth '" + circuit + "/original.mlir' --out '" + circuit + "'"), busy);
  ToolResult result = run("--set hardware.layers.dense1.lanes=64");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(result.errors, busy);
  EXPECT_TRUE(std::filesystem::exists(circuit + "/hardware.json"));
  close(folder);
  EXPECT_EQ(run("--set hardware.layers.dense1.lanes=64").exitCode, 0);
}

TEST_F(HardwareRun, NewerSpikesAreNoFaultOfTheCircuit) {
  finish();
  ASSERT_EQ(run("--until emulate --set dataset.limit=40").exitCode, 0);
  EXPECT_THAT(
      errorOf(cosim()),
      EndsWith("30-spikes.h5: error: found other spikes than the circuit was made with; run "
               "the stage hardware again\n"));
  ASSERT_EQ(run("--until emulate --set emulation.steps=4").exitCode, 0);
  EXPECT_THAT(
      errorOf(cosim()),
      EndsWith("30-spikes.h5: error: found 4 steps, expected the 8 of hardware.json; run the "
               "stage hardware again\n"));
}

TEST_F(HardwareRun, PopulationsOfAnotherNameAreNamed) {
  finish();
  nlohmann::json json = readJsonFile(circuit + "/hardware.json");
  for (nlohmann::json &array : json["arrays"])
    if (array["layer"] == "dense2")
      array["layer"] = "nobody";
  writeText(circuit + "/hardware.json", json.dump());
  EXPECT_THAT(
      errorOf(cosim()),
      HasSubstr("hardware.json: error: found no population 'nobody' of 10 neurons among the "
                "recorded spikes; run the stage hardware again"));
}

/// Names that are given twice or not at all; a join, which is two nests.
const char *const kOwnNetwork = R"(
!in = !snn.spike_bundle<784x!snn.spike_train<?xf32>>
!half = !snn.spike_bundle<4x!snn.spike_train<?xf32>>
!both = !snn.spike_bundle<8x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<10x!snn.spike_train<?xf32>>
func.func @main(%x: tensor<784xf32>) -> tensor<10xf32> {
  %w = arith.constant dense<1.0> : tensor<4x784xf32>
  %v = arith.constant dense<2.0> : tensor<10x8xf32>
  %s = snn.encode regular %x : tensor<784xf32> -> !in
  %i = snn.dense %s, %w {layer = "left"} : (!in, tensor<4x784xf32>) -> !snn.current<4xf32>
  %l = snn.fixed_lif %i reset subtract {layer = "left", threshold = array<f32: 150.0>, decay = 0 : i64} : !snn.current<4xf32> -> !half
  %d = snn.delay %i {steps = array<i64: 1>} : !snn.current<4xf32> -> !snn.current<4xf32>
  %r = snn.fixed_lif %d reset subtract {layer = "left", threshold = array<f32: 200.0>, decay = 0 : i64} : !snn.current<4xf32> -> !half
  %c = snn.concat %l, %r {axis = 0 : i64} : (!half, !half) -> !both
  %j = snn.dense %c, %v {layer = "out"} : (!both, tensor<10x8xf32>) -> !snn.current<10xf32>
  %o = snn.fixed_lif %j reset zero {layer = "out", threshold = array<f32: 12.0>, decay = 0 : i64} : !snn.current<10xf32> -> !out
  %y = snn.decode count %o : !out -> tensor<10xf32>
  return %y : tensor<10xf32>
}
)";

TEST_F(HardwareRun, LayersOfAnyNameHaveTheirCyclesAndSpikes) {
  ASSERT_EQ(run("--until convert").exitCode, 0);
  writeText(scratch / "20-snn.mlir", kOwnNetwork);
  ToolResult result = run("--from emulate --set 'hardware={weights: constants}'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  nlohmann::json hardware = readJsonFile(circuit + "/hardware.json");
  uint64_t sum = 0;
  std::map<std::string, uint64_t> cycles;
  for (const nlohmann::json &layer : hardware["layers"])
    if (layer.contains("cycles"))
      sum += cycles[layer["name"]] = layer["cycles"];
  EXPECT_GE(cycles["out"], 8u * 10 * 8) << "steps, neurons and inputs";
  EXPECT_LT(cycles["out"], 8u * 10 * 8 + 50);
  EXPECT_EQ(sum, hardware["predicted_cycles"]); // one after the other

  if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ToolResult compared = runTool(cosim());
  EXPECT_EQ(compared.exitCode, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr("; 1 runs, 0 mismatches"));
}

/// Two events of an element in a step are a value of two, which no wire of one bit carries.
TEST_F(HardwareRun, RepeatedEventsAreRefused) {
  writeText(scratch / "flow.yaml",
            "dataset: {format: events, list: list.txt, bin_ms: 1, steps: 4, shape: [1, 2, 2]}\n"
            "emulation: {steps: 4}\nhardware: {}\n");
  writeText(scratch / "list.txt", "a.csv 0\n");
  writeText(scratch / "a.csv", "t_us,address\n100,0\n200,0\n1500,3\n");
  writeText(scratch / "20-snn.mlir", R"(
!in = !snn.spike_bundle<1x2x2x!snn.spike_train<?xf32>>
!flat = !snn.spike_bundle<4x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
func.func @main(%x: tensor<1x2x2xf32>) -> tensor<2xf32> {
  %w = arith.constant dense<1.0> : tensor<2x4xf32>
  %s = snn.encode events %x : tensor<1x2x2xf32> -> !in
  %f = snn.reshape %s : !in -> !flat
  %i = snn.dense %f, %w {layer = "out"} : (!flat, tensor<2x4xf32>) -> !snn.current<2xf32>
  %o = snn.fixed_lif %i reset zero {layer = "out", threshold = array<f32: 2.0>, decay = 0 : i64} : !snn.current<2xf32> -> !out
  %y = snn.decode count %o : !out -> tensor<2xf32>
  return %y : tensor<2xf32>
}
)");
  auto fromEmulate = [&](const std::string &more) {
    return runTool("run '" + scratch / "flow.yaml" + "' --from emulate --out '" + scratch.path +
                   "' " + more);
  };
  ToolResult result = fromEmulate("");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(
      result.errors,
      HasSubstr("30-spikes.h5: error: an element of the input has up to 2 events in a step, "
                "expected 1, which is what a circuit takes; give dataset.binary: true"));
  result = fromEmulate("--set dataset.binary=true");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
}

} // namespace
} // namespace spindle::test
