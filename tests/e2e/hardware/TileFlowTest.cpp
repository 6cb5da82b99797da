// Circuits in tiles of a chip: their spikes are the emulator's, their cycles those of cosim, and
// what does not fit is refused.
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "core/network/SpikeTrace.h"
#include "core/support/CounterRandom.h"
#include "tests/e2e/Tool.h"

#include "fmt/format.h"
#include "llvm/Support/Program.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

namespace spindle::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class TileFlow : public ::testing::Test {
protected:
  void SetUp() override {
    if (!llvm::sys::findProgramByName("verilator") || !llvm::sys::findProgramByName("make"))
      GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  }

  ToolResult run(const std::string &more = "", const std::string &command = "run") {
    return runTool(command + " " + flow + " --set dataset.limit=50 --out '" + (scratch / "out") +
                   "' " + more);
  }
  void mustRun(const std::string &more = "", const std::string &command = "run") {
    ToolResult result = run(more, command);
    ASSERT_EQ(result.exitCode, 0) << more << result.output << result.errors;
  }
  nlohmann::json stats() { return readJsonFile(scratch / "out/80-chip.json"); }
  /// Of the simulation alone, one line, behind what is said of stages that other settings made.
  std::string errorOf(const std::string &more) {
    ToolResult result = run(more, "simulate");
    EXPECT_NE(result.exitCode, 0) << more;
    size_t error = result.errors.find(" error: ");
    error = error == std::string::npos ? 0 : result.errors.rfind('\n', error) + 1;
    EXPECT_EQ(std::count(result.errors.begin() + std::ptrdiff_t(error), result.errors.end(), '\n'),
              1)
        << result.errors;
    return result.errors.substr(error);
  }

  SpikeTrace trace() {
    llvm::Expected<SpikeTrace> read = readSpikeTrace(scratch / "out/30-spikes.h5");
    EXPECT_TRUE(bool(read)) << toText(read.takeError());
    return read ? *read : SpikeTrace();
  }
  /// The spikes of a population in the first samples.
  uint64_t spikesOf(const std::string &name, size_t samples) {
    SpikeTrace spikes = trace();
    uint64_t count = 0;
    for (const Population &population : spikes.populations)
      for (size_t sample = 0; population.name == name && sample < samples; ++sample)
        for (const Spike &spike : spikes.recorded[sample])
          count += spike.neuron - population.first < population.size;
    return count;
  }

  std::string flow = "configs/flows/tile-digits.yaml";
  ScratchFolder scratch;
};

/// The layer sits where the mapping has it; every engine carries its packets in the same cycles.
TEST_F(TileFlow, ALayerOfDigitsMlpSpikesAsEmulatedOnEveryEngine) {
  mustRun();
  nlohmann::json circuits = stats()["circuits"];
  ASSERT_EQ(circuits.size(), 1u);
  EXPECT_EQ(circuits[0]["layer"], "dense2");
  EXPECT_EQ(circuits[0]["spikes"], spikesOf("dense2", 10));
  EXPECT_EQ(circuits[0]["packets"], 0); // nobody listens to the last layer
  EXPECT_EQ(circuits[0]["step_cycles"].size(), 80u);
  EXPECT_EQ(stats()["mesh"]["columns"], 4);
  EXPECT_EQ(stats()["mesh"]["rows"], 4);

  std::string tlm = readText(scratch / "out/80-chip.json");
  uint32_t tile = circuits[0]["tile"];
  for (const std::string engine : {"model", "pins"}) {
    mustRun(fmt::format("--set simulation.engine={} --set 'simulation.tiles=[{{at: [{}, {}], rtl: "
                        "90-hardware}}]'",
                        engine, tile % 4, tile / 4),
            "simulate");
    EXPECT_EQ(readText(scratch / "out/80-chip.json"), tlm) << engine;
  }
}

/// A step of a tile begins with a circuit that waits, as a sample of one step does in cosim: then
/// both have the same cycles for the same events.
TEST_F(TileFlow, AStepTakesTheCyclesOfCosim) {
  std::string poisson = "--set emulation.steps=1 --set emulation.encoding=poisson --set "
                        "'fixed_point={weight_bits: 4, membrane_bits: 12}' --set "
                        "conversion.initial_membrane=0.9";
  mustRun(poisson);
  ToolResult compared = runTool("cosim '" + (scratch / "out/90-hardware") + "' --images 10");
  ASSERT_EQ(compared.exitCode, 0) << compared.errors;
  nlohmann::json cosim = readJsonFile(scratch / "out/90-hardware/cosim.json");
  nlohmann::json cycles = stats()["circuits"][0]["circuit_cycles"];
  EXPECT_EQ(cycles, cosim["images"]["latencies"]);
  std::vector<uint64_t> each = cycles;
  EXPECT_GT(*std::max_element(each.begin(), each.end()),
            *std::min_element(each.begin(), each.end())); // they depend on the events
}

