// Every error that a user of the emulation can meet.
#include "lib/emulation/Emulation.h"
#include "lib/emulation/EvaluateAnn.h"
#include "lib/emulation/graph/ExtractGraph.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

std::string emulationError(mlir::ModuleOp module, const Samples &samples,
                           EmulationOptions options = {}) {
  llvm::Expected<EmulationResult> result = emulate(module, samples, options);
  return result ? "no error" : toText(result.takeError());
}

const Samples kPair{{2}, {1, 0}, {0}};

TEST(EmulationErrors, Modules) {
  ParsedModule none("func.func @other() { return }");
  EXPECT_THAT(emulationError(*none, kPair),
              HasSubstr("no function @main, expected a network that"));
  ParsedModule twoInputs(
      "func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  return %a : tensor<2xf32>\n}");
  EXPECT_THAT(emulationError(*twoInputs, kPair),
              HasSubstr("net.mlir:1:1: error: @main has the type (tensor<2xf32>, tensor<2xf32>) -> "
                        "tensor<2xf32>, expected one tensor of f32"));
  ParsedModule unknown("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                       "  %b = arith.addf %a, %a : tensor<2xf32>\n"
                       "  return %b : tensor<2xf32>\n}");
  EXPECT_EQ(
      emulationError(*unknown, kPair),
      "net.mlir:2:8: error: the emulator does not know arith.addf, expected operations of the "
      "snn dialect");
  ParsedModule weights(
      "func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {\n"
      "  %w = snn.reshape %a : tensor<1xf32> -> tensor<1x1xf32>\n"
      "  %b = snn.dense %a, %w {layer = \"d\"} : (tensor<1xf32>, tensor<1x1xf32>) -> "
      "tensor<1xf32>\n"
      "  return %b : tensor<1xf32>\n}");
  EXPECT_THAT(emulationError(*weights, kPair),
              HasSubstr("net.mlir:3:8: error: d has weights that are not constant"));
  ParsedModule constant("func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {\n"
                        "  %b = arith.constant dense<1.0> : tensor<1xf32>\n"
                        "  return %b : tensor<1xf32>\n}");
  EXPECT_THAT(emulationError(*constant, kPair),
              HasSubstr("@main returns a constant, expected a network"));
  ParsedModule declared("func.func private @main(tensor<1xf32>) -> tensor<1xf32>");
  EXPECT_THAT(emulationError(*declared, kPair),
              HasSubstr("@main branches or has no body, expected a single block"));
  NetworkBuilder infinite({2});
  infinite.dense(1, {1, HUGE_VALF}, {}, "d");
  EXPECT_THAT(emulationError(infinite.finish(), kPair),
              HasSubstr("d has the weight inf, expected finite numbers"));
  NetworkBuilder twice({2});
  twice.direct().integrator().decode().poisson().decode();
  EXPECT_THAT(emulationError(twice.finish(), kPair),
              HasSubstr("encode2 encodes what a decoder puts out, expected activations"));
  NetworkBuilder ann({2});
  ann.relu();
  EXPECT_THAT(emulationError(ann.finish(), kPair),
              HasSubstr("the network has no populations, expected a "
                        "spiking one; run spindle convert first"));
}

TEST(EmulationErrors, Samples) {
  NetworkBuilder n({1, 2, 4});
  mlir::ModuleOp module = pixelNeurons(n);
  EXPECT_THAT(emulationError(module, randomSamples(1, {2, 4, 4}, 2, 2)),
              HasSubstr("samples have the shape 2x4x4, the network expects 1x2x4"));
  EXPECT_THAT(emulationError(module, randomSamples(1, {1, 4, 2}, 2, 2)),
              HasSubstr("samples have the shape 1x4x2, the network expects 1x2x4"));
  EXPECT_THAT(
      emulationError(module, randomSamples(1, {2, 1, 4}, 2, 2)),
      HasSubstr("samples have the shape 2x1x4, the network expects 1x2x4; set resize or pad "
                "of the dataset, or model.input_layout, accordingly"));
  EXPECT_THAT(
      emulationError(module, randomSamples(1, {2, 4, 1}, 2, 2)),
      HasSubstr("samples have the shape 2x4x1, the network expects 1x2x4; the channels come "
                "last: set layout of the dataset to nhwc"));
  EXPECT_THAT(emulationError(module, randomSamples(1, {1, 2, 4}, 9, 9)),
              HasSubstr("sample 8 has the label 8, the network has 8 outputs"));
  EXPECT_THAT(emulationError(module, Samples{{1, 2, 4}, {}, {}}), HasSubstr("no samples"));
  EXPECT_THAT(emulationError(module, Samples{{1, 2, 4}, {1}, {0}}),
              HasSubstr("1 values for 1 samples of 8"));
}

