// Whole flows: figures of the published networks, identical runs, restarts.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

namespace spindle::test {
namespace {

double number(const nlohmann::json &value) {
  return value.is_object() ? value.at("value").get<double>() : value.get<double>();
}

class Digits : public ::testing::Test {
protected:
  /// Runs the flow that needs no outside file on fewer images.
  ToolResult run(const std::string &folder, const std::string &more = "") {
    return runTool("run configs/flows/digits-mlp.yaml --set dataset.limit=200 --set "
                   "emulation.record_samples=10 --set simulation.samples=2 --out '" +
                   folder + "' " + more);
  }
  ScratchFolder scratch;
};

TEST_F(Digits, EveryStageLeavesItsFilesAndTheReport) {
  ToolResult result = run(scratch.path);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  for (const char *name : {"10-ann.mlir", "20-snn.mlir", "30-spikes.h5", "30-statistics.json",
                           "40-graph.h5", "50-clusters.json", "60-sdf.json", "70-mapping.json",
                           "70-prediction.json", "80-chip.json", "report.json", "report.html"})
    EXPECT_TRUE(std::filesystem::exists(scratch / name)) << name;

  nlohmann::json report = readJsonFile(scratch / "report.json");
  EXPECT_GE(number(report["ann"]["accuracy"]), 0.95);
  EXPECT_EQ(number(report["snn"]["neurons"]), 138);   // 128 + 10; the host encodes
  EXPECT_EQ(number(report["snn"]["synapses"]), 1280); // 128 × 10
  EXPECT_EQ(report["snn"]["accuracy_by_step"].size(), 64u);
  EXPECT_NEAR(number(report["snn"]["accuracy"]), number(report["ann"]["accuracy"]), 0.01);
  EXPECT_EQ(number(report["partition"]["clusters"]), 2);
  const nlohmann::json &chip = report["chip"]["cycles_per_sample"];
  const nlohmann::json &predicted = report["mapping"]["prediction"]["cycles_per_sample"];
  EXPECT_NEAR(number(predicted["value"]) / number(chip["value"]), 1, 0.1);
}

TEST_F(Digits, WarnsOfCalibrationOnTheTestSet) {
  const std::string same = "--until convert --set dataset.calibration.seed=2 ";
  ToolResult result = run(scratch.path, same);
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_THAT(result.errors,
              ::testing::MatchesRegex(
                  ".*digits-mlp.yaml:4:[0-9]+: warning: dataset.calibration.seed and dataset.seed "
                  "name the same samples, 0 to 199: the network is fitted to samples that its "
                  "accuracy is measured on, which makes the accuracy optimistic; take others "
                  "\\(dataset.calibration.skip, or other files\\)\n"));
  result = run(scratch / "others", same + "--set dataset.calibration.skip=200");
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.errors, "");
}

/// Long lists in arrays beside the files, or in them: the same stages after them, to the byte.
TEST_F(Digits, ListsMayBeArrays) {
  const std::filesystem::path json = scratch / "json", arrays = scratch / "arrays";
  ASSERT_EQ(run(json).exitCode, 0);
  const std::string options = "--set partition.lists=hdf5 --set analysis.lists=hdf5";
  ToolResult result = run(arrays, options);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  for (const char *name : {"50-clusters.h5", "60-sdf.h5"}) {
    EXPECT_TRUE(std::filesystem::exists(arrays / name)) << name;
    EXPECT_FALSE(std::filesystem::exists(json / name)) << name;
  }
  for (const char *name :
       {"60-sdf-analysis.json", "70-mapping.json", "70-prediction.json", "80-chip.json"})
    EXPECT_EQ(readText(arrays / name), readText(json / name)) << name;
  // Without the arrays the file is not whole.
  std::filesystem::remove(arrays / "50-clusters.h5");
  result = run(arrays, options + " --from map --until map");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors,
              ::testing::HasSubstr("50-clusters.h5: error: is not there, and 50-clusters.json has "
                                   "its lists in it; keep both files together, or run"));
  result = run(scratch / "other", "--set partition.lists=xml");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, ::testing::HasSubstr("lists is 'xml', expected auto, json or hdf5"));
}

