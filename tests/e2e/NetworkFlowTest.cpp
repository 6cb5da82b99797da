// Networks described in YAML as a user runs them, most without a data set.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

namespace spindle::test {
namespace {

const char *const kNetwork = R"(
dt: 0.5
populations:
  noise: {source: poisson, size: 20, rate: 100}
  cells: {neuron: lif, size: 100, tau: 20, r: 40, threshold: 1, refractory: 2}
projections:
  - {from: noise, to: cells, connect: {fan_in: 5}, weight: 0.3}
  - {from: cells, to: cells, connect: {probability: 0.1}, weight: {uniform: [-0.2, 0.2]}, delay: 1.5}
)";

class NetworkFlow : public ::testing::Test {
protected:
  void SetUp() override { writeText(scratch / "net.yaml", kNetwork); }
  ToolResult run(const std::string &flow, const std::string &arguments = "") {
    writeText(scratch / "flow.yaml", flow);
    return runTool("run '" + (scratch / "flow.yaml") + "' --out '" + (scratch / "out") + "' " +
                   arguments);
  }
  /// The error of a run that cannot work, without the folder.
  std::string errorOf(const std::string &flow) {
    ToolResult result = run(flow);
    EXPECT_EQ(result.exitCode, 1);
    for (size_t at; (at = result.errors.find(scratch.path + "/")) != std::string::npos;)
      result.errors.erase(at, scratch.path.size() + 1);
    return result.errors;
  }
  ScratchFolder scratch;
};

TEST_F(NetworkFlow, WithoutDataSetGoesTheWholeWay) {
  std::string chip = "\nchip: " + std::filesystem::absolute("configs/chips/mesh-128.yaml").string();
  ToolResult result = run(
      "model: {path: net.yaml}\nemulation: {duration: 200, samples: 4, record_samples: 3}" + chip);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, ::testing::HasSubstr("import    a spiking network"));
  EXPECT_THAT(result.output, ::testing::ContainsRegex("400 steps; [0-9]+ spikes, [0-9.]+ Hz"));
  nlohmann::json snn = readJsonFile(scratch / "out/30-emulation.json");
  EXPECT_EQ(snn["samples"], 4);
  EXPECT_EQ(snn["engine"], "layers");
  EXPECT_TRUE(snn["correct_by_step"].empty());
  EXPECT_GT(snn["spikes"][1], 1000);
  EXPECT_EQ(readJsonFile(scratch / "out/20-snn.json")["steps"], 400);
  nlohmann::json report = readJsonFile(scratch / "out/report.json");
  EXPECT_FALSE(report["snn"].contains("accuracy"));
  EXPECT_TRUE(report.contains("chip"));
  EXPECT_EQ(report["graph"]["neurons"], 120);

  auto first = filesWithoutTiming(scratch / "out");
  ToolResult again = run("model: {path: net.yaml}\nemulation: {steps: 400, samples: 4, "
                         "record_samples: 3, threads: 1}" +
                         chip);
  ASSERT_EQ(again.exitCode, 0) << again.errors;
  auto second = filesWithoutTiming(scratch / "out");
  for (auto *files : {&first, &second})
    files->erase("run.json"); // holds the settings as they were written
  EXPECT_TRUE(second == first);
}

TEST_F(NetworkFlow, SaysWhatDoesNotFit) {
  const std::string digits = "dataset: {format: digits, limit: 3}\n";
  EXPECT_EQ(errorOf("model: {path: net.yaml}\n" + digits),
            "flow.yaml: error: the network drives itself, so that a data set has no effect; leave "
            "out section 'dataset' (emulation.samples: trials)\n");
  EXPECT_EQ(errorOf("model: {path: net.yaml}\nemulation: {steps: 3, duration: 3}"),
            "flow.yaml:2:33: error: duration and steps are both given, expected one of them\n");
  EXPECT_EQ(errorOf("model: {path: net.yaml}\nemulation: {duration: 0.7}"),
            "flow.yaml:2:12: error: duration is 0.7 ms, expected a multiple of a step of 0.5 ms\n");
  EXPECT_EQ(
      errorOf("model: {path: net.yaml, function: f}\n"),
      "flow.yaml:1:35: error: function is a key of MLIR models, a network file holds its own; "
      "leave it out\n");
  std::string model =
      "model: {path: " + std::filesystem::absolute("configs/models/digits-mlp.mlir").string() +
      ", function: main, arguments: " +
      std::filesystem::absolute("configs/models/digits-mlp.npz").string() + "}\n";
  EXPECT_EQ(errorOf(model),
            "flow.yaml: error: section 'dataset' is missing; the stage import needs it\n");
  EXPECT_EQ(errorOf(model + digits + "emulation: {samples: 3}\n"),
            "flow.yaml:3:22: error: samples is the number of trials of a network that drives "
            "itself; with a data set, dataset.limit says how many\n");
  EXPECT_EQ(errorOf(model + "dataset: {format: digits, limit: 3, calibration: {limit: 3}}\n"
                            "emulation: {duration: 3}\n"),
            "flow.yaml: error: emulation.duration is for spiking models; a conversion is made for "
            "emulation.steps\n");
  EXPECT_EQ(errorOf("model: {path: net.yaml}\nemulation: {step_ms: 1}"),
            "flow.yaml:2:22: error: step_ms is dt of the network file; leave it out\n");
  writeText(scratch / "net.yaml",
            "dt: 1\npopulations:\n  x: {source: samples, size: 784}\n  y: {neuron: lif, size: 10, "
            "tau: 20, threshold: 1}\noutput: y\n");
  EXPECT_EQ(errorOf("model: {path: net.yaml}\n"),
            "flow.yaml: error: section 'dataset' is missing; this stage needs it\n");
}

