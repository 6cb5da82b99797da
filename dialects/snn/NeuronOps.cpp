// Populations, encoders and decoders: constraints and models.
#include "dialects/snn/Snn.h"

#include <cmath>

using namespace mlir;

namespace spindle::snn {

/// neuron_c1, filled up to one value per neuron unless it is one for all.
static std::vector<float> perNeuron(ArrayRef<float> parameter, Value population) {
  size_t size = sizeOf(population);
  if (parameter.size() == 1)
    return parameter.vec();
  std::vector<float> result(size);
  for (size_t n = 0; n < size; ++n)
    result[n] = parameter[n / (size / parameter.size())];
  return result;
}

static LogicalResult verifyParameter(Operation *op, StringRef name, ArrayRef<float> values) {
  Value population = op->getResult(0);
  size_t channels = shapeOf(population)[0], size = sizeOf(population);
  if (values.size() != 1 && values.size() != channels && values.size() != size)
    return op->emitOpError() << name << " has " << values.size() << " values, expected 1, "
                             << channels << " (one per channel) or " << size << " (one per neuron)";
  if (llvm::any_of(values, [](float value) { return !std::isfinite(value); }))
    return op->emitOpError() << name << " must be finite";
  return success();
}

static LogicalResult verifyShapes(Operation *op) {
  if (shapeOf(op->getOperand(0)) != shapeOf(op->getResult(0)))
    return op->emitOpError("input and output must have the same shape");
  return success();
}

static LogicalResult verifyThreshold(Operation *op, ArrayRef<float> threshold) {
  if (failed(verifyParameter(op, "threshold", threshold)))
    return failure();
  if (llvm::any_of(threshold, [](float value) { return value <= 0; }))
    return op->emitOpError("threshold must be positive");
  return success();
}

LogicalResult IfOp::verify() {
  return failure(failed(verifyShapes(*this)) || failed(verifyThreshold(*this, getThreshold())) ||
                 failed(verifyParameter(*this, "v_reset", getVReset())) ||
                 failed(verifyParameter(*this, "initial_membrane", getInitialMembrane())));
}

LogicalResult LifOp::verify() {
  if (failed(verifyShapes(*this)) || failed(verifyThreshold(*this, getThreshold())) ||
      failed(verifyParameter(*this, "tau", getTau())) ||
      failed(verifyParameter(*this, "r", getR())) ||
      failed(verifyParameter(*this, "v_leak", getVLeak())) ||
      failed(verifyParameter(*this, "v_reset", getVReset())) ||
      failed(verifyParameter(*this, "initial_membrane", getInitialMembrane())))
    return failure();
  if (llvm::any_of(getTau(), [](float value) { return value < 1; }))
    return emitOpError("tau must be at least one step");
  return success();
}

LogicalResult IntegratorOp::verify() {
  return failure(failed(verifyShapes(*this)) ||
                 failed(verifyParameter(*this, "initial_membrane", getInitialMembrane())));
}

NeuronModel IfOp::neuronModel() {
  NeuronModel model;
  model.kind = NeuronKind::IntegrateAndFire;
  model.resetBySubtraction = getReset() == Reset::Subtract;
  model.threshold = perNeuron(getThreshold(), getOutput());
  model.reset = perNeuron(getVReset(), getOutput());
  model.initial = perNeuron(getInitialMembrane(), getOutput());
  return model;
}

NeuronModel LifOp::neuronModel() {
  NeuronModel model;
  model.kind = NeuronKind::LeakyIntegrateAndFire;
  model.resetBySubtraction = getReset() == Reset::Subtract;
  model.threshold = perNeuron(getThreshold(), getOutput());
  model.reset = perNeuron(getVReset(), getOutput());
  model.initial = perNeuron(getInitialMembrane(), getOutput());
  model.rate = perNeuron(getTau(), getOutput());
  for (float &rate : model.rate)
    rate = 1.0f / rate;
  model.resistance = perNeuron(getR(), getOutput());
  model.leak = perNeuron(getVLeak(), getOutput());
  return model;
}

NeuronModel IntegratorOp::neuronModel() {
  NeuronModel model;
  model.kind = NeuronKind::Integrator;
  model.initial = perNeuron(getInitialMembrane(), getOutput());
  return model;
}

LogicalResult EncodeOp::verify() {
  if (failed(verifyShapes(*this)))
    return failure();
  bool spikes = isa<SpikeBundleType>(getOutput().getType());
  if (spikes != (getEncoding() == Encoding::Poisson))
    return emitOpError(stringifyEncoding(getEncoding()))
           << " encoding makes " << (spikes ? "current" : "spikes") << ", the output is "
           << getOutput().getType();
  if (!(getMaximum().convertToFloat() > 0))
    return emitOpError("maximum must be positive");
  return success();
}

LogicalResult DecodeOp::verify() {
  if (failed(verifyShapes(*this)))
    return failure();
  bool spikes = isa<SpikeBundleType>(getInput().getType());
  if (spikes != (getDecoding() == Decoding::Count))
    return emitOpError(stringifyDecoding(getDecoding()))
           << " decoding reads " << (spikes ? "a current" : "spikes") << ", the input is "
           << getInput().getType();
  return success();
}

} // namespace spindle::snn