TEST_F(Digits, RunsInFixedPoint) {
  ToolResult result = run(scratch.path, "--until graph --set emulation.encoding=poisson --set "
                                        "'fixed_point={weight_bits: 6, membrane_bits: 16}'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, ::testing::HasSubstr("; weights of 6 bits, membranes of 16"));
  std::string network = readText(scratch / "20-snn.mlir");
  EXPECT_THAT(network, ::testing::HasSubstr("snn.fixed_lif"));
  EXPECT_THAT(network, ::testing::Not(::testing::HasSubstr("snn.if")));
  EXPECT_GE(number(readJsonFile(scratch / "report.json")["snn"]["accuracy"]), 0.93);
}

TEST_F(Digits, RunsInIntegersAlone) {
  ToolResult result = run(scratch.path, "--until graph --set emulation.steps=16 --set "
                                        "'fixed_point={integers: all, weight_bits: {dense1: 5}, "
                                        "membrane_bits: 16}'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output,
              ::testing::ContainsRegex("; weights of various bits, membranes of 16 in dense1.*; "
                                       "bits of weights and accumulators: dense1 5 and [0-9]+, "
                                       "dense2 8 and [0-9]+"));
  std::string network = readText(scratch / "20-snn.mlir");
  for (const char *form : {"snn.quantize", "snn.fixed_lif", "snn.fixed_li "})
    EXPECT_THAT(network, ::testing::HasSubstr(form));
  for (const char *form : {"snn.if", "snn.integrator"})
    EXPECT_THAT(network, ::testing::Not(::testing::HasSubstr(form)));
  EXPECT_GE(number(readJsonFile(scratch / "report.json")["snn"]["accuracy"]), 0.93);
}

TEST_F(Digits, FindsTheFewestBits) {
  ToolResult result = run(scratch.path, "--until emulate --set emulation.steps=16 --set "
                                        "'fixed_point={integers: all, weight_bits: auto, "
                                        "max_loss: 1}'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, ::testing::ContainsRegex("points lost by rounding on 1000 calibration "
                                                      "samples, the best of [0-9]+ widths tried"));
  EXPECT_GE(number(readJsonFile(scratch / "report.json")["snn"]["accuracy"]), 0.92);
}

/// Under direct encoding the first layer stays in f32; too few samples prove nothing, and the
/// search ends with a network all the same.
TEST_F(Digits, SearchesBitsOfWhatBecomesIntegers) {
  const std::string few = "--until convert --set emulation.steps=8 --set "
                          "dataset.calibration.limit=100 --set ";
  ToolResult result =
      run(scratch / "direct", few + "'fixed_point={weight_bits: auto, max_loss: 5}'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, ::testing::ContainsRegex("bits of weights and accumulators: dense2 "));
  EXPECT_THAT(result.output, ::testing::Not(::testing::HasSubstr("not proven")));
  result = run(scratch / "unproven", few + "'fixed_point={integers: all, weight_bits: auto}'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, ::testing::HasSubstr(
                                 "; not proven to be within fixed_point.max_loss, so that weights "
                                 "have the most bits that can be expressed (raise "
                                 "dataset.calibration.limit)"));
}

TEST_F(Digits, WithoutRecordingThereAreCountsRatesAndSpeed) {
  ToolResult result =
      run(scratch.path, "--until emulate --set emulation.record_samples=0 --set emulation.steps=8");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, ::testing::ContainsRegex(
                                 "SNN accuracy [0-9.]+ %; [0-9]+ samples/s, [0-9.e+]+ synaptic "
                                 "events/s; peak memory [0-9]+ MiB"));
  nlohmann::json timing = readJsonFile(scratch / "report.json")["timing"];
  EXPECT_GT(number(timing["peak_memory"]), 1 << 20);
  nlohmann::json emulation = readJsonFile(scratch / "30-emulation.json");
  nlohmann::json statistics = readJsonFile(scratch / "30-statistics.json");
  EXPECT_EQ(statistics["recorded_samples"], 0);
  const nlohmann::json &dense1 = statistics["populations"][0];
  EXPECT_EQ(dense1["intervals"]["count"], 0);
  double places = 128 * number(emulation["steps"]) * number(emulation["samples"]);
  EXPECT_NEAR(number(dense1["rate"]["mean"]), number(emulation["spikes"][0]) / places, 1e-12);
  result = run(scratch.path, "--from graph");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, ::testing::HasSubstr(
                                 "30-spikes.h5: error: holds the spikes of no sample, expected at "
                                 "least one; run emulate with emulation.record_samples of at least "
                                 "1"));
}

