// Bad input as a new user would give it: one error with place and remedy, exit code 1, earlier
// stage files kept.
#include "tests/e2e/Tool.h"

#include <gmock/gmock.h>

namespace spindle::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kFlow = "configs/flows/digits-mlp.yaml";
const std::string kFew = " --set dataset.limit=20 --set dataset.calibration.limit=20 --set "
                         "emulation.steps=4 --set emulation.record_samples=2 ";

class BadInput : public ::testing::Test {
protected:
  /// Runs and expects exactly one line of error and exit code 1.
  /// The one error. A warning may stand before it: that the run stands on files of another one.
  std::string errorOf(const std::string &arguments) {
    ToolResult result = runTool(arguments);
    EXPECT_EQ(result.exitCode, 1) << result.output << result.errors;
    if (size_t end = result.errors.find('\n');
        result.errors.substr(0, end).find(": warning: the files of the stage ") !=
        std::string::npos)
      result.errors.erase(0, end + 1);
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    return result.errors;
  }
  std::string run(const std::string &more) {
    return "run " + kFlow + kFew + more + " --out '" + (scratch / "out") + "'";
  }
  /// A flow of one's own beside the scratch folder.
  std::string flow(const std::string &text) {
    writeText(scratch / "flow.yaml", text);
    return "run '" + (scratch / "flow.yaml") + "' --out '" + (scratch / "out") + "'";
  }
  ScratchFolder scratch;
};

TEST_F(BadInput, MissingFlow) {
  EXPECT_EQ(errorOf("run ''"), "error: the name of a file is empty, expected a file\n");
  EXPECT_EQ(errorOf("run none.yaml"), "none.yaml: error: cannot open: No such file or directory\n");
}

TEST_F(BadInput, MisspeltKey) {
  EXPECT_THAT(
      errorOf(flow("conversion: {percentil: 99}\n")),
      HasSubstr("flow.yaml:1:14: error: unknown key 'percentil' in conversion (did you mean "
                "'percentile'?)"));
}

TEST_F(BadInput, MembranesTooShort) {
  EXPECT_THAT(errorOf(run("--set emulation.encoding=poisson --set fixed_point.membrane_bits=6")),
              AllOf(HasSubstr("digits-mlp.yaml: error: layer 'dense1' has the threshold "),
                    HasSubstr("expected at most 31; use more membrane_bits or fewer "
                              "fraction_bits")));
}

TEST_F(BadInput, SumsWiderThanAccumulators) {
  EXPECT_THAT(errorOf(run("--set 'fixed_point={integers: all, accumulator_bits: 9}'")),
              AllOf(HasSubstr("error: the sums of layer 'dense1' lie from "),
                    HasSubstr(" bits, expected at most 9; use fewer weight_bits or more "
                              "accumulator_bits")));
}

TEST_F(BadInput, RangeOfOneNumber) {
  EXPECT_THAT(errorOf(run("--set fixed_point.input_range=3")),
              HasSubstr("input_range has not two rising values, expected [least, greatest]"));
}

TEST_F(BadInput, ReadoutOfOneBit) {
  EXPECT_THAT(
      errorOf(run("--set fixed_point.readout_bits=1")),
      HasSubstr("readout_bits is less than 2, expected 2 to 25, or -1 for as many as cannot "
                "overflow"));
}

TEST_F(BadInput, ValueOutOfRange) {
  EXPECT_THAT(errorOf(run("--set emulation.steps=0")),
              AllOf(HasSubstr("--set emulation.steps"), HasSubstr("steps is 0, expected 1 to ")));
}

TEST_F(BadInput, WordNotInTheList) {
  EXPECT_THAT(
      errorOf(run("--set conversion.neuron=izhikevich")),
      HasSubstr("--set conversion.neuron: error: neuron is 'izhikevich', expected if or lif"));
}

TEST_F(BadInput, MissingModelAndMissingData) {
  EXPECT_THAT(errorOf(run("--set model.path=models/none.onnx")),
              AllOf(HasSubstr("models/none.onnx"), HasSubstr("SPINDLE_DATA")));
  EXPECT_THAT(
      errorOf(run("--set 'dataset={format: idx, images: none, labels: none, calibration: {images: "
                  "none, labels: none}}'")),
      AllOf(HasSubstr("none"), HasSubstr("SPINDLE_DATA")));
}