TEST_F(TileFlow, WhatDoesNotFitIsRefusedInOneLine) {
  mustRun("--until hardware");
  auto tiles = [&](const std::string &list) { return "--set 'simulation.tiles=" + list + "'"; };
  auto of = [](const std::string &at, const std::string &rtl = "90-hardware") {
    return "{at: " + at + ", rtl: " + rtl + "}";
  };
  llvm::Expected<Mapping> mapping = readMapping(scratch / "out/70-mapping.json");
  ASSERT_TRUE(bool(mapping));
  TileId own = mapping->placements.back().tile, other = mapping->placements.front().tile;
  std::string here = fmt::format("[{}, {}]", own % 4, own / 4);
  std::string elsewhere = fmt::format("[{}, {}]", other % 4, other / 4);

  EXPECT_THAT(errorOf(tiles("[" + of("[4, 0]") + "]")),
              HasSubstr("error: tile [4, 0] is outside the mesh of 4 columns and 4 rows, which "
                        "count from 0"));
  EXPECT_THAT(errorOf(tiles("[" + of("[-1, 0]") + "]")), HasSubstr("tile [-1, 0] is outside"));
  EXPECT_THAT(errorOf(tiles("[" + of("[1]") + "]")),
              HasSubstr("error: found 1 numbers, expected the column and the row of a tile, as at: "
                        "[1, 2]"));
  EXPECT_THAT(errorOf(tiles("[{at: " + here + "}]")), HasSubstr("rtl"));
  EXPECT_THAT(errorOf(tiles("[" + of(here) + ", " + of(here) + "]")),
              HasSubstr("error: tile " + here + " has a circuit already, at "));
  EXPECT_THAT(errorOf(tiles("[" + of(elsewhere) + "]")),
              AllOf(HasSubstr("error: tile " + elsewhere +
                              " holds 1 clusters of 128 columns, 0 of "
                              "them neurons of layer 'dense2', expected one cluster of the 10"),
                    EndsWith("the mapping has them in tile " + here + "\n")));
  EXPECT_THAT(errorOf(tiles("[" + of(here, "configs/flows") + "]")),
              HasSubstr("error: found no hardware.json in "));
  EXPECT_THAT(errorOf(tiles("[" + of(here, "configs/nowhere") + "]")), HasSubstr("nowhere"));
  EXPECT_THAT(errorOf("--set chip=mesh-128"), AllOf(HasSubstr("mesh-128"), HasSubstr("error: ")));

  // A chip that is faster than the circuit, or does not say when a step ends.
  std::string chip = readText("configs/chips/mesh-16-fpga.yaml"), fast = chip;
  fast.replace(fast.find("value: 100\n"), 11, "value: 125\n");
  writeText(scratch / "fast.yaml", fast);
  EXPECT_THAT(
      errorOf("--set chip=" + (scratch / "fast.yaml")),
      HasSubstr("error: the circuit is made for 100 MHz, and the chip 'mesh-16-fpga' runs "
                "at 125 MHz; take another target, or a chip with clock_mhz of at most 100"));
  writeText(scratch / "free.yaml",
            chip + "synchronisation: free\nstep_us: {value: 100, source: \"assumption: test\"}\n");
  EXPECT_THAT(errorOf("--set chip=" + (scratch / "free.yaml")),
              HasSubstr("error: synchronisation is free, and a circuit in a tile has to be told "
                        "when a step ends; use barrier or pipeline"));

  // Circuits of other spikes, without a network interface, or that say another one than they have.
  std::string file = scratch / "out/90-hardware/hardware.json", text = readText(file);
  nlohmann::json hardware = nlohmann::json::parse(text);
  auto with = [&](auto change) {
    nlohmann::json changed = hardware;
    change(changed);
    writeText(file, changed.dump());
    std::string error = errorOf("");
    writeText(file, text);
    return error;
  };
  EXPECT_THAT(with([](auto &json) { json["spikes"] = "0"; }),
              HasSubstr("was made with other spikes than "));
  EXPECT_THAT(with([](auto &json) { json.erase("tile"); }),
              HasSubstr("has no network interface; give hardware.tile: {layer: …} and run the "
                        "stage hardware again"));
  EXPECT_THAT(
      with([](auto &json) { json["tile"]["top"] = "main"; }),
      AllOf(HasSubstr("hardware.json: error: the module has no port '"), EndsWith("put\n")));
  EXPECT_THAT(with([](auto &json) { json["tile"]["top"] = "../x"; }),
              HasSubstr("run the stage hardware again"));
  EXPECT_THAT(with([](auto &json) { json["tile"]["first_input"] = 0; }),
              HasSubstr("drives tile " + here +
                        ", but the circuit takes the spikes of 'dense1' "
                        "alone"));
  // The circuit sends one word a step, so half of the samples have none.
  EXPECT_THAT(with([](auto &json) {
                for (auto &array : json["arrays"])
                  if (array["role"] == "spikes")
                    array["shape"][1] = 2, array["per_word"] = 5, array["first"] = {0, 5};
              }),
              HasSubstr("90-hardware: error: layer 'dense2', sample 5, step 0: found no words that "
                        "go out of the circuit; hardware.json describes another one, run the stage "
                        "hardware again"));
}

