#include "dialects/snn/transforms/QuantizedLayers.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace mlir;

namespace spindle::snn {

namespace {

/// Whether the inputs of a layer are at most one in a step: spikes that neurons or encoders make
/// once, averages and maxima of these.
bool takesOneSpike(WeightedLayer &layer) {
  Value signal = layer.op->getOperand(0);
  while (isa_and_nonnull<ReshapeOp, TransposeOp, AvgPool2dOp, MaxPool2dOp, DelayOp>(
      signal.getDefiningOp()))
    signal = signal.getDefiningOp()->getOperand(0);
  if (auto neurons = signal.getDefiningOp<NeuronOp>())
    return neurons.neuronModel().maxSpikes == 1 && isa<SpikeBundleType>(signal.getType());
  auto encode = signal.getDefiningOp<EncodeOp>();
  return encode && encode.getEncoding() != Encoding::Direct &&
         encode.getEncoding() != Encoding::Events;
}

} // namespace

void silenceChannels(WeightTarget &target, unsigned steps) {
  auto neurons = dyn_cast<IfOp>(target.neurons.getOperation());
  if (!neurons || target.layers.size() != 1 || !takesOneSpike(target.layers[0]) ||
      !llvm::all_of(target.views, [](Operation *view) { return isa<ReshapeOp>(view); }))
    return;
  WeightedLayer &layer = target.layers[0];
  NeuronModel model = target.neurons.neuronModel();
  size_t perRow = size_t(sizeOf(neurons.getOutput())) / layer.rows;
  std::vector<double> drive(layer.rows, 0);
  for (size_t k = 0; k < layer.weights.size(); ++k)
    drive[layer.row[k]] += std::max(layer.weights[k], 0.0f);
  std::vector<float> least(layer.rows, INFINITY); // threshold of a silent channel
  float most = 0;                                 // threshold of the others, in units
  for (size_t o = 0; o < layer.rows; ++o) {
    double each = std::max(0.0, drive[o] + (layer.bias.empty() ? 0.0 : double(layer.bias[o])));
    bool isSilent = true;
    for (size_t n = o * perRow; n < (o + 1) * perRow; ++n) {
      float threshold = valueAt(model.threshold, n);
      double start = std::max(valueAt(model.initial, n), valueAt(model.reset, n));
      isSilent &=
          threshold > 0 && start <= 0.75 * threshold && start + 1.001 * steps * each < threshold;
      least[o] = std::min(least[o], threshold);
    }
    if (!isSilent)
      most = std::max(most, std::exchange(least[o], INFINITY) / layer.currentUnit(o));
  }
  // Enough that a membrane of three quarters of a threshold is rounded to less than it.
  most = std::max(most > 0 ? most : layer.levels, 8.0f);
  for (size_t k = 0; k < layer.weights.size(); ++k)
    if (least[layer.row[k]] < INFINITY)
      layer.weights[k] = 0;
  for (size_t o = 0; o < layer.rows; ++o)
    if (least[o] < INFINITY) {
      layer.unit[o] = least[o] / most * layer.averages.window;
      if (!layer.bias.empty())
        layer.bias[o] = 0;
    }
}

} // namespace spindle::snn