TEST_F(BadInput, MissingSection) {
  EXPECT_THAT(errorOf(flow("chip: configs/chips/mesh-128.yaml\n")),
              HasSubstr("flow.yaml: error: section 'model' is missing; the stage import needs it"));
}

TEST_F(BadInput, StageThatTheFlowDoesNotAskFor) {
  std::string text = readText(kFlow), section = "diagnosis: {samples: 1000}\n";
  text.erase(text.find(section), section.size());
  for (const char *stage : {"--until diagnose", "--from diagnose"})
    EXPECT_THAT(errorOf(flow(text) + " " + stage),
                HasSubstr("flow.yaml: error: section 'diagnosis' is missing; the stage diagnose "
                          "needs it"));
  EXPECT_THAT(errorOf(run("--set diagnosis.samples=0")), HasSubstr("samples is 0, expected 1 to "));
}

TEST_F(BadInput, DiagnosisOfAModelThatSpikesAlready) {
  ASSERT_EQ(runTool(run("--until emulate")).exitCode, 0);
  writeText(scratch / "out/10-ann.mlir", readText(scratch / "out/20-snn.mlir"));
  EXPECT_THAT(errorOf(run("--from diagnose --until diagnose")),
              HasSubstr("digits-mlp.yaml: error: the model spikes already, so that there is no "
                        "conversion to diagnose; leave out the section diagnosis"));
}

TEST_F(BadInput, UnknownStageAndReversedStages) {
  EXPECT_THAT(errorOf(run("--from emulat")),
              HasSubstr("unknown stage 'emulat', expected one of import, "));
  EXPECT_THAT(errorOf(run("--from map --until graph")),
              HasSubstr("--from map comes after --until graph"));
}

TEST_F(BadInput, UnknownSubcommandAndOption) {
  EXPECT_EQ(errorOf("ran"), "error: unknown command 'ran'; see spindle --help\n");
  EXPECT_EQ(errorOf("run"), "error: flow is required; see spindle run --help\n");
  EXPECT_EQ(errorOf("run " + kFlow + " --no-such-option"),
            "error: unknown option '--no-such-option'; see spindle run --help\n");
  EXPECT_EQ(errorOf("cosim -ko"), "error: unknown option '-ko'; see spindle cosim --help\n")
      << "and not that the folder is missing";
  EXPECT_EQ(errorOf("cosim -seed 3"),
            "error: unknown option '-seed' (did you mean '--seed'?); see spindle cosim --help\n");
  EXPECT_EQ(errorOf("lists export a b -spikes=x"),
            "error: unexpected argument 'b'; see spindle lists export --help\n");
}

TEST_F(BadInput, FullStandardOutput) {
  const std::string flow = run("--until import");
  for (const std::string &arguments : {flow, std::string("--help"), std::string("manual")}) {
    ToolResult result = runShell(std::string("('" SPINDLE_TOOL "' ") + arguments + " >/dev/full)");
    EXPECT_EQ(result.exitCode, 1) << arguments;
    EXPECT_EQ(result.errors, "standard output: error: cannot write all of it; is the disk full?\n")
        << arguments;
  }
  EXPECT_TRUE(std::filesystem::exists(scratch / "out/10-ann.mlir")) << "what was to be done is";
}

TEST_F(BadInput, FullStandardError) {
  for (const std::string arguments : {"convert nothing.mlir", "ran", "run"})
    EXPECT_EQ(runShell(std::string("('" SPINDLE_TOOL "' ") + arguments + " 2>/dev/full)").exitCode,
              1)
        << arguments;
  EXPECT_EQ(runShell("('" SPINDLE_TOOL "' " + run("--until import") + " 2>/dev/full)").exitCode, 0);
}

TEST_F(BadInput, WhatLibrariesSayHasAFile) {
  EXPECT_THAT(errorOf(run("--set 'emulation.record_membranes=[dense1, dense1]'")),
              HasSubstr("record_membranes names 'dense1' twice, expected each once"));
  EXPECT_THAT(errorOf(run("--set emulation.record_membranes=nobody")),
              ::testing::StartsWith(kFlow + ":6:12: error: record_membranes names 'nobody', "));
  EXPECT_EQ(errorOf(run("--set conversion.method=first_spike --set emulation.steps=1")),
            kFlow + ":5:13: error: emulation.steps is 1, expected at least 2, one for each layer "
                    "that spikes\n");
  const std::string clusters = scratch / "out/50-clusters.json";
  ASSERT_EQ(runTool(run("--until analyze")).exitCode, 0);
  nlohmann::json json = readJsonFile(clusters);
  json["samples"] = 0;
  writeText(clusters, json.dump());
  EXPECT_THAT(errorOf(run("--from analyze --until analyze")),
              ::testing::StartsWith(clusters + ": clustering: error: "));
}