/// A source of listed spikes is none of the neurons whose rate is said.
TEST_F(NetworkFlow, WarnsOfWhatHasNoEffect) {
  writeText(scratch / "net.yaml", R"(
dt: 0.5
populations:
  kick: {source: spikes, size: 2, neurons: [0, 1, 1], times: [0.5, 1, 40]}
  cells: {neuron: if, size: 2, threshold: 1}
projections:
  - {from: kick, to: cells, connect: one_to_one, weight: 1}
  - {from: kick, to: cells, connect: {fan_in: 0}, weight: 1, name: unused}
)");
  ToolResult result = run("model: {path: net.yaml}\nemulation: {duration: 20, record_samples: 1}",
                          "--until emulate");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  for (size_t at; (at = result.errors.find(scratch.path + "/")) != std::string::npos;)
    result.errors.erase(at, scratch.path.size() + 1);
  EXPECT_EQ(result.errors,
            "net.yaml:8:12: warning: projection 'unused' connects nothing, expected a synapse or "
            "more; leave it out or change 'connect'\n"
            "net.yaml:4:62: warning: times go up to 40 ms, but the run ends at 20 ms; the spikes "
            "behind it are left out\n");
  EXPECT_THAT(result.output, ::testing::HasSubstr("40 steps; 2 spikes, 50.00 Hz"));
}

TEST_F(NetworkFlow, WarnsOfAConversionOfWhatSpikes) {
  ToolResult result =
      run("model: {path: net.yaml}\nconversion: {percentile: 99}\nemulation: {steps: 3}",
          "--until import");
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.errors, (scratch / "flow.yaml") +
                               ":2:13: warning: the model spikes already, so that section "
                               "'conversion' has no effect\n");
}

TEST_F(NetworkFlow, SeedOfTheFlowDrawsAnotherNetwork) {
  const std::string until = "--until import";
  ASSERT_EQ(run("model: {path: net.yaml}", until).exitCode, 0);
  std::string one = readText(scratch / "out/10-ann.mlir");
  ASSERT_EQ(run("model: {path: net.yaml, seed: 1}", until).exitCode, 0);
  EXPECT_TRUE(readText(scratch / "out/10-ann.mlir") == one);
  ASSERT_EQ(run("model: {path: net.yaml, seed: 2}", until).exitCode, 0);
  EXPECT_FALSE(readText(scratch / "out/10-ann.mlir") == one);
}

TEST(NetworkFlows, OfTheRepositoryRun) {
  ScratchFolder scratch;
  for (const char *name : {"cuba", "coba"}) {
    ToolResult result =
        runTool(std::string("run configs/flows/vogels-abbott-") + name +
                ".yaml --set emulation.duration=100 --until graph --out '" + scratch.path + "'");
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    nlohmann::json snn = readJsonFile(scratch / "30-emulation.json");
    EXPECT_NEAR(double(snn["synapses"]), 320000, 5 * std::sqrt(320000));
    EXPECT_GT(snn["spikes"][0], 1000);
  }
  ToolResult result = runTool("run configs/flows/digits-lif.yaml --set dataset.limit=20 --out '" +
                              scratch / "digits" + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_TRUE(readJsonFile(scratch / "digits/report.json")["snn"].contains("accuracy"));
}

/// Many synapses are written as bytecode, which the next stages read.
TEST_F(NetworkFlow, ManySynapsesGoThroughTheFiles) {
  writeText(
      scratch / "net.yaml",
      "dt: 1\npopulations:\n  a: {neuron: lif, size: 2000, tau: 20, current: 2, threshold: 1, "
      "initial_membrane: {uniform: [0, 1]}}\nprojections:\n  - {from: a, to: a, connect: "
      "{probability: 0.5}, weight: -0.01}\n");
  auto emulate = [&](const std::string &model) {
    ToolResult result =
        run("model: {" + model + "}\nemulation: {steps: 20, record_samples: 1}", "--until emulate");
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    return readJsonFile(scratch / "out/30-emulation.json")["spikes"];
  };
  auto asRule = emulate("path: net.yaml");
  EXPECT_THAT(readText(scratch / "out/20-snn.mlir"), ::testing::HasSubstr("snn.random"));
  auto asList = emulate("path: net.yaml, list_synapses: true"); // two million: as bytecode
  EXPECT_EQ(readText(scratch / "out/20-snn.mlir").substr(0, 4), "ML\xefR");
  EXPECT_GT(asList[0], 0);
  EXPECT_EQ(asRule, asList);
}

} // namespace
} // namespace spindle::test