TEST_F(TileFlow, CircuitsForTilesAreRefusedByLayer) {
  auto refused = [&](const std::string &more) {
    ToolResult result = run("--until hardware " + more);
    EXPECT_EQ(result.exitCode, 1) << more;
    return result.errors;
  };
  EXPECT_THAT(refused("--set 'hardware.tile={layer: dense3}'"),
              HasSubstr("error: found no population 'dense3' that spikes behind others, expected "
                        "one of dense1, dense2"));
  EXPECT_THAT(refused("--set 'hardware.tile={targets: 2}'"),
              HasSubstr("found no layer, expected the name of a population"));
  EXPECT_THAT(refused("--set hardware.weights=arguments"),
              HasSubstr("error: the circuit reads its weights from outside, expected "
                        "hardware.weights: constants"));
  EXPECT_THAT(refused("--set hardware.style=clock"),
              HasSubstr("error: the circuit takes arrays of spikes, expected a stream of events "
                        "(hardware.style: event)"));
  EXPECT_THAT(
      refused("--set hardware.record=false"),
      HasSubstr("error: the circuit has no spikes to give, expected hardware.record: true"));
}

/// A chain of three layers with drawn weights, each in a crossbar of its own.
class TileChain : public TileFlow {
protected:
  void SetUp() override {
    TileFlow::SetUp();
    CounterRandom random(3);
    const int64_t sizes[] = {64, 24, 24, 10};
    std::string text = "module {\n  func.func @main(%h0: tensor<1x64xf32>) -> tensor<1x10xf32> {\n"
                       "    %z = arith.constant 0.0 : f32\n";
    for (int layer = 1; layer <= 3; ++layer) {
      int64_t in = sizes[layer - 1], out = sizes[layer];
      std::string rows;
      for (int64_t i = 0; i < in * out; ++i)
        rows += fmt::format("{}{}{:.3f}{}", i ? ", " : "", i % out == 0 ? "[" : "",
                            random.uniform() - 0.35, i % out == out - 1 ? "]" : "");
      text += fmt::format(
          "    %w{0} = arith.constant dense<[{1}]> : tensor<{2}x{3}xf32>\n"
          "    %e{0} = tensor.empty() : tensor<1x{3}xf32>\n"
          "    %f{0} = linalg.fill ins(%z : f32) outs(%e{0} : tensor<1x{3}xf32>) -> "
          "tensor<1x{3}xf32>\n"
          "    %s{0} = linalg.matmul ins(%h{4}, %w{0} : tensor<1x{2}xf32>, tensor<{2}x{3}xf32>) "
          "outs(%f{0} : tensor<1x{3}xf32>) -> tensor<1x{3}xf32>\n",
          layer, rows, in, out, layer - 1);
      if (layer < 3)
        text += fmt::format("    %h{0} = linalg.max ins(%s{0}, %f{0} : tensor<1x{1}xf32>, "
                            "tensor<1x{1}xf32>) outs(%e{0} : tensor<1x{1}xf32>) -> "
                            "tensor<1x{1}xf32>\n",
                            layer, out);
    }
    writeText(scratch / "model.mlir", text + "    return %s3 : tensor<1x10xf32>\n  }\n}\n");
    std::string chip = readText("configs/chips/mesh-16-fpga.yaml");
    const std::string crossbar = "rows: 128, columns: 128";
    chip.replace(chip.find(crossbar), crossbar.size(), "rows: 64, columns: 24");
    writeText(scratch / "chip.yaml", chip);
    writeText(
        scratch / "flow.yaml",
        "model: {path: model.mlir, function: main}\n"
        "dataset: {format: digits, seed: 2, limit: 20, scale: 0.00392157, resize: {size: [8, 8], "
        "filter: bilinear}, calibration: {seed: 1, limit: 50}}\n"
        "conversion: {method: percentile, percentile: 99, neuron: if, reset: subtract, "
        "initial_membrane: 0.5, decoding: count}\n"
        "fixed_point: {weight_bits: 5, membrane_bits: 14}\n"
        "emulation: {steps: 6, encoding: poisson, seed: 1, record_samples: 4}\n"
        "chip: chip.yaml\n"
        "partition: {algorithm: first_fit}\n"
        "hardware: {style: event, lanes: 24, weights: constants, tile: {layer: dense2, targets: "
        "2}}\n"
        "simulation: {trace: true, tiles: [{rtl: 90-hardware}]}\n");
    flow = "'" + (scratch / "flow.yaml") + "'";
  }
};

