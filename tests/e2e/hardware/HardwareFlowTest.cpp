// Flows with a section hardware: from a trained network to a circuit with the emulator's spikes.
#include "core/network/SpikeTrace.h"
#include "tests/e2e/Tool.h"

#include "llvm/Support/Program.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <set>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

class HardwareFlow : public ::testing::Test {
protected:
  ToolResult run(const std::string &more = "") {
    return runTool("run configs/flows/hw-digits.yaml --set dataset.limit=200 --set "
                   "emulation.record_samples=4 --out '" +
                   scratch.path + "' " + more);
  }
  /// The error of the stage hardware behind a run of all others.
  std::string errorOf(const std::string &more) {
    ToolResult result = run(more);
    EXPECT_EQ(result.exitCode, 1) << more;
    return result.errors;
  }
  /// Of the first samples.
  uint64_t spikesOfInput(size_t samples) {
    auto trace = llvm::cantFail(readSpikeTrace(scratch / "30-spikes.h5"));
    uint64_t spikes = 0;
    for (const Population &population : trace.populations)
      for (size_t sample = 0; population.name == "input" && sample < samples; ++sample)
        for (const Spike &spike : trace.recorded[sample])
          spikes += spike.neuron - population.first < population.size;
    return spikes;
  }
  ScratchFolder scratch;
};

TEST_F(HardwareFlow, MakesACircuitWithTheSpikesOfTheEmulator) {
  ToolResult made = run();
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  EXPECT_EQ(made.errors, "");
  EXPECT_THAT(made.output, HasSubstr("hardware  2 layers in 8 steps: "));
  nlohmann::json hardware = readJsonFile(scratch / "90-hardware/hardware.json");
  EXPECT_LE(hardware["predicted_cycles"].get<int>(), 6700); // 8 · 784 is 6,272
  EXPECT_EQ(hardware["layers"][0]["lanes"], 128);
  EXPECT_EQ(hardware["layers"][0]["weight_bits"], 4);
  EXPECT_EQ(hardware["layers"][0]["membrane_bits"], 12);
  nlohmann::json report = readJsonFile(scratch / "report.json");
  EXPECT_EQ(report["hardware"]["cycles_per_sample"]["value"], hardware["predicted_cycles"]);
  EXPECT_THAT(run().output, HasSubstr("hardware  up to date"));

  if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ToolResult compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 3");
  EXPECT_EQ(compared.exitCode, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr("cosim     3 samples of 8 steps: all "));
  EXPECT_THAT(compared.output, HasSubstr("; 3 runs, 0 mismatches"));
  nlohmann::json cosim = readJsonFile(scratch / "90-hardware/cosim.json");
  EXPECT_EQ(cosim["cycles"], hardware["predicted_cycles"]);
}