TEST_F(Digits, TheOneSpikingLayerCostsTheWholeLoss) {
  // With its analog twin in place of the one population the network is the ANN. In two steps of
  // neurons that start empty much is lost.
  std::string settings =
      "--set emulation.steps=2 --set conversion.initial_membrane=0 --set diagnosis.samples=150";
  ToolResult result = run(scratch.path, settings);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, ::testing::HasSubstr("dense1 costs most"));
  nlohmann::json diagnosis = readJsonFile(scratch / "report.json")["diagnosis"];
  EXPECT_EQ(number(diagnosis["samples"]), 150);
  ASSERT_EQ(diagnosis["layers"].size(), 1u);
  const nlohmann::json &layer = diagnosis["layers"][0];
  EXPECT_EQ(layer["name"], "dense1");
  EXPECT_EQ(diagnosis["costliest_layers"], nlohmann::json::array({"dense1"}));
  EXPECT_GT(number(diagnosis["loss_points"]), 1);
  EXPECT_EQ(number(layer["contribution_points"]), number(diagnosis["loss_points"]));
  EXPECT_GT(number(layer["mean_error"]), 0); // spikes come too late
  EXPECT_NEAR(number(diagnosis["hidden_spike_rate"]), number(layer["spikes_per_neuron"]) / 2, 1e-9);
  // It can be made again by itself, and nothing that does not depend on it is touched.
  auto before = filesWithoutTiming(scratch.path);
  ASSERT_EQ(runTool("diagnose configs/flows/digits-mlp.yaml --set dataset.limit=200 " + settings +
                    " --out '" + scratch.path + "'")
                .exitCode,
            0);
  auto after = filesWithoutTiming(scratch.path);
  for (auto *files : {&before, &after})
    files->erase("run.json"); // this command was given fewer settings
  EXPECT_TRUE(before == after);
}

TEST_F(Digits, AnotherEmulationOutdatesTheDiagnosisOfTheFirst) {
  ASSERT_EQ(run(scratch.path, "--until diagnose").exitCode, 0);
  ASSERT_EQ(run(scratch.path, "--from emulate --until emulate --set emulation.steps=8").exitCode,
            0);
  nlohmann::json report = readJsonFile(scratch / "report.json");
  EXPECT_FALSE(report.contains("diagnosis"));
  EXPECT_EQ(report["outdated"], nlohmann::json::array({"35-diagnosis.json"}));
  // It has the steps of the emulation, whatever the flow says now.
  ASSERT_EQ(run(scratch.path, "--from diagnose --until diagnose").exitCode, 0);
  EXPECT_EQ(number(readJsonFile(scratch / "report.json")["diagnosis"]["steps"]), 8);
}

TEST_F(Digits, WithoutTheSectionThereIsNoStage) {
  std::string text = readText("configs/flows/digits-mlp.yaml");
  std::string section = "diagnosis: {samples: 1000}\n";
  text.erase(text.find(section), section.size());
  writeText(scratch / "flow.yaml", text);
  ToolResult result =
      runTool("run '" + (scratch / "flow.yaml") + "' --until graph --set dataset.limit=20 --out '" +
              scratch.path + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.output, ::testing::Not(::testing::HasSubstr("diagnose")));
  EXPECT_FALSE(std::filesystem::exists(scratch / "35-diagnosis.json"));
  EXPECT_FALSE(readJsonFile(scratch / "report.json").contains("diagnosis"));
}

TEST_F(Digits, TwoRunsAreIdentical) {
  ScratchFolder other;
  ASSERT_EQ(run(scratch.path).exitCode, 0);
  ASSERT_EQ(run(other.path, "--set emulation.threads=1").exitCode, 0);
  auto first = filesWithoutTiming(scratch.path), second = filesWithoutTiming(other.path);
  ASSERT_GE(first.size(), 14u);
  ASSERT_EQ(first.size(), second.size());
  first.erase("run.json"); // names the threads
  for (const auto &[name, bytes] : first)
    EXPECT_TRUE(second[name] == bytes) << name << " differs";
}