TEST_F(BadInput, RestartWithoutTheEarlierFiles) {
  EXPECT_THAT(
      errorOf(run("--from map")),
      HasSubstr("50-clusters.json: error: the stage map reads this file and it is not there; run "
                "from an earlier stage: --from partition"));
}

TEST_F(BadInput, TruncatedModels) {
  std::string mlir = readText("configs/models/digits-mlp.mlir");
  writeText(scratch / "cut.mlir", mlir.substr(0, mlir.size() / 2));
  EXPECT_THAT(errorOf(run("--set model.path='" + (scratch / "cut.mlir") + "'")),
              HasSubstr("cut.mlir:"));
  writeText(scratch / "cut.onnx", "\x08\x07\x12");
  EXPECT_THAT(errorOf(run("--set 'model={path: " + (scratch / "cut.onnx") + "}'")),
              HasSubstr("cut.onnx: error: "));
  std::string npz = readText("configs/models/digits-mlp.npz");
  writeText(scratch / "cut.npz", npz.substr(0, npz.size() / 2));
  EXPECT_THAT(errorOf(run("--set model.arguments='" + (scratch / "cut.npz") + "'")),
              HasSubstr("cut.npz: error: "));
}

TEST_F(BadInput, UnsupportedOperatorIsNamed) {
  if (dataFolder().empty())
    GTEST_SKIP() << "no data: set SPINDLE_DATA to the folder with models/onnx";
  std::string error = errorOf(run("--set 'model={path: models/onnx/djl_mnist.onnx}'"));
  EXPECT_THAT(error, AllOf(HasSubstr("djl_mnist.onnx"), HasSubstr("MeanVarianceNormalization"),
                           HasSubstr("supported")));
}

TEST_F(BadInput, TruncatedDataSet) {
  if (dataFolder().empty())
    GTEST_SKIP() << "no data: set SPINDLE_DATA to the folder with datasets/mnist";
  std::string gz = readText(dataFolder() + "/datasets/mnist/t10k-images-idx3-ubyte.gz");
  writeText(scratch / "cut.gz", gz.substr(0, 5000));
  EXPECT_THAT(errorOf("run configs/flows/mnist-mlp.yaml --set dataset.images='" +
                      (scratch / "cut.gz") + "' --out '" + (scratch / "out") + "'"),
              HasSubstr("cut.gz: error: gzip data is cut off or damaged"));
}

TEST_F(BadInput, WrongShape) {
  EXPECT_THAT(errorOf(run("--set dataset.pad=2")), AllOf(HasSubstr("32"), HasSubstr("784")));
}

TEST_F(BadInput, DamagedStageFilesAreNamedAndEarlierOnesKept) {
  ASSERT_EQ(runTool(run("")).exitCode, 0);
  std::string out = scratch / "out";
  std::string h5 = readText(out + "/30-spikes.h5"), snn = readText(out + "/20-snn.mlir");
  writeText(out + "/30-spikes.h5", h5.substr(0, h5.size() / 2));
  EXPECT_THAT(errorOf(run("--from graph")), HasSubstr("30-spikes.h5: error: "));
  EXPECT_TRUE(readText(out + "/20-snn.mlir") == snn);
  EXPECT_TRUE(std::filesystem::exists(out + "/80-chip.json")) << "nothing has replaced it";
  writeText(out + "/20-snn.mlir", snn.substr(0, snn.size() / 2));
  EXPECT_THAT(errorOf(run("--from emulate")), HasSubstr("20-snn.mlir:"));
  EXPECT_TRUE(std::filesystem::exists(out + "/10-ann.mlir"));
  writeText(out + "/10-ann.mlir", "not mlir");
  EXPECT_THAT(errorOf(run("--from convert")), HasSubstr("10-ann.mlir:1:1: error: "));
}