/// Only spikes take cycles: a tenth of those of style clock.
TEST_F(HardwareFlow, EventsTakeFewerCycles) {
  ToolResult made = runTool("run configs/flows/hw-digits-event.yaml --set dataset.limit=200 --set "
                            "emulation.record_samples=4 --out '" +
                            scratch.path + "'");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  EXPECT_THAT(made.output, HasSubstr("hardware  2 layers in 8 steps: cycles depend on the data"));
  nlohmann::json hardware = readJsonFile(scratch / "90-hardware/hardware.json");
  EXPECT_EQ(hardware["layers"][0]["style"], "event");
  EXPECT_EQ(hardware["layers"][0]["lanes"], 128);
  EXPECT_EQ(hardware["layers"][1]["lanes"], 10);
  if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ToolResult compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 3");
  EXPECT_EQ(compared.exitCode, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr(" cycles per sample in a stream"));
  EXPECT_THAT(compared.output, HasSubstr("; 6 runs, 0 mismatches")); // three of all samples
  nlohmann::json cosim = readJsonFile(scratch / "90-hardware/cosim.json");
  EXPECT_LE(cosim["cycles"].get<int>(), 1150);
  ASSERT_EQ(cosim["images"]["latencies"].size(), 3u);
  ASSERT_EQ(cosim["images"]["intervals"].size(), 2u);
  for (int interval : cosim["images"]["intervals"])
    EXPECT_LE(interval, 1150);
  // A spike of the input is an iteration of the first layer, the end of a step another, and one
  // more finds that no sample is left.
  const nlohmann::json &use = cosim["use"];
  std::set<std::string> tasks = hardware["layers"][0]["tasks"];
  std::vector<uint64_t> iterations;
  for (const nlohmann::json &task : use["tasks"]) {
    uint64_t all = task["iterations"].get<uint64_t>() + task["without_token"].get<uint64_t>() +
                   task["without_room"].get<uint64_t>();
    EXPECT_LE(all, use["cycles"]) << task["name"];
    if (tasks.count(task["name"]))
      iterations.push_back(task["iterations"]);
  }
  ASSERT_EQ(iterations.size(), 2u) << "numbers, and the layer that takes them";
  EXPECT_EQ(std::min(iterations[0], iterations[1]), spikesOfInput(3) + 3 * 8 + 1);
  for (const nlohmann::json &fifo : use["fifos"]) {
    EXPECT_LE(fifo["most"].get<int>(), fifo["depth"].get<int>() + 8) << fifo["name"];
    EXPECT_LE(fifo["mean"], fifo["most"]) << fifo["name"];
    bool isPort = fifo["name"].get<std::string>().rfind("arg", 0) == 0;
    EXPECT_EQ(fifo.contains("from") && fifo.contains("to"), !isPort) << fifo["name"];
  }
  // The report has them by layer, and names what makes the int8 ANN.
  ASSERT_EQ(runTool("report '" + scratch.path + "'").exitCode, 0);
  nlohmann::json circuit = readJsonFile(scratch / "report.json")["hardware"];
  EXPECT_EQ(circuit["simulation"]["samples"], 3);
  EXPECT_EQ(circuit["simulation"]["fifos"].size(), use["fifos"].size());
  double busy = circuit["layers"][0]["use"]["busy"];
  EXPECT_GT(busy, 0.5);
  EXPECT_LE(busy, 1);
  EXPECT_THAT(circuit["int8_commands"][0].get<std::string>(),
              HasSubstr("--set 'conversion={tensor: [dense1], decoding: membrane}'"));
}

/// The same network as an ANN of integers, by the command that the report names.
TEST_F(HardwareFlow, TheInt8AnnStandsBesideTheSpikingCircuit) {
  ToolResult made = runTool("run configs/flows/hw-digits-event.yaml --set dataset.limit=200 --set "
                            "emulation.record_samples=2 --out '" +
                            scratch.path + "'");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  std::string command = readJsonFile(scratch / "report.json")["hardware"]["int8_commands"][0];
  ASSERT_EQ(command.rfind("spindle run ", 0), 0u) << command;
  command = command.substr(8);
  command.replace(command.find("DIR/int8-ann"), 3, "'" + scratch.path + "'");
  made = runTool(command);
  ASSERT_EQ(made.exitCode, 0) << command << "\n" << made.errors;
  ASSERT_EQ(runTool("report '" + scratch.path + "'").exitCode, 0);
  nlohmann::json report = readJsonFile(scratch / "report.json"), circuit = report["hardware"];
  for (const nlohmann::json &layer : circuit["int8_ann"]["layers"])
    EXPECT_EQ(layer["as"], "tensor") << layer["name"];
  const nlohmann::json &rows = circuit["comparison"]["rows"];
  ASSERT_GE(rows.size(), 5u);
  EXPECT_EQ(rows[0]["name"], "accuracy");
  EXPECT_EQ(rows[0]["snn"], report["snn"]["accuracy"]);
  EXPECT_NEAR(rows[0]["int8_ann"], report["ann"]["accuracy"], 0.02); // rounded to 8 bits
  if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ToolResult compared = runTool("cosim '" + (scratch / "int8-ann/90-hardware") + "' --images 2");
  EXPECT_EQ(compared.exitCode, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr("20 membranes that answer as in the emulator"));
}

