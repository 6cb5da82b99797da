// Spiking networks as loops: spike for spike what the reference interpreter makes of them.
#include "lib/emulation/network/FixedPoint.h"
#include "tests/conversion/snn-to-loops/LoopRun.h"
#include "tests/conversion/snn-to-loops/RandomCircuit.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

/// Spikes of all populations; none where the loops were not compared.
size_t compareWithEmulator(uint64_t seed) {
  std::string what = fmt::format("seed {}", seed);
  RandomCircuit circuit(seed);
  mlir::ModuleOp module = circuit.finish();
  EXPECT_TRUE(module) << what;
  Network network = llvm::cantFail(readNetwork(module));
  llvm::cantFail(checkFixedPoint(network));
  std::vector<InputEvent> events = circuit.events();
  interpreter::Interpreter<float> interpreter(network);
  std::vector<float> nothing(network.inputs());
  auto wanted = llvm::cantFail(
      interpreter.run(nothing.data(), 0, uint32_t(circuit.options.steps), 1, events));

  auto program = loopsOf(module, circuit.options);
  EXPECT_TRUE(bool(program)) << what << ": " << toText(program.takeError());
  if (!program)
    return 0;
  auto context = hls::makeProgramContext();
  auto parsed = hls::parseProgram(*context, textOf(*program->module), what);
  EXPECT_TRUE(bool(parsed)) << what << ": " << toText(parsed.takeError());
  if (!parsed)
    return 0;
  auto found =
      hls::runGolden(**parsed, "main", argumentsFor(*program, events), hls::GoldenCode::Plain);
  EXPECT_TRUE(bool(found)) << what << ": " << toText(found.takeError());
  if (!found)
    return 0;
  expectSameSpikes(*program, *found, network, {wanted}, what);
  return wanted.spikes.size() - events.size();
}

TEST(SnnToLoops, EqualsTheEmulatorSpikeForSpike) {
  size_t spikes = 0, silent = 0;
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    size_t made = compareWithEmulator(seed);
    spikes += made;
    silent += made == 0;
  }
  EXPECT_GT(spikes, 5000u); // else nothing was compared
  EXPECT_LT(silent, 30u);
}

/// A network from text, and its loops; the context is the network's.
struct Converted {
  Converted(const std::string &text, const CircuitOptions &options)
      : network(text), program(loopsOf(*network, options)) {}
  std::string error() { return program ? "no error" : toText(program.takeError()); }

  ParsedModule network;
  llvm::Expected<LoopProgram> program;
};

/// What stands between the encoder and the end, as text.
Converted convert(const std::string &layers, const CircuitOptions &options = {}) {
  return {R"(
!in = !snn.spike_bundle<4x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<3x!snn.spike_train<?xf32>>
func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %w = arith.constant dense<1.0> : tensor<3x4xf32>
  %half = arith.constant dense<0.5> : tensor<3x4xf32>
  %s = snn.encode regular %x : tensor<4xf32> -> !in
)" + layers + "}",
          options};
}

std::string errorOf(const std::string &layers, const CircuitOptions &options = {}) {
  return convert(layers, options).error();
}

const std::string kDense =
    R"(  %i = snn.dense %s, %w {layer = "dense1"} : (!in, tensor<3x4xf32>) -> !snn.current<3xf32>
)";
const std::string kFire =
    R"(  %o = snn.fixed_lif %i reset zero {layer = "dense1", threshold = array<f32: 2.0>, decay = 0 : i64} : !snn.current<3xf32> -> !out
)";
const std::string kCount = R"(  %y = snn.decode count %o : !out -> tensor<3xf32>
  return %y : tensor<3xf32>
)";

TEST(SnnToLoops, RefusesWhatHasNoFormInLoops) {
  EXPECT_EQ(errorOf(kDense + kFire + kCount), "no error");
  std::string half = kDense;
  half.replace(half.find("%w"), 2, "%half");
  EXPECT_THAT(errorOf(half + kFire + kCount),
              HasSubstr("error: layer 'dense1' has the weight 0.5, expected integers; quantise it "
                        "first (section fixed_point, pass snn-quantize-weights)"));
  std::string inFloat = "  %o = snn.if %i reset zero {layer = \"dense1\", threshold = array<f32: "
                        "2.0>} : !snn.current<3xf32> -> !out\n";
  EXPECT_THAT(
      errorOf(kDense + inFloat + kCount),
      HasSubstr("error: layer 'dense1' is snn.if in f32, expected snn.fixed_lif: populations "
                "in fixed point (section fixed_point, pass snn-fixed-point-neurons)"));
  std::string twice = kFire;
  twice.replace(twice.find("reset zero {"), 12, "reset subtract {max_spikes = 2 : i64, ");
  EXPECT_THAT(
      errorOf(kDense + twice + kCount),
      HasSubstr("error: layer 'dense1' may spike 2 times in a step, expected max_spikes 1"));
}

