#include "core/support/Decimal.h"
#include "dialects/location/Location.h"
#include "lib/conversion/ReplaceModule.h"
#include "lib/conversion/ann-to-snn/AnnToSnn.h"
#include "lib/conversion/ann-to-snn/Passes.h"

#include "fmt/format.h"

#include <cmath>

using namespace mlir;

namespace spindle {

#define GEN_PASS_DEF_CONVERTANNTOSNN
#include "lib/conversion/ann-to-snn/Passes.h.inc"

namespace {

/// What populations are made of, in order: the rectifiers, then the answer if none makes it.
llvm::SmallVector<Value> layersIn(ModuleOp ann) {
  llvm::SmallVector<Value> layers;
  auto function = ann.lookupSymbol<func::FuncOp>("main");
  if (!function || function.isExternal() || function.getNumResults() != 1)
    return layers; // the conversion says so
  Block &body = function.getBody().front();
  for (snn::ReluOp relu : body.getOps<snn::ReluOp>())
    layers.push_back(relu.getOutput());
  if (!endsInRectifier(ann))
    layers.push_back(body.getTerminator()->getOperand(0));
  return layers;
}

/// `6.5`, or one per channel: `0.5:0.25:1`.
llvm::Expected<std::vector<float>> readScale(llvm::StringRef text) {
  std::vector<float> scale;
  for (llvm::StringRef each : llvm::split(text, ':')) {
    double value = 0;
    if (!readDecimal(each, value) || !(value > 0) || !std::isfinite(float(value)) ||
        !(float(value) > 0))
      return inputError("", fmt::format("scales has '{}', expected finite numbers above zero, with "
                                        "colons between those of channels",
                                        text.str()));
    scale.push_back(float(value));
  }
  return scale;
}

struct ConvertAnnToSnnPass : impl::ConvertAnnToSnnBase<ConvertAnnToSnnPass> {
  using ConvertAnnToSnnBase::ConvertAnnToSnnBase;

  ConversionOptions choices() {
    ConversionOptions options;
    options.method = firstSpike ? ConversionMethod::FirstSpike : ConversionMethod::Percentile;
    options.encoding = encoding;
    options.steps = steps;
    options.neuron = neuron;
    options.tauSteps = tau;
    options.reset = reset;
    options.initialMembrane = initialMembrane;
    options.maxSpikes = maxSpikes;
    options.decoding = decoding;
    options.pooling = pooling;
    return options;
  }

  llvm::Expected<ConversionPlan> decide() {
    llvm::SmallVector<Value> layers = layersIn(getOperation());
    llvm::ArrayRef<std::string> given = *scales;
    if (given.size() != layers.size())
      return inputError("", fmt::format("scales has {} entries, expected {}: one for each snn.relu "
                                        "and one for the answer unless a snn.relu makes it",
                                        given.size(), layers.size()));
    ConversionPlan plan;
    plan.inputMaximum = inputMaximum;
    for (auto [layer, text] : llvm::zip_equal(layers, given)) {
      LayerPlan made;
      made.shape = snn::shapeOf(layer).vec();
      int64_t channels = made.shape.empty() ? 1 : made.shape[0];
      SPINDLE_ASSIGN(made.scale, readScale(text));
      if (made.scale.size() != 1 && int64_t(made.scale.size()) != channels)
        return inputError(placeOf(layer.getLoc()),
                          fmt::format("scales has {} numbers for this layer, expected 1 or {}, one "
                                      "for each channel",
                                      made.scale.size(), channels));
      made.initialMembrane = {float(initialMembrane)};
      plan.layers.push_back(std::move(made));
    }
    return plan;
  }

  llvm::Expected<SpikingNetwork> convert() {
    SPINDLE_ASSIGN(ConversionPlan decided, decide());
    return convertAnnToSnn(getOperation(), decided, choices());
  }

  void runOnOperation() override {
    if (failed(replaceModule(getOperation(), convert())))
      signalPassFailure();
  }
};

} // namespace

} // namespace spindle
