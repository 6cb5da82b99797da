// The pass, given the scales that a conversion chose, makes the same network.
#include "lib/conversion/ann-to-snn/Passes.h"

#include "tests/conversion/AnnToSnnFixture.h"

#include "mlir/Pass/PassManager.h"

#include "fmt/ranges.h"

namespace spindle {
namespace {

using test::AnnToSnn;

std::string programText(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

ConvertAnnToSnnOptions passOptions(const ConversionOptions &options,
                                   const ConversionSummary &summary, float inputMaximum) {
  ConvertAnnToSnnOptions result;
  for (const ConversionSummary::Layer &layer : summary.layers)
    result.scales.push_back(fmt::format("{}", fmt::join(layer.scale, ":")));
  result.inputMaximum = inputMaximum;
  result.encoding = options.encoding;
  result.firstSpike = options.method == ConversionMethod::FirstSpike;
  result.steps = options.steps;
  result.neuron = options.neuron;
  result.tau = options.tauSteps;
  result.reset = options.reset;
  result.initialMembrane = options.initialMembrane;
  result.maxSpikes = options.maxSpikes;
  result.decoding = options.decoding;
  result.pooling = options.pooling;
  return result;
}

TEST_F(AnnToSnn, ThePassMakesTheNetworkOfTheChosenScales) {
  std::vector<ConversionOptions> choices(4);
  choices[1].encoding = InputEncoding::Poisson;
  choices[1].perChannel = false;
  choices[1].decoding = DecodingChoice::Count;
  choices[1].maxSpikes = 3;
  choices[2].method = ConversionMethod::FirstSpike;
  choices[2].steps = 30;
  choices[3].neuron = NeuronChoice::LeakyIntegrateAndFire;
  choices[3].tauSteps = 12.5;
  choices[3].reset = ResetChoice::Zero;
  choices[3].initialMembrane = 0.25;
  choices[3].encoding = InputEncoding::Regular;
  for (const ConversionOptions &options : choices) {
    auto ann = parse(convolutional());
    Activations activations = calibrate(*ann, {randomInput(72), randomInput(72)});
    SpikingNetwork network = llvm::cantFail(convertAnnToSnn(*ann, activations, options));
    mlir::PassManager passes(&context);
    passes.addPass(
        createConvertAnnToSnn(passOptions(options, network.summary, activations.inputMaximum)));
    ASSERT_TRUE(mlir::succeeded(passes.run(*ann)));
    EXPECT_EQ(programText(*ann), programText(*network.module));
  }
}

} // namespace
} // namespace spindle
