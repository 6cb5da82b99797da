#include "lib/conversion/ann-to-snn/calibration/Calibration.h"

#include "lib/conversion/ann-to-snn/calibration/ThresholdSearch.h"
#include "lib/conversion/ann-to-snn/calibration/WeightFit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle {

namespace {

/// One calibration: the plan and the weights as far as they are settled.
class Calibration {
public:
  Calibration(mlir::ModuleOp trained, const Activations &wanted, const ConversionOptions &choices,
              SignalSource signals)
      : original(trained), ann(trained.clone()), activations(wanted), options(choices),
        source(signals), plan(planFromActivations(wanted, choices)) {}

  llvm::Expected<SpikingNetwork> run();

private:
  llvm::Expected<SpikingNetwork> convert() { return convertAnnToSnn(*ann, plan, options); }
  llvm::Error settleWeights(const std::string &layer, bool rectified);
  llvm::Error settleThresholds(size_t layer);
  llvm::Error balanceAnswers(size_t layer);
  llvm::Expected<std::vector<float>> means(mlir::ModuleOp network, const SignalTap &tap,
                                           size_t elements);

  mlir::ModuleOp original;
  mlir::OwningOpRef<mlir::ModuleOp> ann; // weights change
  const Activations &activations;
  const ConversionOptions &options;
  SignalSource source;
  ConversionPlan plan;
};

} // namespace

/// Means over the steps: samples × elements.
llvm::Expected<std::vector<float>> Calibration::means(mlir::ModuleOp network, const SignalTap &tap,
                                                      size_t elements) {
  std::vector<float> result(activations.samples * elements, 0);
  SPINDLE_RETURN_IF_ERROR(source(network, tap, [&](size_t sample, llvm::ArrayRef<float> signal) {
    float weight = float(elements) / float(signal.size());
    float *sums = result.data() + sample * elements;
    for (; !signal.empty(); signal = signal.drop_front(elements))
      for (size_t n = 0; n < elements; ++n)
        sums[n] += signal[n] * weight;
  }));
  return result;
}

llvm::Error Calibration::settleWeights(const std::string &layer, bool rectified) {
  snn::SynapseOp weighted;
  ann->walk([&](snn::SynapseOp op) {
    if (op.hasWeights() && snn::layerOf(op) == layer)
      weighted = op;
  });
  if (!canFitWeights(weighted))
    return llvm::Error::success();
  SPINDLE_ASSIGN(SpikingNetwork network, convert());
  auto scale = network.sourceScales.find(layer);
  if (scale == network.sourceScales.end())
    return llvm::Error::success(); // the host computes it
  size_t inputs = scale->second.size(), outputs = size_t(snn::sizeOf(weighted.getTarget()));
  SPINDLE_ASSIGN(std::vector<float> rates,
                 means(*network.module, {layer, SignalTap::Source}, inputs));
  SPINDLE_ASSIGN(std::vector<float> results, means(original, {layer, SignalTap::Result}, outputs));
  for (size_t k = 0; k < rates.size(); ++k)
    rates[k] *= scale->second[k % inputs];
  fitWeights(weighted, rates, results, options.ridge, rectified);
  return llvm::Error::success();
}

llvm::Error Calibration::settleThresholds(size_t layer) {
  SPINDLE_ASSIGN(SpikingNetwork network, convert());
  const LayerActivations &wanted = activations.layers[layer];
  size_t size = wanted.values.size() / activations.samples;
  ThresholdSearch search(plan.layers[layer], options, activations.samples);
  SPINDLE_RETURN_IF_ERROR(source(*network.module, {wanted.layer, SignalTap::Population},
                                 [&](size_t sample, llvm::ArrayRef<float> currents) {
                                   search.read(sample, currents,
                                               wanted.values.data() + sample * size);
                                 }));
  plan.layers[layer] = search.best();
  return llvm::Error::success();
}

/// The shift that makes the mean answers those of the ANN.
llvm::Error Calibration::balanceAnswers(size_t layer) {
  SPINDLE_ASSIGN(SpikingNetwork network, convert());
  if (network.summary.layers.back().neuron == kTensorAnswer)
    return llvm::Error::success(); // as trained
  const LayerActivations &wanted = activations.layers[layer];
  size_t size = wanted.values.size() / activations.samples;
  SPINDLE_ASSIGN(std::vector<float> found,
                 means(*network.module, {wanted.layer, SignalTap::Population}, size));
  std::vector<double> lack(size, 0);
  // Counted answers share the largest scale.
  const std::vector<float> &scales = plan.layers[layer].scale;
  bool membranes = options.decoding == DecodingChoice::Membrane;
  float unit = membranes ? 1 : *llvm::max_element(scales);
  for (size_t k = 0; k < found.size(); ++k)
    lack[k % size] += double(wanted.values[k]) - found[k] * unit;
  plan.layers[layer].shift.clear();
  for (double sum : lack)
    plan.layers[layer].shift.push_back(static_cast<float>(sum / double(activations.samples)));
  return llvm::Error::success();
}

llvm::Expected<SpikingNetwork> Calibration::run() {
  for (size_t layer = 0; layer < plan.layers.size(); ++layer) {
    if (options.staysTensor(activations.layers[layer].layer))
      continue;
    bool answers = layer + 1 == plan.layers.size() && !endsInRectifier(*ann);
    if (options.fitWeights)
      SPINDLE_RETURN_IF_ERROR(settleWeights(activations.layers[layer].layer, !answers));
    SPINDLE_RETURN_IF_ERROR(answers ? balanceAnswers(layer) : settleThresholds(layer));
  }
  SPINDLE_ASSIGN(SpikingNetwork network, convert());
  network.summary.calibrationSamples = activations.samples;
  return network;
}

llvm::Expected<SpikingNetwork> calibrate(mlir::ModuleOp ann, const Activations &activations,
                                         const ConversionOptions &options, SignalSource source) {
  SPINDLE_RETURN_IF_ERROR(checkActivations(activations));
  return Calibration(ann, activations, options, source).run();
}

} // namespace spindle
