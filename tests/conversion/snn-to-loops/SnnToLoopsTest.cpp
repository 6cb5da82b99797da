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
  auto found = hls::runGolden(**parsed, "main", argumentsFor(*program, events));
  EXPECT_TRUE(bool(found)) << what << ": " << toText(found.takeError());
  if (!found)
    return 0;
  expectSameSpikes(*program, *found, network, wanted, what);
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

/// What stands between the encoder and the decoder, as text.
std::string errorOf(const std::string &layers, const CircuitOptions &options = {}) {
  ParsedModule parsed(R"(
!in = !snn.spike_bundle<4x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<3x!snn.spike_train<?xf32>>
func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %w = arith.constant dense<1.0> : tensor<3x4xf32>
  %half = arith.constant dense<0.5> : tensor<3x4xf32>
  %s = snn.encode regular %x : tensor<4xf32> -> !in
)" + layers + "}");
  EXPECT_TRUE(*parsed);
  auto program = loopsOf(*parsed, options);
  return program ? "no error" : toText(program.takeError());
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
  std::string membranes =
      "  %v = snn.integrator %i {layer = \"out\"} : !snn.current<3xf32> -> "
      "!snn.current<3xf32>\n  %y = snn.decode membrane %v : !snn.current<3xf32> "
      "-> tensor<3xf32>\n  return %y : tensor<3xf32>\n";
  EXPECT_THAT(errorOf(kDense + membranes), HasSubstr("layer 'out' is snn.integrator in f32"));
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
  CircuitOptions options;
  for (const char *text : {"dense1", "dense1:", "dense1:x2", ":4", "dense1:4x", "dense1:-1"})
    EXPECT_THAT(toText(readLayerOption(text, options)),
                HasSubstr(std::string("found '") + text +
                          "', expected a layer and its lanes, as dense1:64, or with inputs at a "
                          "time, as dense1:64x4"));
  EXPECT_TRUE(options.layers.empty());
  llvm::cantFail(readLayerOption("dense1:8x2", options));
  EXPECT_EQ(options.layers["dense1"], (LayerOptions{8, 2}));
}

} // namespace