/// The answers of a signal of currents.
std::string membranesOf(const std::string &signal) {
  return "  %y = snn.decode membrane " + signal +
         " : !snn.current<3xf32> -> tensor<3xf32>\n  return %y : tensor<3xf32>\n";
}

TEST(SnnToLoops, RefusesMembranesInFloat) {
  EXPECT_THAT(errorOf(kDense +
                      "  %v = snn.integrator %i {layer = \"out\"} : !snn.current<3xf32> -> "
                      "!snn.current<3xf32>\n" +
                      membranesOf("%v")),
              HasSubstr("error: layer 'out' is snn.integrator in f32, whose membranes are read, "
                        "expected snn.fixed_li (fixed_point.integers: all) or answers that count "
                        "spikes (conversion.decoding: count)"));
  EXPECT_THAT(errorOf(kDense + membranesOf("%i")),
              HasSubstr("error: layer 'decode1' reads currents, expected the membranes of "
                        "snn.fixed_li, or decoding count or first_spike"));
  EXPECT_EQ(errorOf(kDense +
                    "  %v = snn.fixed_li %i {layer = \"out\", decay = 0 : i64} : "
                    "!snn.current<3xf32> -> !snn.current<3xf32>\n" +
                    membranesOf("%v")),
            "no error");
}

TEST(SnnToLoops, RefusesWhatRunsOnTheHost) {
  const std::string counts = "  %y = snn.decode count %o : !out -> tensor<3xf32>\n",
                    behind = "error: layer 'decode1' is read by tensor layers behind the spikes, "
                             "which style clock has no form for, expected style event";
  EXPECT_THAT(errorOf(kDense + kFire + counts +
                      "  %z = snn.relu %y : tensor<3xf32>\n  return %z : tensor<3xf32>\n"),
              HasSubstr(behind));
  EXPECT_THAT(errorOf(kDense + kFire + counts +
                      "  %u = arith.constant dense<1.0> : tensor<3x3xf32>\n"
                      "  %z = snn.dense %y, %u {layer = \"last\"} : (tensor<3xf32>, "
                      "tensor<3x3xf32>) -> tensor<3xf32>\n  return %z : tensor<3xf32>\n"),
              HasSubstr(behind));
  // No spikes at all.
  EXPECT_THAT(errorOf("  %y = snn.dense %x, %w {layer = \"last\"} : (tensor<4xf32>, "
                      "tensor<3x4xf32>) -> tensor<3xf32>\n  return %y : tensor<3xf32>\n"),
              HasSubstr("error: layer 'last' reads activations, expected spikes: circuits go from "
                        "an encoder to a decoder"));
  EXPECT_THAT(errorOf("  %y = snn.relu %x : tensor<4xf32>\n"
                      "  %z = snn.dense %y, %w : (tensor<4xf32>, tensor<3x4xf32>) -> "
                      "tensor<3xf32>\n  return %z : tensor<3xf32>\n"),
              HasSubstr("error: layer 'relu1' is snn.relu, which has no form in loops"));
  EXPECT_THAT(
      errorOf("  %a = snn.dense %x, %w {layer = \"dense1\"} : (tensor<4xf32>, tensor<3x4xf32>) -> "
              "tensor<3xf32>\n  %i = snn.encode direct %a : tensor<3xf32> -> "
              "!snn.current<3xf32>\n" +
              kFire + kCount),
      HasSubstr("error: layer 'encode2' is encoded directly, which the host computes, expected an "
                "encoding in spikes (emulation.encoding: regular, poisson or latency)"));
}

TEST(SnnToLoops, RefusesSignalsWithoutAForm) {
  EXPECT_THAT(errorOf("  %d = snn.delay %s {steps = array<i64: 1, 0, 2, 1>} : !in -> !in\n"
                      "  %i = snn.dense %d, %w : (!in, tensor<3x4xf32>) -> !snn.current<3xf32>\n" +
                      kFire + kCount),
              HasSubstr("error: layer 'delay1' delays its elements by different numbers of steps, "
                        "expected one"));
  EXPECT_THAT(errorOf(kDense +
                      R"(  %p = snn.reshape %i : !snn.current<3xf32> -> !snn.current<1x1x3xf32>
  %m = snn.max_pool2d %p {layer = "pool1", kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>} : !snn.current<1x1x3xf32> -> !snn.current<1x1x3xf32>
)" + membranesOf("%i")),
              HasSubstr("error: layer 'pool1' takes the maximum of currents, expected spikes"));
  std::string large = kDense;
  large.replace(large.find("%w"), 2, "%l");
  EXPECT_THAT(errorOf("  %l = arith.constant dense<16777216.0> : tensor<3x4xf32>\n" + large +
                      R"(  %f = arith.constant dense<16777216.0> : tensor<3xf32>
  %j = snn.scale %i, %f {layer = "scale1"} : (!snn.current<3xf32>, tensor<3xf32>) -> !snn.current<3xf32>
)" + membranesOf("%j")),
              HasSubstr("error: layer 'scale1' has currents of up to 1125899906842624, expected at "
                        "most 2^40; use fewer bits for the weights"));
  Converted taken(R"(
!in = !snn.spike_bundle<3x!snn.spike_train<?xf32>>
func.func @main(%s: !in) -> tensor<3xf32> {
  %y = snn.decode count %s : !in -> tensor<3xf32>
  return %y : tensor<3xf32>
})",
                  {});
  EXPECT_THAT(taken.error(),
              HasSubstr("error: layer 'decode1' reads a signal that has no form in loops"));
}

