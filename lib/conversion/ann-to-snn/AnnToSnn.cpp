#include "lib/conversion/ann-to-snn/AnnToSnn.h"

#include "dialects/location/Location.h"
#include "dialects/snn/Answers.h"
#include "lib/conversion/ann-to-snn/Converter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"

#include "fmt/format.h"

#include <cmath>

using namespace mlir;

namespace spindle {

static const char *nameOf(ConversionMethod method) {
  switch (method) {
  case ConversionMethod::Percentile:
    return "percentile";
  case ConversionMethod::Maximum:
    return "max";
  case ConversionMethod::Calibrated:
    return "calibrated";
  case ConversionMethod::FirstSpike:
    return "first_spike";
  case ConversionMethod::Auto:
    return "auto";
  }
  llvm_unreachable("conversion method");
}

/// The rectifier at the end of the network, or none.
static snn::ReluOp lastRectifier(ModuleOp ann) {
  auto function = ann.lookupSymbol<func::FuncOp>("main");
  if (!function || function.isExternal())
    return {};
  return snn::answeringRectifier(function.getBody().front().getTerminator()->getOperand(0));
}

bool endsInRectifier(ModuleOp ann) { return bool(lastRectifier(ann)); }

void warnOfRectifierAtEnd(ModuleOp ann, const ConversionOptions &options) {
  snn::ReluOp last = lastRectifier(ann);
  bool staysTensor = last && options.staysTensor(snn::layerOf(last));
  if (!last || staysTensor || options.decoding != DecodingChoice::Membrane)
    return;
  bool byTime = options.method == ConversionMethod::FirstSpike;
  Operation *end = ann.lookupSymbol<func::FuncOp>("main").getBody().front().getTerminator();
  emitWarning(end->getOperand(0).getLoc(), "the network ends in a rectifier, which has no "
                                           "membranes to read; ")
      << (byTime ? "the times of its spikes are read (conversion.decoding: first_spike)"
                 : "its spikes are counted (conversion.decoding: count)");
}

static llvm::Error notFinite(StringRef layer, StringRef what, double value) {
  return inputError("conversion",
                    fmt::format("layer '{}' has the {} {}, expected finite numbers; its weights or "
                                "its activations on the calibration samples are beyond 32 bits",
                                layer.str(), what.str(), value));
}

/// Weights and parameters are divided and multiplied by activations: what is tiny or huge in the
/// ANN may leave the numbers of 32 bits here.
static llvm::Error checkFinite(ModuleOp module, const ConversionSummary &summary) {
  for (const ConversionSummary::Layer &layer : summary.layers)
    for (double scale : layer.scale)
      if (!std::isfinite(scale))
        return notFinite(layer.name, "scale", scale);
  llvm::Error error = llvm::Error::success();
  auto check = [&](Operation *op, StringRef what, ArrayRef<float> values) {
    auto wrong = llvm::find_if(values, [](float value) { return !std::isfinite(value); });
    if (wrong != values.end() && !error)
      error = notFinite(snn::layerOf(op), what, *wrong);
  };
  module.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      if (auto values = dyn_cast<DenseF32ArrayAttr>(attribute.getValue()))
        check(op, attribute.getName().getValue(), values.asArrayRef());
    if (auto synapse = dyn_cast<snn::SynapseOp>(op); synapse && synapse.hasWeights())
      for (Value weights : op->getOperands().drop_front(synapse.getSources().size()))
        if (FailureOr<std::vector<float>> values = snn::constantFloats(weights); succeeded(values))
          check(op, "weight", *values);
  });
  return error;
}

llvm::Expected<SpikingNetwork> convertAnnToSnn(ModuleOp ann, const ConversionPlan &decided,
                                               const ConversionOptions &options) {
  auto function = ann.lookupSymbol<func::FuncOp>("main");
  if (!function || function.getNumArguments() != 1 || function.getNumResults() != 1)
    return inputError(placeOf(ann.getLoc()),
                      "expected a function @main with one input and one result");
  SPINDLE_RETURN_IF_ERROR(checkConversionOptions(options));
  SpikingNetwork network{ModuleOp::create(ann.getLoc()), {}, {}};
  OpBuilder builder(network.module->getBodyRegion());
  auto spiking =
      func::FuncOp::create(builder, function.getLoc(), "main", function.getFunctionType());
  spiking.addEntryBlock();

  ConversionPlan plan = decided;
  if (endsInRectifier(ann) && !plan.layers.empty())
    plan.layers.back().scale = {*llvm::max_element(plan.layers.back().scale)};
  Converter converter(function, spiking, plan, options);
  SPINDLE_RETURN_IF_ERROR(converter.run());
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(spiking.getBody().front())))
    if (isOpTriviallyDead(&op)) // weights that were replaced by rescaled ones
      op.erase();
  SPINDLE_RETURN_IF_ERROR(checkFinite(*network.module, converter.summary));
  if (failed(verify(*network.module)))
    return checkError("", "the converted network does not verify");
  network.summary = std::move(converter.summary);
  network.sourceScales = std::move(converter.sourceScales);
  network.summary.method = nameOf(options.method);
  network.summary.percentile = options.percentile;
  network.summary.steps = options.steps;
  return network;
}

llvm::Expected<SpikingNetwork> convertAnnToSnn(ModuleOp ann, const Activations &activations,
                                               const ConversionOptions &options) {
  SPINDLE_RETURN_IF_ERROR(checkActivations(activations));
  SPINDLE_ASSIGN(SpikingNetwork network,
                 convertAnnToSnn(ann, planFromActivations(activations, options), options));
  network.summary.calibrationSamples = activations.samples;
  return network;
}

} // namespace spindle