TEST_F(Digits, RestartGivesTheSameAsAFullRun) {
  ScratchFolder parts;
  ASSERT_EQ(run(scratch.path).exitCode, 0);
  ASSERT_EQ(run(parts.path, "--until emulate").exitCode, 0);
  EXPECT_FALSE(std::filesystem::exists(parts / "40-graph.h5"));
  EXPECT_TRUE(readJsonFile(parts / "report.json").contains("snn"));
  EXPECT_FALSE(readJsonFile(parts / "report.json").contains("chip"));
  for (const char *stage : {"diagnose", "graph", "partition", "analyze", "map"}) {
    ToolResult result = runTool(std::string(stage) +
                                " configs/flows/digits-mlp.yaml --set dataset.limit=200 --out '" +
                                parts.path + "'");
    ASSERT_EQ(result.exitCode, 0) << stage << ": " << result.errors;
  }
  ASSERT_EQ(run(parts.path, "--from simulate").exitCode, 0);
  auto whole = filesWithoutTiming(scratch.path), pieces = filesWithoutTiming(parts.path);
  ASSERT_EQ(whole.size(), pieces.size());
  whole.erase("run.json"); // some pieces were given fewer settings
  for (const auto &[name, bytes] : whole)
    EXPECT_TRUE(pieces[name] == bytes) << name << " differs";
}

TEST_F(Digits, PoissonEncodingRunsTheWholeFlow) {
  ToolResult result = run(scratch.path, "--set emulation.encoding=poisson");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  nlohmann::json report = readJsonFile(scratch / "report.json");
  EXPECT_EQ(number(report["snn"]["neurons"]), 138); // the host's inputs are none of them
  EXPECT_GT(number(report["snn"]["input_spikes_per_sample"]), 0);
  EXPECT_EQ(number(report["snn"]["synapses"]), 784 * 128 + 1280);
  EXPECT_GE(number(report["snn"]["accuracy"]), 0.85);
}