TEST(SnnToLoops, RefusesModulesThatAreNoNetwork) {
  for (const char *text : {"", "func.func private @main(tensor<4xf32>) -> tensor<3xf32>"}) {
    Converted converted(text, {});
    EXPECT_THAT(converted.error(),
                HasSubstr("error: found no function @main of one block, expected "
                          "a spiking network"))
        << text;
  }
  CircuitOptions options;
  options.steps = 0;
  EXPECT_THAT(errorOf(kDense + kFire + kCount, options),
              HasSubstr("error: found 0 steps, expected at least 1"));
}

/// Pixels are quantised once per sample, and only encoders read them.
TEST(SnnToLoops, LeavesToTheHostWhatEncodersRead) {
  Converted converted(R"(
!in = !snn.spike_bundle<4x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<3x!snn.spike_train<?xf32>>
func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %w = arith.constant dense<1.0> : tensor<3x4xf32>
  %q = snn.quantize %x {unit = 0.5 : f32, low = 0 : i64, high = 3 : i64, layer = "input"} : tensor<4xf32>
  %p = snn.reshape %q : tensor<4xf32> -> tensor<4xf32>
  %s = snn.encode regular %p {integers, maximum = 3.0 : f32} : tensor<4xf32> -> !in
)" + kDense + kFire + kCount +
                          "}",
                      {});
  ASSERT_EQ(converted.error(), "no error");
  LoopProgram program = llvm::cantFail(std::move(converted.program));
  ASSERT_EQ(program.layers.size(), 1u);
  EXPECT_EQ(program.layers[0].name, "dense1");
  EXPECT_EQ(program.arguments[0].port.layer, "input");
}

/// Co-simulation finds the spikes of a population by the name that the trace has.
TEST(SnnToLoops, PopulationsHaveTheNamesOfTheTrace) {
  CircuitOptions options;
  options.recordsSpikes = true;
  Converted converted = convert(
      kDense +
          R"(  %d = snn.delay %i {steps = array<i64: 1>} : !snn.current<3xf32> -> !snn.current<3xf32>
  %o = snn.fixed_lif %d reset zero {layer = "dense1", threshold = array<f32: 2.0>, decay = 0 : i64} : !snn.current<3xf32> -> !out
)" + kCount,
      options);
  Network network = llvm::cantFail(readNetwork(*converted.network));
  ASSERT_EQ(converted.error(), "no error");
  LoopProgram program = llvm::cantFail(std::move(converted.program));
  std::vector<std::string> inTrace, inCircuit;
  for (const Population &population : network.populations)
    inTrace.push_back(population.name);
  for (const ProgramArray &array : program.arguments)
    if (array.port.role == ArrayRole::Input || array.port.role == ArrayRole::Spikes)
      inCircuit.push_back(array.port.layer);
  EXPECT_EQ(inTrace, (std::vector<std::string>{"input", "dense1"}));
  EXPECT_EQ(inCircuit, inTrace);
}

/// Layers by the outermost loops that bear their names.
std::vector<std::string> nestsOf(mlir::ModuleOp program) {
  std::vector<std::string> nests;
  program.walk([&](mlir::affine::AffineForOp loop) {
    if (!llvm::isa<mlir::affine::AffineForOp>(loop->getParentOp()))
      nests.push_back(loop->getAttrOfType<mlir::StringAttr>(kLayerName).str());
  });
  return nests;
}

TEST(SnnToLoops, EachNestNamesItsLayer) {
  Converted converted = convert(
      R"(  %c = snn.concat %s, %s {axis = 0 : i64} : (!in, !in) -> !snn.spike_bundle<8x!snn.spike_train<?xf32>>
  %v = arith.constant dense<1.0> : tensor<3x8xf32>
  %i = snn.dense %c, %v {layer = "dense1"} : (!snn.spike_bundle<8x!snn.spike_train<?xf32>>, tensor<3x8xf32>) -> !snn.current<3xf32>
)" + kFire +
      kCount);
  ASSERT_EQ(converted.error(), "no error");
  EXPECT_EQ(nestsOf(*converted.program->module),
            (std::vector<std::string>{"concat1", "concat1", "dense1", "answer"}));
}

