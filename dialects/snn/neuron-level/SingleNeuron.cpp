// Parameters of snn.neuron: where they come from and what they may be.
#include "dialects/snn/Snn.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;

namespace spindle::snn {

/// The attribute of the operation, else `snn.lif.NAME` of the module around it.
static std::optional<float> parameterOf(SingleNeuronOp op, StringRef name) {
  auto attribute = op->getAttrOfType<FloatAttr>(name);
  if (auto module = op->getParentOfType<ModuleOp>(); module && !attribute)
    attribute = module->getAttrOfType<FloatAttr>(("snn.lif." + name).str());
  if (!attribute || !attribute.getType().isF32())
    return std::nullopt;
  return attribute.getValue().convertToFloat();
}

static std::optional<float> toFloat(const std::optional<APFloat> &value) {
  return value ? std::optional<float>(value->convertToFloat()) : std::nullopt;
}

SingleNeuron SingleNeuronOp::parameters() {
  SingleNeuron neuron;
  neuron.decay = parameterOf(*this, "k").value_or(neuron.decay);
  neuron.threshold = parameterOf(*this, "vth").value_or(neuron.threshold);
  neuron.rest = parameterOf(*this, "vrest").value_or(neuron.rest);
  neuron.resetBySubtraction = getReset() == Reset::Subtract;
  neuron.reset = toFloat(getVReset()).value_or(neuron.rest);
  neuron.initial = toFloat(getInitialMembrane()).value_or(neuron.rest);
  neuron.refractory = getRefractory().convertToFloat();
  neuron.maxSpikes = int64_t(getMaxSpikes());
  neuron.until = toFloat(getUntil());
  neuron.step = toFloat(getStep());
  if (getSteps())
    neuron.steps = int64_t(*getSteps());
  neuron.resistance = getR().convertToFloat();
  return neuron;
}

/// neuron_level_c1
static LogicalResult verifyWeights(SingleNeuronOp op) {
  if (!op.getWeights())
    return success();
  Type input = op.getSpikes().getType();
  SmallVector<int64_t> expected(shapeOf(input)); // of a train: none
  if (isa<SpikeTrainType>(input))
    expected.push_back(1);
  if (failed(verifyCompatibleShape(shapeOf(op.getWeights()), expected)))
    return op.emitOpError("weights are ")
           << op.getWeights().getType() << ", expected one for each train of " << input;
  return success();
}

/// neuron_level_c2
static LogicalResult verifyPresent(SingleNeuronOp op) {
  for (StringRef name : {"k", "vth", "vrest"})
    if (!parameterOf(op, name))
      return op.emitOpError() << name << " is missing, expected an f32 attribute " << name
                              << " here or snn.lif." << name << " of the module";
  return success();
}

/// neuron_level_c3
static LogicalResult verifyNumbers(SingleNeuronOp op, const SingleNeuron &neuron) {
  struct Bound {
    StringRef name;
    float value, least;
  };
  float any = -std::numeric_limits<float>::infinity();
  for (Bound bound : {Bound{"k", neuron.decay, 0},
                      {"vth", neuron.threshold, any},
                      {"vrest", neuron.rest, any},
                      {"v_reset", neuron.reset, any},
                      {"initial_membrane", neuron.initial, any},
                      {"refractory", neuron.refractory, 0},
                      {"until", neuron.until.value_or(0), 0},
                      {"r", neuron.resistance, any},
                      {"step", neuron.step.value_or(1), 0}}) {
    if (!std::isfinite(bound.value))
      return op.emitOpError() << bound.name << " must be finite";
    if (bound.value < bound.least)
      return op.emitOpError() << bound.name << " must not be negative";
  }
  if (neuron.step == 0.0f)
    return op.emitOpError("step must be positive");
  for (int64_t count : {neuron.steps.value_or(1), neuron.maxSpikes})
    if (count < 1 || count > SingleNeuron::kMostSteps)
      return op.emitOpError("steps and max_spikes must be 1 to 16777216");
  return success();
}

LogicalResult SingleNeuronOp::verify() {
  if (failed(verifyWeights(*this)) || failed(verifyPresent(*this)))
    return failure();
  SingleNeuron neuron = parameters();
  if (failed(verifyNumbers(*this, neuron)))
    return failure();
  if (!neuron.step && (neuron.steps || neuron.resistance != 1)) // neuron_level_c4
    return emitOpError("steps and r need step: without it the neuron runs in continuous time");
  if (neuron.step && neuron.until)
    return emitOpError("until is for continuous time, with step the run has a number of steps");
  if (neuron.resetBySubtraction && !(neuron.threshold > 0)) // neuron_level_c6
    return emitOpError("reset by subtraction needs a positive vth");
  if (neuron.step)
    return success();
  for (auto [name, value] : {std::pair<StringRef, float>{"vrest", neuron.rest},
                             {"v_reset", neuron.reset},
                             {"initial_membrane", neuron.initial}})
    if (!(value < neuron.threshold)) // neuron_level_c5
      return emitOpError() << name << " must be below vth";
  return success();
}

} // namespace spindle::snn