TEST(EmulationErrors, NegativeValuesUnderPoissonNameTheFirstSample) {
  NetworkBuilder n({3});
  n.poisson().dense(3).integrator().decode();
  mlir::ModuleOp module = n.finish();
  Samples samples = randomSamples(1, {3}, 60, 3);
  samples.values[45 * 3 + 1] = samples.values[21 * 3 + 2] = -0.5f;
  for (EmulationEngine engine :
       {EmulationEngine::Layers, EmulationEngine::Lanes, EmulationEngine::Interpreter}) {
    EmulationOptions options;
    options.engine = engine;
    EXPECT_THAT(
        emulationError(module, samples, options),
        HasSubstr("sample 21 has the value -0.5 at element 2, poisson encoding expects none "
                  "below zero; scale inputs to [0, 1] without mean and std, or use "
                  "encoding: direct"));
  }
}

TEST(EmulationErrors, Ann) {
  NetworkBuilder n({2});
  mlir::ModuleOp module = pixelNeurons(n);
  llvm::Expected<AnnEvaluation> result = evaluateAnn(module, kPair, 1);
  ASSERT_FALSE(bool(result));
  EXPECT_THAT(toText(result.takeError()),
              HasSubstr("snn.encode belongs to a spiking network, expected an ANN"));
}

TEST(EmulationErrors, Events) {
  NetworkBuilder wants({2});
  wants.events().decode();
  EXPECT_EQ(emulationError(wants.finish(), kPair),
            "data set: error: samples are values, encode1 of the network expects recorded events: "
            "format events of the dataset, or model.input: current of a NIR model");
  Samples narrow{{1}, {}, {0}, EventSamples{3, {0, 1}, {{1, 0}}}};
  NetworkBuilder two({2});
  two.events().decode();
  EXPECT_EQ(emulationError(two.finish(), narrow),
            "data set: error: samples have the shape 1, the network expects 2; set shape of the "
            "dataset accordingly");
  Samples recorded{{2}, {}, {0}, EventSamples{3, {0, 1}, {{1, 0}}}};
  NetworkBuilder values({2});
  EXPECT_EQ(emulationError(pixelNeurons(values), recorded),
            "data set: error: samples are recorded events, encode1 of the network expects values; "
            "encode events first");
  NetworkBuilder late({2});
  late.relu("first").events().decode();
  EXPECT_THAT(emulationError(late.finish(), recorded),
              HasSubstr("encode1 encodes events of what first puts out, expected the input of the "
                        "network"));
}

TEST(EmulationErrors, SignalsThatAreConstant) {
  ParsedModule constant(
      "func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {\n"
      "  %c = arith.constant dense<1.0> : tensor<1xf32>\n"
      "  %b = snn.add %a, %c {layer = \"sum\"} : (tensor<1xf32>, tensor<1xf32>) -> "
      "tensor<1xf32>\n"
      "  return %b : tensor<1xf32>\n}");
  EXPECT_THAT(
      emulationError(*constant, kPair),
      HasSubstr("net.mlir:3:8: error: sum reads a constant, expected a signal of the network"));
}

TEST(EmulationErrors, NegativeValuesBeforeRatesAndTimes) {
  Samples negative{{2}, {1, -0.5f}, {0}};
  NetworkBuilder rates({2});
  rates.regular().decode();
  EXPECT_THAT(
      emulationError(rates.finish(), negative),
      HasSubstr("sample 0 has the value -0.5 at element 1, regular encoding expects none below"));
  NetworkBuilder times({2});
  times.latency(4).decode();
  EXPECT_THAT(emulationError(times.finish(), negative),
              HasSubstr("latency encoding expects none below zero"));
}

TEST(EmulationErrors, MembranesOfUnknownPopulations) {
  NetworkBuilder n({2});
  EmulationOptions options;
  options.recordMembranes = {"pixel"};
  EXPECT_EQ(
      emulationError(pixelNeurons(n), kPair, options),
      "emulation: error: record_membranes names 'pixel', expected populations with membranes: "
      "pixels");
}