/// The whole way in the circuit, from pixels to the class, with lanes that divide nothing.
TEST_F(HardwareFlow, TakesPixelsAndGivesTheClass) {
  std::string more =
      " --set dataset.limit=200 --set emulation.record_samples=4 --out '" + scratch.path + "' ";
  ToolResult refused = runTool("run configs/flows/hw-digits-event.yaml --set "
                               "hardware.encoder=circuit" +
                               more);
  EXPECT_EQ(refused.exitCode, 1);
  EXPECT_THAT(refused.errors,
              HasSubstr("error: layer 'input' encodes numbers that are not known to be integers, "
                        "expected fixed_point.integers: all (or hardware.encoder: host)"));
  std::string command = "run configs/flows/hw-digits-pixels.yaml --set "
                        "hardware.layers.dense1.lanes=18" +
                        more;
  refused = runTool(command + "--set emulation.encoding=poisson");
  EXPECT_EQ(refused.exitCode, 1);
  EXPECT_THAT(refused.errors,
              HasSubstr("error: layer 'input' is encoded by poisson, which has no circuit, "
                        "expected regular or latency (emulation.encoding), or hardware.encoder: "
                        "host"));
  refused = runTool(command + "--set hardware.tile='{layer: dense2}'");
  EXPECT_THAT(refused.errors,
              HasSubstr("error: found encoder: circuit or answer: class beside a tile, whose layer "
                        "takes and makes spikes, expected one of both"));
  for (const char *decoding : {"count", "membrane"}) {
    ToolResult made = runTool(command +
                              "--set 'emulation.record_membranes=[dense2]' --set "
                              "conversion.decoding=" +
                              decoding);
    ASSERT_EQ(made.exitCode, 0) << made.errors;
    nlohmann::json hardware = readJsonFile(scratch / "90-hardware/hardware.json");
    EXPECT_EQ(hardware["layers"][0]["name"], "input");
    EXPECT_EQ(hardware["layers"][0]["lanes"], 10);
    EXPECT_EQ(hardware["layers"][1]["lanes"], 18);
    std::map<std::string, nlohmann::json> ports;
    for (const nlohmann::json &array : hardware["arrays"])
      ports[array["role"]] = array;
    EXPECT_FALSE(ports.count("input"));
    EXPECT_FALSE(ports.count("answer"));
    EXPECT_EQ(ports.at("pixels")["elements"], 784);
    EXPECT_EQ(ports.at("class")["layer"], "dense2");
    EXPECT_EQ(ports.at("class")["of"], std::string(decoding) == "count" ? "counts" : "membranes");
    if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
      GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
    ToolResult compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 3");
    EXPECT_EQ(compared.exitCode, 0) << compared.errors;
    EXPECT_THAT(compared.output, HasSubstr(" spikes and 3 classes as in the emulator"));
    EXPECT_THAT(compared.output, HasSubstr("; 6 runs, 0 mismatches"));
    // One class is one word, which leaves in the last cycle.
    compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 1");
    EXPECT_EQ(compared.exitCode, 0) << compared.errors;
  }
}

/// Membranes of the last layer are the answer, in both styles; the emulator records them where
/// there is a section hardware.
TEST_F(HardwareFlow, MembranesAnswer) {
  for (const char *flow : {"hw-digits", "hw-digits-event"}) {
    std::string command = std::string("run configs/flows/") + flow +
                          ".yaml --set dataset.limit=200 --set emulation.record_samples=2 --set "
                          "conversion.decoding=membrane --set fixed_point.integers=all --set "
                          "hardware.layers='{}' --set hardware.lanes=32 --out '" +
                          scratch.path + "' ";
    ASSERT_EQ(runTool(command).exitCode, 0);
    nlohmann::json hardware = readJsonFile(scratch / "90-hardware/hardware.json");
    EXPECT_EQ(hardware["arrays"].back()["role"], "answer");
    EXPECT_EQ(hardware["arrays"].back()["layer"], "dense2");
    if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
      GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
    ToolResult compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 2");
    EXPECT_EQ(compared.exitCode, 0) << compared.errors;
    EXPECT_THAT(compared.output, HasSubstr(" spikes and 20 membranes that answer as in the "
                                           "emulator"));
    EXPECT_THAT(compared.output, ::testing::ContainsRegex("; [25] runs, 0 mismatches"));
    std::filesystem::remove(scratch / "30-membranes.h5");
    ToolResult refused = runTool("cosim '" + (scratch / "90-hardware") + "' --images 2");
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(refused.errors,
                HasSubstr("30-membranes.h5: error: found no such file, expected the membranes of "
                          "'dense2', which answer; give emulation.record_membranes: [dense2] and "
                          "run the stages emulate and hardware again"));
    std::filesystem::remove_all(scratch.path);
  }
}