/// Every packet of the tile stands in the trace: one for each spike of the layer, in its step.
TEST_F(TileChain, SpikesOfACircuitTravelToTheNextLayer) {
  mustRun();
  nlohmann::json circuit = stats()["circuits"][0];
  uint64_t spikes = spikesOf("dense2", 4);
  ASSERT_GT(spikes, 50u);
  EXPECT_EQ(circuit["spikes"], spikes);
  EXPECT_EQ(circuit["packets"], spikes); // dense3 is in one tile

  SpikeTrace recorded = trace();
  std::multiset<std::vector<uint64_t>> wanted, found;
  Population layer;
  for (const Population &population : recorded.populations)
    layer = population.name == "dense2" ? population : layer;
  for (uint64_t sample = 0; sample < 4; ++sample)
    for (const Spike &spike : recorded.recorded[sample])
      if (spike.neuron - layer.first < layer.size)
        wanted.insert({sample, spike.step, spike.neuron});
  std::istringstream packets(readText(scratch / "out/80-packets.csv"));
  std::string line;
  std::getline(packets, line);
  while (std::getline(packets, line)) {
    uint64_t id = 0, cycle = 0, neuron = 0, step = 0, sample = 0;
    unsigned source = 0, target = 0, flits = 0;
    char kind[32] = "";
    ASSERT_EQ(sscanf(line.c_str(), "%lu,%lu,%u,%u,%u,%lu,%lu,%31[^,],%lu", &id, &cycle, &source,
                     &target, &flits, &neuron, &step, kind, &sample),
              9)
        << line;
    if (neuron - layer.first < layer.size) {
      EXPECT_EQ(source, circuit["tile"]);
      found.insert({sample, step, neuron});
    }
  }
  EXPECT_EQ(found, wanted);
}

/// Two tiles at the same time, of circuits of two folders, with and without barriers; the first
/// one gets the spikes of the host.
TEST_F(TileChain, TwoCircuitsInAChain) {
  mustRun("--until hardware");
  std::filesystem::create_directories(scratch / "other");
  std::filesystem::copy(scratch / "out/90-hardware", scratch / "other/dense2",
                        std::filesystem::copy_options::recursive);
  std::string both = "--set hardware.tile.layer=dense1 --set 'simulation.tiles=[{rtl: "
                     "90-hardware}, {rtl: " +
                     (scratch / "other/dense2") + "}]'";
  mustRun(both);
  nlohmann::json first = stats();
  ASSERT_EQ(first["circuits"].size(), 2u);
  EXPECT_EQ(first["circuits"][0]["spikes"], spikesOf("dense1", 4));
  EXPECT_EQ(first["circuits"][1]["spikes"], spikesOf("dense2", 4));
  EXPECT_THAT(run(both).output, HasSubstr("simulate  up to date"));

  writeText(scratch / "chip.yaml", readText(scratch / "chip.yaml") + "synchronisation: pipeline\n");
  mustRun(both);
  nlohmann::json pipelined = stats();
  EXPECT_EQ(pipelined["circuits"], first["circuits"]);
  // Without the barrier of each slot: 4 samples of 6 steps, and three more to fill three layers.
  EXPECT_EQ(first["cycles"].get<uint64_t>() - pipelined["cycles"].get<uint64_t>(), 27u * 12);
}

/// A circuit that says the opposite of its lowest neuron.
TEST_F(TileChain, AWrongSpikeIsNamed) {
  mustRun("--until hardware");
  std::string folder = scratch / "out/90-hardware/";
  std::string text = readText(folder + "main_tile.sv");
  size_t at = text.find("wire [23:0] bits = ");
  ASSERT_NE(at, std::string::npos);
  size_t begin = text.find('=', at) + 2, end = text.find(';', at);
  text.replace(begin, end - begin, "(" + text.substr(begin, end - begin) + ") ^ 24'd1");
  writeText(folder + "main_tile.sv", text);
  std::string error = errorOf("");
  EXPECT_THAT(error, ContainsRegex("error: layer 'dense2', neuron 0, sample 0, step 0: found (a "
                                   "spike, expected silence|silence, expected a spike) as in the "
                                   "emulator"));
}

} // namespace
} // namespace spindle::test