TEST(EmulationErrors, Graphs) {
  NetworkBuilder n({2});
  mlir::ModuleOp module = pixelNeurons(n);
  llvm::Expected<SpikingGraph> other = extractGraph(module, SpikeTrace());
  ASSERT_FALSE(bool(other));
  EXPECT_THAT(toText(other.takeError()),
              HasSubstr("the spike trace has other populations (0 neurons) than the network (2)"));

  NetworkBuilder analog({2});
  analog.direct().integrator({0}, "sum").dense(2);
  analog.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}).decode();
  mlir::ModuleOp mixed = analog.finish();
  SpikeTrace trace = llvm::cantFail(emulate(mixed, kPair, {})).trace;
  llvm::Expected<SpikingGraph> membranes = extractGraph(mixed, trace);
  ASSERT_FALSE(bool(membranes));
  EXPECT_THAT(toText(membranes.takeError()),
              HasSubstr("dense1 reads the membranes of sum, a chip carries spikes only"));

  NetworkBuilder ann({2});
  ann.relu();
  llvm::Expected<SpikingGraph> none = extractGraph(ann.finish(), SpikeTrace());
  ASSERT_FALSE(bool(none));
  EXPECT_THAT(toText(none.takeError()), HasSubstr("the network has no populations"));
}

TEST(EmulationOptions, AreReadFromYaml) {
  YamlDocument document = llvm::cantFail(
      YamlDocument::parse("{steps: 16, step_ms: 0.5, seed: 7, threads: 3, record_samples: 5, "
                          "engine: interpreter, encoding: poisson, "
                          "record_membranes: [a, b]}",
                          "flow.yaml"));
  YamlReader reader(document);
  EmulationOptions options;
  readEmulationOptions(reader, options);
  ASSERT_FALSE(reader.finish());
  EXPECT_EQ(options.steps, 16);
  EXPECT_EQ(options.stepMs, 0.5);
  EXPECT_EQ(options.seed, 7);
  EXPECT_EQ(options.threads, 3);
  EXPECT_EQ(options.recordSamples, 5);
  EXPECT_EQ(options.recordMembranes, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(options.engine, EmulationEngine::Interpreter);
  EXPECT_EQ(options.encoding, InputEncoding::Poisson);
}

TEST(EmulationOptions, DurationsAndTrialsAreForNetworksThatDriveThemselves) {
  auto read = [](const char *text, EmulationOptions &options) {
    YamlDocument document = llvm::cantFail(YamlDocument::parse(text, "flow.yaml"));
    YamlReader reader(document);
    readEmulationOptions(reader, options);
    return toText(reader.finish());
  };
  EmulationOptions options;
  EXPECT_EQ(read("{duration: 100.5, samples: 3}", options), "");
  EXPECT_EQ(options.durationMs, 100.5);
  EXPECT_EQ(options.trials, 3);
  EXPECT_EQ(read("{duration: 1, steps: 3}", options),
            "flow.yaml:1:12: error: duration and steps are both given, expected one of them");
  EXPECT_EQ(read("{duration: -1}", options),
            "flow.yaml:1:12: error: duration is -1, expected 1e-06 to 1000000000000");
  EXPECT_EQ(read("{samples: 0}", options),
            "flow.yaml:1:11: error: samples is 0, expected 1 to 4294967295");
}

TEST(EmulationOptions, AreCheckedWhereverTheyComeFrom) {
  YamlDocument document = llvm::cantFail(YamlDocument::parse("steps: 0\n", "flow.yaml"));
  YamlReader reader(document);
  EmulationOptions options;
  readEmulationOptions(reader, options);
  EXPECT_THAT(toText(reader.finish()), HasSubstr("flow.yaml:1:8: error: "));
  NetworkBuilder n({2});
  options.steps = 64;
  options.threads = 0;
  EXPECT_THAT(emulationError(pixelNeurons(n), kPair, options),
              HasSubstr("emulation: error: threads is 0, expected 1 to 1024"));
  options.threads = 1;
  options.stepMs = 0;
  EXPECT_THAT(emulationError(pixelNeurons(n), kPair, options),
              HasSubstr("emulation: error: step_ms is 0, expected 1e-06 to 1000000"));
}

} // namespace
