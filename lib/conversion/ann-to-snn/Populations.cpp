// The populations of a converted network: after rectifiers, after poolings, at the end.
#include "lib/conversion/ann-to-snn/Converter.h"

#include "dialects/location/Location.h"
#include "dialects/snn/Answers.h"

#include "fmt/format.h"

#include <algorithm>

using namespace mlir;

namespace spindle {

Value Converter::spiking(Value current, const Signal &signal, const LayerPlan &layer,
                         StringRef layerName) {
  Location location = current.getLoc();
  StringAttr name = builder.getStringAttr(layerName);
  auto all = [&](double value) { return builder.getDenseF32ArrayAttr({float(value)}); };
  auto bundle = snn::SpikeBundleType::get(builder.getContext(), snn::shapeOf(current));
  if (temporal()) {
    std::vector<float> initial(signal.constant);
    for (float &membrane : initial)
      membrane += 0.5f; // times are rounded down
    return snn::FirstSpikeOp::create(builder, location, bundle, current, signal.depth * window,
                                     window, builder.getDenseF32ArrayAttr(initial), name);
  }
  auto reset = options.reset == ResetChoice::Subtract ? snn::Reset::Subtract : snn::Reset::Zero;
  DenseF32ArrayAttr initial = builder.getDenseF32ArrayAttr(layer.initialMembrane);
  DenseI64ArrayAttr refractory = builder.getDenseI64ArrayAttr({0});
  if (options.neuron == NeuronChoice::IntegrateAndFire)
    return snn::IfOp::create(builder, location, bundle, current, reset, all(1), all(0), initial,
                             refractory, options.maxSpikes, name, all(1),
                             snn::Discretization::Euler);
  // r = tau: the current enters whole, as with the integrate-and-fire neuron.
  return snn::LifOp::create(builder, location, bundle, current, reset, all(1), all(0), initial,
                            refractory, options.maxSpikes, name, all(options.tauSteps),
                            all(options.tauSteps), all(0), snn::Discretization::Euler);
}

/// A pooling of spikes with neurons of its own: windows pass the scale on, so the threshold stays
/// one.
Value Converter::poolIntoPopulation(snn::SynapseOp clone, const Signal &signal) {
  std::string name = fmt::format("pool{}", ++pools);
  LayerPlan pooled;
  pooled.initialMembrane = {static_cast<float>(options.initialMembrane)};
  summary.layers.push_back(
      {name, options.neuron == NeuronChoice::IntegrateAndFire ? "if" : "lif", {}});
  return spiking(clone.getTarget(), signal, pooled, name);
}

/// The value behind views.
static Value behindViews(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<snn::ReshapeOp, snn::TransposeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

llvm::Error Converter::convertResult(func::ReturnOp op) {
  if (isa<BlockArgument>(behindViews(op.getOperand(0))))
    return inputError(placeOf(op.getLoc()), "the result of the network is its input, expected "
                                            "layers in between");
  Value value = values.lookup(op.getOperand(0));
  if (late.contains(op.getOperand(0)))
    return answerInTensors(op, value);
  Signal signal = signals.lookup(value);
  // After a rectifier there are only spikes to read.
  bool isPopulation = isa<snn::SpikeBundleType>(value.getType());
  bool membranes = !isPopulation && (options.decoding == DecodingChoice::Membrane || temporal());
  if (!isPopulation) {
    const LayerPlan *layer = nextPlan(op.getOperand(0));
    if (!layer)
      return checkError(placeOf(op.getLoc()),
                        "the calibration activations do not belong to this network");
    // Answers are compared with each other: one scale for all of them.
    LayerPlan last = *layer;
    last.scale = {membranes ? 1 : *llvm::max_element(layer->scale)};
    std::string name = snn::answerName(op.getOperand(0));
    std::vector<float> scale(snn::sizeOf(value), last.scale[0]), shift(scale.size());
    for (size_t n = 0; n < shift.size(); ++n)
      shift[n] = layer->shift[n / (shift.size() / layer->shift.size())];
    value = finish(value, signal, scale, shift);
    if (membranes)
      value = snn::IntegratorOp::create(
          builder, op.getLoc(), value.getType(), value,
          builder.getDenseF32ArrayAttr(temporal() ? signal.constant : std::vector<float>{0}),
          builder.getStringAttr(name), builder.getDenseF32ArrayAttr({1}),
          temporal() ? builder.getUnitAttr() : UnitAttr());
    else
      value = spiking(value, signal, last, name);
    summary.layers.push_back(
        {name, membranes ? "integrator" : "if", {last.scale.begin(), last.scale.end()}});
  }
  snn::Decoding decoding = snn::Decoding::Membrane;
  bool byTime = options.decoding == DecodingChoice::FirstSpike ||
                (temporal() && options.decoding != DecodingChoice::Count);
  if (!membranes)
    decoding = byTime ? snn::Decoding::FirstSpike : snn::Decoding::Count;
  auto type = RankedTensorType::get(snn::shapeOf(value), builder.getF32Type());
  Value answer = snn::DecodeOp::create(builder, op.getLoc(), type, value, decoding, IntegerAttr());
  func::ReturnOp::create(builder, op.getLoc(), answer);
  return llvm::Error::success();
}

} // namespace spindle