TEST_F(BadInput, ChipTooSmall) {
  std::string chip = readText("configs/chips/mesh-128.yaml");
  writeText(scratch / "small.yaml", chip);
  std::string error = errorOf(run("--set chip='" + (scratch / "none.yaml") + "'"));
  EXPECT_THAT(error, HasSubstr("none.yaml"));
  ASSERT_EQ(runTool(run("--until graph")).exitCode, 0);
  std::string tiny = chip;
  size_t at = tiny.find("mesh:");
  ASSERT_NE(at, std::string::npos);
  tiny.replace(at, tiny.find('\n', at) - at, "mesh: {columns: 1, rows: 1}");
  writeText(scratch / "small.yaml", tiny);
  EXPECT_THAT(errorOf(run("--from partition --set chip='" + (scratch / "small.yaml") + "'")),
              AllOf(HasSubstr("small.yaml"), HasSubstr("crossbars")));
  EXPECT_TRUE(std::filesystem::exists(scratch / "out/40-graph.h5"));
}

TEST_F(BadInput, WhatLaterStagesRefuseIsRefusedFirst) {
  EXPECT_THAT(errorOf(run("--set chip='" + scratch.path + "'")),
              HasSubstr("is a folder, expected a file"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "out")) << "nothing was begun";
  EXPECT_THAT(
      errorOf(
          "run configs/flows/digits-mlp.yaml --set 'dataset={format: npz, images: configs/models/"
          "digits-mlp.npz}' --out '" +
          (scratch / "out") + "'"),
      HasSubstr("key 'calibration' is missing in dataset"));
}

TEST_F(BadInput, ValuesThatAreNoNumbers) {
  EXPECT_THAT(errorOf(run("--set dataset.scale=1e300")),
              AllOf(HasSubstr("error: sample 0 has the value "), HasSubstr("nan at element 0"),
                    HasSubstr("expected finite numbers")));
}

TEST_F(BadInput, AnotherChipThanTheMappings) {
  ASSERT_EQ(runTool(run("")).exitCode, 0);
  EXPECT_THAT(
      errorOf(run("--from simulate --set chip=configs/chips/mesh-128-large.yaml")),
      AllOf(HasSubstr("mesh-128-large.yaml: error: chip 'mesh-128-large' of 32x32 tiles, but the "
                      "mapping was made for 'mesh-128' of 8x8; map again for this chip")));
}

/// A stage file that was changed is the user's: exit code 1.
TEST_F(BadInput, MappingThatDoesNotFitToTheClusters) {
  std::string more = "--set 'assessment={samples: 2, step_us: [1]}' ";
  ASSERT_EQ(runTool(run(more)).exitCode, 0);
  std::string path = scratch / "out/70-mapping.json";
  nlohmann::json mapping = readJsonFile(path);
  mapping["spike_hops"] = 12345;
  writeText(path, mapping.dump());
  for (const char *stage : {"simulate", "assess"})
    EXPECT_THAT(errorOf(run(more + "--from " + stage)),
                AllOf(HasSubstr("out/70-mapping.json: error: does not fit to 50-clusters.json: "
                                "12345 spike hops, but the routes add up to "),
                      HasSubstr("; map again: --from map")))
        << stage;
}

TEST_F(BadInput, KeysOfMlirModelsForAnOnnxFile) {
  writeText(scratch / "net.onnx", "");
  EXPECT_THAT(
      errorOf(run("--set 'model={path: " + (scratch / "net.onnx") + ", function: main}'")),
      HasSubstr("function is a key of MLIR models, an ONNX file holds its own; leave it out"));
}

TEST_F(BadInput, DamagedArraysAreNotReadAsOthers) {
  ASSERT_EQ(runTool(run("--until graph")).exitCode, 0);
  std::string path = scratch / "out/40-graph.h5", whole = readText(path);
  int refused = 0;
  for (size_t at = whole.size() / 4; at + 16 < whole.size(); at += whole.size() / 12) {
    std::string damaged = whole;
    for (size_t k = at; k < at + 16; ++k)
      damaged[k] = static_cast<char>(damaged[k] ^ 0x5a);
    writeText(path, damaged);
    ToolResult result = runTool(run("--from partition"));
    EXPECT_LE(result.exitCode, 1) << at << ": " << result.errors;
    refused += result.exitCode;
  }
  EXPECT_GE(refused, 4) << "space between the arrays may be damaged unseen";
}

TEST_F(BadInput, OutputFolderCannotBeMade) {
  writeText(scratch / "file", "x");
  EXPECT_THAT(errorOf("run " + kFlow + " --out '" + (scratch / "file/out") + "'"),
              HasSubstr("cannot make this folder: Not a directory"));
}

} // namespace
} // namespace spindle::test