TEST(SnnToLoops, RefusesOptionsThatFitNoLayer) {
  auto with = [](const char *layer, LayerOptions own) {
    CircuitOptions options;
    options.layers[layer] = own;
    return errorOf(kDense + kFire + kCount, options);
  };
  EXPECT_THAT(with("dense1", {0, 1}),
              HasSubstr("error: layer 'dense1' has 0 lanes, expected 1 to 3 (its neurons)"));
  EXPECT_THAT(with("dense1", {4, 1}),
              HasSubstr("error: layer 'dense1' has 4 lanes, expected 1 to 3 (its neurons)"));
  EXPECT_THAT(with("dense1", {1, 5}),
              HasSubstr("error: layer 'dense1' takes 5 inputs at a time, expected 1 to 4"));
  EXPECT_THAT(with("dens1", {1, 1}),
              HasSubstr("error: found no layer 'dens1', expected one of dense1"));
  const std::string delayed =
      "  %d = snn.delay %i {steps = array<i64: 1>} : !snn.current<3xf32> -> !snn.current<3xf32>\n"
      "  %o = snn.fixed_lif %d reset zero {layer = \"late\", threshold = array<f32: 2.0>, decay = "
      "0 "
      ": i64} : !snn.current<3xf32> -> !out\n";
  auto withDelay = [&](const char *layer, LayerOptions own) {
    CircuitOptions options;
    options.layers[layer] = own;
    return errorOf(kDense + delayed + kCount, options);
  };
  EXPECT_EQ(withDelay("dense1", {1, 2}), "no error");
  EXPECT_THAT(
      withDelay("late", {1, 2}),
      HasSubstr("error: layer 'late' takes 2 inputs at a time, expected 1: only dense layers "
                "take several"));
  EXPECT_THAT(withDelay("dense1", {1, 1, LayerStyle::Clock, LayerKind::Tensor}),
              HasSubstr("error: layer 'dense1' is to be a tensor kernel (as: tensor), expected "
                        "style event"));
  EXPECT_THAT(withDelay("delay1", {1, 1}),
              HasSubstr("error: layer 'delay1' takes no options, expected one of dense1, late"));
  EXPECT_THAT(withDelay("delay2", {1, 1}),
              HasSubstr("error: found no layer 'delay2', expected one of dense1, late"));
  CircuitOptions options;
  for (const char *text : {"dense1", "dense1:", "dense1:x2", ":4", "dense1:4x", "dense1:-1",
                           "dense1:tensor", "dense1:4:tensors"})
    EXPECT_THAT(toText(readLayerOption(text, options)),
                HasSubstr(std::string("found '") + text +
                          "', expected a layer and its lanes, as dense1:64, or with inputs at a "
                          "time, as dense1:64x4; :tensor behind them makes it a tensor kernel"));
  EXPECT_TRUE(options.layers.empty());
  llvm::cantFail(readLayerOption("dense1:8x2", options));
  llvm::cantFail(readLayerOption("conv1:8:tensor", options));
  EXPECT_EQ(options.layers["conv1"], (LayerOptions{8, 1, LayerStyle::Clock, LayerKind::Tensor}));
  EXPECT_EQ(options.layers["dense1"], (LayerOptions{8, 2}));
}

/// Four neurons by three lanes are two groups, which two lanes work through as fast.
TEST(SnnToLoops, SaysHowManyLanesThereAre) {
  CircuitOptions options;
  options.layers["wide"] = {3, 1};
  Converted converted = convert(R"(  %v = arith.constant dense<1.0> : tensor<4x4xf32>
  %i = snn.dense %s, %v {layer = "wide"} : (!in, tensor<4x4xf32>) -> !snn.current<4xf32>
  %o = snn.fixed_lif %i reset zero {layer = "wide", threshold = array<f32: 2.0>, decay = 0 : i64} : !snn.current<4xf32> -> !in
  %j = snn.dense %o, %w {layer = "dense1"} : (!in, tensor<3x4xf32>) -> !snn.current<3xf32>
  %p = snn.fixed_lif %j reset zero {layer = "dense1", threshold = array<f32: 2.0>, decay = 0 : i64} : !snn.current<3xf32> -> !out
  %y = snn.decode count %p : !out -> tensor<3xf32>
  return %y : tensor<3xf32>
)",
                                options);
  ASSERT_EQ(converted.error(), "no error");
  EXPECT_EQ(converted.program->layers[0].lanes, 2);
}

} // namespace
