// Flows with hardware.bus: a spiking network behind AXI, with the emulator's spikes in the cycles
// of the circuit alone.
#include "tests/cosim/KernelFolder.h"
#include "tests/e2e/Tool.h"
#include "tests/e2e/hardware/DrawnNetwork.h"

#include "gmock/gmock.h"

#include <filesystem>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

class BusFlow : public ::testing::Test {
protected:
  BusFlow() {
    CounterRandom draw(4);
    writeText(scratch / "net.mlir", drawnNetwork(draw));
    writeText(scratch / "data.csv", drawnTable(draw, 60));
    writeText(scratch / "flow.yaml", R"(
model: {path: net.mlir, function: main}
dataset: {format: csv, images: data.csv, scale: 0.00392157, limit: 30,
          calibration: {images: data.csv, skip: 30, limit: 30}}
conversion: {method: percentile, percentile: 99.9, initial_membrane: 0.5, decoding: count}
fixed_point: {weight_bits: 4, membrane_bits: 12}
emulation: {steps: 8, encoding: regular, seed: 1, record_samples: 5}
hardware: {style: event, bus: stream, layers: {dense1: {lanes: 8}, dense2: {lanes: 10}}}
)");
  }
  ToolResult run(const std::string &more) {
    return runTool("run '" + (scratch / "flow.yaml") + "' --out '" + (scratch / "out") + "' " +
                   more);
  }
  ToolResult cosim() { return runTool("cosim '" + folder + "' --images 3"); }

  ScratchFolder scratch;
  std::string folder = scratch / "out/90-hardware";
};

/// What verilator says of the wrapper: nothing.
std::string lint(const std::string &folder) {
  std::string log = folder + "/lint.log";
  int status = std::system(("cd '" + folder +
                            "' && verilator --lint-only -Wall -y units --top-module main_axi "
                            "main_axi.sv > lint.log 2>&1")
                               .c_str());
  return status == 0 ? readText(log) : "failed: " + readText(log);
}

/// Weights come over a stream or from a memory, and then stay.
TEST_F(BusFlow, StreamsSamplesThroughAxi) {
  for (const char *bus : {"stream", "memory"}) {
    SCOPED_TRACE(bus);
    ToolResult made = run(std::string("--set hardware.bus=") + bus);
    ASSERT_EQ(made.exitCode, 0) << made.errors;
    nlohmann::json axi = readJsonFile(folder + "/axi.json");
    EXPECT_EQ(axi["data"], bus);
    // Eight steps of two words of spikes, the second with four of 64 bits; eight answers.
    nlohmann::json hardware = readJsonFile(folder + "/hardware.json");
    for (const nlohmann::json &stream : axi["streams"]) {
      std::string name = stream["name"];
      const nlohmann::json &array = hardware["arrays"][std::stoul(name.substr(3))];
      EXPECT_EQ(stream["beats"], array["shape"][0].get<int>() * array["shape"][1].get<int>());
    }
    EXPECT_THAT(readText(folder + "/driver/main_axi.md"), HasSubstr("samples of a run; i16"));
    if (!hls::hasVerilator())
      GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
    EXPECT_EQ(lint(folder), "");
    ToolResult compared = cosim();
    EXPECT_EQ(compared.exitCode, 0) << compared.errors;
    EXPECT_THAT(compared.output, HasSubstr("main_axi: latency "));
    nlohmann::json result = readJsonFile(folder + "/cosim.json");
    EXPECT_EQ(result["bus"]["runs"], 6); // three of them of all samples
    EXPECT_EQ(result["bus"]["mismatches"], 0);
    EXPECT_EQ(result["bus"]["images"], result["images"]); // not a cycle more
    EXPECT_GT(result["bus"]["cycles"], result["cycles"]); // weights and registers
  }
  std::string file = folder + "/axi.json", text = readText(file);
  nlohmann::json longer = nlohmann::json::parse(text);
  longer["streams"][0]["beats"] = longer["streams"][0]["beats"].get<int>() + 1;
  writeText(file, longer.dump());
  EXPECT_THAT(cosim().errors, HasSubstr("main_axi: run 0"));
  longer["streams"][0]["bytes"] = longer["streams"][0]["last_bytes"] = 1;
  writeText(file, longer.dump());
  EXPECT_THAT(cosim().errors,
              ::testing::ContainsRegex("axi.json: error: found no stream 'arg[0-9]+' of 8 bytes, "
                                       "which the kernel needs"));
  // A flow without a bus leaves none of an earlier one.
  writeText(scratch / "plain.yaml",
            readText(scratch / "flow.yaml")
                .replace(readText(scratch / "flow.yaml").find("bus: stream, "), 13, ""));
  ASSERT_EQ(
      runTool("run '" + (scratch / "plain.yaml") + "' --out '" + (scratch / "out") + "'").exitCode,
      0);
  EXPECT_FALSE(std::filesystem::exists(folder + "/axi.json"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/driver"));
}

/// Samples, weights and answers in one memory, over as many masters as one asks for.
TEST_F(BusFlow, SamplesMayLieInMemory) {
  for (int channels : {1, 3}) {
    SCOPED_TRACE(channels);
    ToolResult made =
        run("--set hardware.bus=memory --set hardware.channels=" + std::to_string(channels));
    ASSERT_EQ(made.exitCode, 0) << made.errors;
    nlohmann::json axi = readJsonFile(folder + "/axi.json");
    EXPECT_FALSE(axi.contains("streams"));
    EXPECT_EQ(axi["channels"].size(), size_t(channels));
    EXPECT_THAT(readText(folder + "/driver/main_axi.md"), HasSubstr("address of tokens of "));
    if (!hls::hasVerilator())
      GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
    EXPECT_EQ(lint(folder), "");
    ToolResult compared = cosim();
    EXPECT_EQ(compared.exitCode, 0) << compared.errors;
    EXPECT_THAT(compared.output, HasSubstr("of a memory 20 cycles away"));
    nlohmann::json bus = readJsonFile(folder + "/cosim.json")["bus"];
    EXPECT_EQ(bus["runs"], 6); // three of them of all samples
    EXPECT_EQ(bus["mismatches"], 0);
    EXPECT_EQ(bus["images"]["latencies"].size(), 3u);
    EXPECT_GT(bus["all_samples_cycles"], bus["cycles"]);
  }
  EXPECT_THAT(run("--set hardware.channels=2").errors,
              HasSubstr("channels: error: channels are of a memory, expected bus: memory as well"));
}

TEST_F(BusFlow, RefusesOtherBuses) {
  EXPECT_THAT(run("--set hardware.bus=pcie").errors,
              HasSubstr("error: bus is 'pcie', expected stream or memory"));
  EXPECT_THAT(run("--set 'hardware.tile={layer: dense2}'").errors,
              HasSubstr("error: found a bus beside a tile, whose network interface is the only "
                        "one, expected one of both"));
}

} // namespace
} // namespace spindle::test