/// Banked at compile time, they cost memories and no cycle.
TEST_F(HardwareFlow, WeightsMayBeConstants) {
  auto predicted = [&] {
    return readJsonFile(scratch / "90-hardware/hardware.json")["predicted_cycles"].get<int>();
  };
  std::string lanes = "--set hardware.layers='{}' --set hardware.lanes=32 ";
  ASSERT_EQ(run(lanes).exitCode, 0);
  int loaded = predicted();
  ASSERT_EQ(run(lanes + "--set hardware.weights=constants").exitCode, 0);
  EXPECT_LE(predicted(), loaded);
  if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ToolResult compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 1");
  EXPECT_EQ(compared.exitCode, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr("; 1 runs, 0 mismatches"));
}

/// Pixels become integers on the host; spikes and answers are the emulator's.
TEST_F(HardwareFlow, TakesNetworksOfIntegersAlone) {
  ToolResult made = run("--set 'fixed_point={integers: all, weight_bits: 4, membrane_bits: 12}' "
                        "--set hardware.layers='{}' --set hardware.lanes=32");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  EXPECT_THAT(readText(scratch / "20-snn.mlir"), HasSubstr("snn.quantize"));
  EXPECT_EQ(readJsonFile(scratch / "90-hardware/hardware.json")["layers"].size(), 2u);
  if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ToolResult compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 1");
  EXPECT_EQ(compared.exitCode, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr("; 1 runs, 0 mismatches"));
}

/// A layer of one neuron has one word per sample: that of the second sample finds room in front of
/// the circuit, in whichever cycle it comes.
TEST_F(HardwareFlow, TakesALayerOfOneNeuron) {
  if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  writeText(scratch / "model.mlir",
            "func.func @main(%x: tensor<1x4xf32>) -> tensor<1x10xf32> {\n"
            "  %z = arith.constant 0.0 : f32\n"
            "  %w = arith.constant dense<[[0.5], [0.25], [-0.25], [0.75]]> : tensor<4x1xf32>\n"
            "  %v = arith.constant dense<[[1.0, -0.5, 0.25, 0.5, 0.75, -1.0, 0.125, 0.0, 2.0, "
            "-2.0]]> : tensor<1x10xf32>\n"
            "  %e = tensor.empty() : tensor<1x1xf32>\n"
            "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>\n"
            "  %s = linalg.matmul ins(%x, %w : tensor<1x4xf32>, tensor<4x1xf32>) outs(%f : "
            "tensor<1x1xf32>) -> tensor<1x1xf32>\n"
            "  %r = linalg.max ins(%s, %f : tensor<1x1xf32>, tensor<1x1xf32>) outs(%e : "
            "tensor<1x1xf32>) -> tensor<1x1xf32>\n"
            "  %g = tensor.empty() : tensor<1x10xf32>\n"
            "  %h = linalg.fill ins(%z : f32) outs(%g : tensor<1x10xf32>) -> tensor<1x10xf32>\n"
            "  %t = linalg.matmul ins(%r, %v : tensor<1x1xf32>, tensor<1x10xf32>) outs(%h : "
            "tensor<1x10xf32>) -> tensor<1x10xf32>\n"
            "  return %t : tensor<1x10xf32>\n}\n");
  const std::string flow =
      "model: {path: model.mlir, function: main}\n"
      "dataset: {format: digits, seed: 2, limit: 20, scale: 0.00392157, resize: {size: [2, "
      "2], filter: bilinear}, calibration: {seed: 1, limit: 50}}\n"
      "conversion: {method: max}\n"
      "fixed_point: {integers: all, weight_bits: 6, membrane_bits: 16}\n"
      "emulation: {steps: 4, encoding: direct, seed: 1, record_samples: 5}\n";
  // The section comes later: what the emulator records changes with it.
  for (const char *section :
       {"", "hardware: {target: zynq-7020-100mhz, lanes: 4, style: event}\n"}) {
    writeText(scratch / "flow.yaml", flow + section);
    ToolResult made =
        runTool("run '" + (scratch / "flow.yaml") + "' --out '" + (scratch / "out") + "'");
    ASSERT_EQ(made.exitCode, 0) << made.errors;
  }
  ToolResult compared = runTool("cosim '" + (scratch / "out/90-hardware") + "' --images 5");
  EXPECT_EQ(compared.exitCode, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr(" 50 membranes that answer as in the emulator"));
}