TEST_F(Digits, ListsComeBackAsTheSameGraph) {
  ASSERT_EQ(run(scratch.path, "--until graph").exitCode, 0);
  std::string lists =
      "--connections '" + (scratch / "c.txt") + "' --spikes '" + (scratch / "s.txt") + "'";
  ASSERT_EQ(runTool("lists export '" + scratch.path + "' " + lists).exitCode, 0);
  ScratchFolder back;
  ToolResult result = runTool("lists import '" + back.path + "' " + lists);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  result = runTool("run configs/flows/digits-mlp.yaml --from partition --out '" + back.path + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  // The lists know no populations: neurons without inputs, driven by the host here, come back as
  // the host's, so that only the 10 answers need columns.
  nlohmann::json there = readJsonFile(scratch / "report.json")["graph"];
  nlohmann::json here = readJsonFile(back / "report.json")["graph"];
  EXPECT_EQ(number(here["synapses"]), number(there["synapses"]));
  EXPECT_EQ(number(here["fan_in_max"]), number(there["fan_in_max"]));
  EXPECT_EQ(number(readJsonFile(back / "report.json")["partition"]["units"]), 10);
}

TEST(FlowDocument, EveryKeyOfItIsUnderstood) {
  std::string page = readText("docs/formats/flow.md");
  size_t start = page.find("```yaml\n") + 8, end = page.find("```", start);
  ScratchFolder scratch;
  writeText(scratch / "flow.yaml", page.substr(start, end - start));
  // Reading the flow comes first; the folder that cannot be made stops it before any work.
  ToolResult result =
      runTool("run '" + (scratch / "flow.yaml") + "' --out '" + (scratch / "flow.yaml/out") + "'");
  EXPECT_EQ(result.exitCode, 1);
  if (dataFolder().empty())
    EXPECT_THAT(result.errors, ::testing::HasSubstr("SPINDLE_DATA"));
  else
    EXPECT_THAT(result.errors, ::testing::HasSubstr("cannot make this folder"));
}

struct Published {
  const char *name;
  const char *flow;
  const char *settings;
  double accuracy;
};

void PrintTo(const Published &published, std::ostream *stream) { *stream << published.name; }

class PublishedAccuracy : public ::testing::TestWithParam<Published> {};

/// references.md, trained networks: measured in float on the 10,000 MNIST test images.
TEST_P(PublishedAccuracy, OfTheAnnIsReproduced) {
  if (dataFolder().empty())
    GTEST_SKIP() << "no data: set SPINDLE_DATA to the folder with datasets/mnist and models";
  ScratchFolder scratch;
  ToolResult result = runTool(std::string("run ") + GetParam().flow + " --until import " +
                              GetParam().settings + " --out '" + scratch.path + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  nlohmann::json report = readJsonFile(scratch / "report.json");
  EXPECT_NEAR(number(report["ann"]["accuracy"]), GetParam().accuracy, 0.0001001);
}

const char *const kMlp = "configs/flows/mnist-mlp.yaml";
const char *const kLenet = "configs/flows/mnist-lenet.yaml";
INSTANTIATE_TEST_SUITE_P(
    Networks, PublishedAccuracy,
    ::testing::Values(
        Published{"own_mlp", kMlp, "", 0.9777}, Published{"heir_lenet", kLenet, "", 0.9816},
        Published{
            "heir_mnist_mlp", kMlp,
            "--set model.path=models/mlir/heir_mnist_mlp.mlir --set model.function=mnist --set "
            "model.arguments=models/npz/heir_mnist_mlp_weights.npz --set dataset.mean=0.1307 "
            "--set dataset.std=0.3081",
            0.9816},
        Published{"vnn_256x2", kMlp, "--set 'model={path: models/onnx/vnn_mnist-net_256x2.onnx}'",
                  0.9808},
        Published{"vnn_256x4", kMlp, "--set 'model={path: models/onnx/vnn_mnist-net_256x4.onnx}'",
                  0.9764},
        Published{"ccoltong_custom", kMlp,
                  "--set 'model={path: models/onnx/ccoltong_custom.onnx}' --set "
                  "dataset.mean=0.1307 --set dataset.std=0.3081",
                  0.9708},
        Published{"zhaochenxiang_lenet", kLenet,
                  "--set 'model={path: models/onnx/zhaochenxiang_lenet.onnx}' --set "
                  "dataset.scale=1 --set dataset.mean=0 --set dataset.std=1 --set dataset.pad=0 "
                  "--set 'dataset.resize={size: [32, 32], filter: bilinear}'",
                  0.9893},
        Published{"zoo_mnist", kMlp,
                  "--set 'model={path: models/onnx/zoo_mnist-12.onnx}' --set dataset.scale=1",
                  0.9891},
        Published{"ccoltong_lenet", kMlp,
                  "--set 'model={path: models/onnx/ccoltong_lenet.onnx}' --set "
                  "dataset.mean=0.1307 --set dataset.std=0.3081",
                  0.9913},
        Published{"vnn_maxpool", kMlp,
                  "--set 'model={path: models/onnx/vnn_mnist_Convnet_maxpool.onnx}'", 0.9792},
        Published{"wuhan_mnist", kMlp, "--set 'model={path: models/onnx/wuhan_mnist-lg.onnx}'",
                  0.9032},
        Published{"spinemap_lenet", kMlp, "--set 'model={path: workloads/spinemap_lenet/lenet.h5}'",
                  0.9820},
        Published{"vnn_resnet_2b", kMlp,
                  "--set 'model={path: models/onnx/vnn_cifar10_resnet_2b.onnx}' --set "
                  "'dataset={format: cifar, images: "
                  "datasets/cifar10-subset/cifar10_test2000_from_jpeg.bin.gz, scale: 0.00392157, "
                  "mean: [0.4914, 0.4822, 0.4465], std: [0.2471, 0.2435, 0.2616]}'",
                  0.688}),
    [](const auto &parameter) { return parameter.param.name; });

/// Within half a point of the ANN after 64 steps; the whole test set is the benchmark's.
TEST(SpikingAccuracy, OfTheFirstThousandImages) {
  if (dataFolder().empty())
    GTEST_SKIP() << "no data: set SPINDLE_DATA to the folder with datasets/mnist and models";
  for (const char *flow : {kMlp, kLenet}) {
    ScratchFolder scratch;
    ToolResult result =
        runTool(std::string("run ") + flow + " --until emulate --set dataset.limit=1000 --out '" +
                scratch.path + "'");
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    nlohmann::json report = readJsonFile(scratch / "report.json");
    EXPECT_GE(number(report["snn"]["accuracy"]), number(report["ann"]["accuracy"]) - 0.005) << flow;
  }
}

} // namespace
} // namespace spindle::test