TEST_F(HardwareFlow, ASpikeTooManyIsNamed) {
  ASSERT_EQ(run().exitCode, 0);
  std::string program = scratch / "90-hardware/original.mlir", text = readText(program);
  size_t place = text.find("arith.cmpi sge");
  ASSERT_NE(place, std::string::npos);
  text.replace(place, 14, "arith.cmpi sgt"); // a threshold that is one too high
  writeText(program, text);
  ToolResult compared = runTool("cosim '" + (scratch / "90-hardware") + "' --images 1");
  EXPECT_EQ(compared.exitCode, 2);
  EXPECT_THAT(compared.errors, ::testing::ContainsRegex(
                                   "error: sample 0, layer 'dense1', neuron [0-9]+, step [0-7]: "
                                   "found silence, expected a spike as in the emulator"));
  ToolResult more = runTool("cosim '" + (scratch / "90-hardware") + "' --images 5");
  EXPECT_EQ(more.exitCode, 1);
  EXPECT_THAT(more.errors, HasSubstr("30-spikes.h5: error: found 4 recorded samples, expected 5; "
                                     "raise emulation.record_samples"));
}

TEST_F(HardwareFlow, WrongOptionsAreRefusedByLayer) {
  EXPECT_THAT(errorOf("--set hardware.layers.dense1.lanes=0"),
              HasSubstr("error: lanes is 0, expected at least 1"));
  EXPECT_THAT(
      errorOf("--set hardware.layers.dense1.style=event"),
      HasSubstr("error: layer 'dense2' has style clock beside layers of style event, expected "
                "one style for all layers"));
  EXPECT_THAT(errorOf("--set hardware.style=events"),
              HasSubstr("error: style is 'events', expected clock or event"));
  EXPECT_THAT(
      errorOf("--set hardware.layers.dense1.style=event --set "
              "hardware.layers.dense1.lanes=129 --set hardware.layers.dense2.style=event"),
      HasSubstr("error: layer 'dense1' has 129 lanes, expected 1 to 128, one for each of its "
                "neurons (style event)"));
  EXPECT_THAT(errorOf("--set hardware.encoder=circuit"),
              HasSubstr("error: found encoder: circuit in style clock, whose spikes come from "
                        "outside, expected style: event"));
  EXPECT_THAT(errorOf("--set hardware.answer=class"),
              HasSubstr("error: found answer: class in style clock, whose answers are values, "
                        "expected style: event"));
  EXPECT_THAT(errorOf("--set hardware.encoder=chip"),
              HasSubstr("error: encoder is 'chip', expected host or circuit"));
  EXPECT_THAT(errorOf("--set hardware.layers.dense1.lanes=129"),
              HasSubstr("error: layer 'dense1' has 129 lanes, expected 1 to 128 (its neurons)"));
  EXPECT_THAT(errorOf("--set hardware.layers.dense3.lanes=1"),
              HasSubstr("error: found no layer 'dense3', expected one of dense1, dense2"));
  EXPECT_THAT(errorOf("--set emulation.encoding=direct"),
              HasSubstr("is encoded directly, which the host computes, expected an encoding in "
                        "spikes (emulation.encoding: regular, poisson or latency)"));
}

} // namespace
} // namespace spindle::test
