// Constraints of populations, by the labels of NeuronOps.td.
#include "dialects/snn/Snn.h"

#include <cmath>

using namespace mlir;

namespace spindle::snn {

/// neuron_c1
template <typename T>
static LogicalResult verifyCount(Operation *op, StringRef name, ArrayRef<T> values) {
  Value population = op->getResult(0);
  size_t channels = shapeOf(population)[0], size = sizeOf(population);
  if (values.size() != 1 && values.size() != channels && values.size() != size)
    return op->emitOpError() << name << " has " << values.size() << " values, expected 1, "
                             << channels << " (one per channel) or " << size << " (one per neuron)";
  return success();
}

/// neuron_c1 for every array of floats, and neuron_c2.
static LogicalResult verifyPopulation(Operation *op) {
  for (Value source : op->getOperands())
    if (shapeOf(source) != shapeOf(op->getResult(0)))
      return op->emitOpError("input and output must have the same shape");
  for (NamedAttribute attribute : op->getAttrs()) {
    auto parameter = dyn_cast<DenseF32ArrayAttr>(attribute.getValue());
    if (!parameter)
      continue;
    ArrayRef<float> values = parameter.asArrayRef();
    if (failed(verifyCount(op, attribute.getName(), values)))
      return failure();
    if (llvm::any_of(values, [](float value) { return !std::isfinite(value); }))
      return op->emitOpError() << attribute.getName().getValue() << " must be finite";
  }
  return success();
}

/// neuron_c3
static LogicalResult verifyThreshold(Operation *op, Reset reset, ArrayRef<float> threshold,
                                     ArrayRef<float> vReset) {
  if (reset == Reset::Subtract) {
    if (llvm::any_of(threshold, [](float value) { return value <= 0; }))
      return op->emitOpError("threshold must be positive");
    return success();
  }
  size_t count = std::max(threshold.size(), vReset.size());
  auto value = [&](ArrayRef<float> parameter, size_t n) {
    return parameter[n / (count / parameter.size())];
  };
  for (size_t n = 0; n < count; ++n)
    if (value(threshold, n) <= value(vReset, n))
      return op->emitOpError("threshold must exceed v_reset");
  return success();
}

/// What all spiking populations have in common.
template <typename Op> static LogicalResult verifyFiring(Op op, bool exactCrossing) {
  if (failed(verifyPopulation(op)) ||
      failed(verifyThreshold(op, op.getReset(), op.getThreshold(), op.getVReset())) ||
      failed(verifyCount(op, "refractory", op.getRefractory())))
    return failure();
  if (llvm::any_of(op.getRefractory(), [](int64_t steps) { return steps < 0; }))
    return op.emitOpError("refractory must be zero or more steps");
  if (int64_t(op.getMaxSpikes()) < 1)
    return op.emitOpError("max_spikes must be at least one");
  if (op.getMaxSpikes() > 1 && op.getReset() != Reset::Subtract && !exactCrossing)
    return op.emitOpError("max_spikes above one needs reset subtract or exact_crossing");
  return success();
}

/// lif_c1
static LogicalResult verifyTau(Operation *op, StringRef name, ArrayRef<float> tau,
                               Discretization discretization) {
  bool euler = discretization == Discretization::Euler;
  if (euler && llvm::any_of(tau, [](float value) { return value < 1; }))
    return op->emitOpError() << name << " must be at least one step";
  if (!euler && llvm::any_of(tau, [](float value) { return value <= 0; }))
    return op->emitOpError() << name << " must be positive";
  return success();
}

/// cuba_c1
template <typename Op> static LogicalResult verifyNoCrossing(Op op) {
  if (op.getDiscretization() == Discretization::ExactCrossing)
    return op.emitOpError("crossings have no closed form here, expected discretization euler or "
                          "exact");
  return success();
}

LogicalResult IfOp::verify() {
  return verifyFiring(*this, getDiscretization() == Discretization::ExactCrossing);
}

LogicalResult LifOp::verify() {
  return failure(
      failed(verifyFiring(*this, getDiscretization() == Discretization::ExactCrossing)) ||
      failed(verifyTau(*this, "tau", getTau(), getDiscretization())));
}

/// fixed_c1
static LogicalResult verifyDecay(Operation *op, int64_t decay, int64_t bits) {
  if (bits < 1 || bits > 28 || decay < 0 || decay > int64_t(1) << bits)
    return op->emitOpError("decay_bits must be 1 to 28, decay 0 to 2^decay_bits");
  return success();
}

/// fixed_c2, and fixed_c3 for the parameters given.
static LogicalResult verifyWidths(Operation *op, int64_t shift, int64_t width,
                                  ArrayRef<ArrayRef<float>> parameters, const char *names) {
  if (shift < 0 || shift > 23 || width < 2 || width > 25)
    return op->emitOpError("weight_shift must be 0 to 23, membrane_bits 2 to 25");
  auto most = static_cast<float>((int64_t(1) << (width - 1)) - 1);
  for (ArrayRef<float> values : parameters)
    for (float value : values)
      if (value != std::trunc(value) || std::abs(value) > most)
        return op->emitOpError() << names << " must be integers of " << width << " bits";
  return success();
}

template <typename Op> static LogicalResult verifyFixedFiring(Op op) {
  return failure(
      failed(verifyFiring(op, false)) ||
      failed(verifyDecay(op, int64_t(op.getDecay()), int64_t(op.getDecayBits()))) ||
      failed(verifyWidths(op, int64_t(op.getWeightShift()), int64_t(op.getMembraneBits()),
                          {op.getThreshold(), op.getVReset(), op.getInitialMembrane()},
                          "threshold, v_reset and initial_membrane")));
}

LogicalResult FixedLifOp::verify() { return verifyFixedFiring(*this); }

LogicalResult FixedCubaLifOp::verify() {
  return failure(failed(verifyFixedFiring(*this)) ||
                 failed(verifyDecay(*this, int64_t(getDecaySyn()), int64_t(getDecayBits()))));
}

LogicalResult FixedLiOp::verify() {
  return failure(failed(verifyPopulation(*this)) ||
                 failed(verifyDecay(*this, int64_t(getDecay()), int64_t(getDecayBits()))) ||
                 failed(verifyWidths(*this, int64_t(getWeightShift()), int64_t(getMembraneBits()),
                                     {getInitialMembrane()}, "initial_membrane")));
}

LogicalResult CubaLifOp::verify() {
  return failure(failed(verifyFiring(*this, false)) || failed(verifyNoCrossing(*this)) ||
                 failed(verifyTau(*this, "tau", getTau(), getDiscretization())) ||
                 failed(verifyTau(*this, "tau_syn", getTauSyn(), getDiscretization())));
}

LogicalResult DualCubaLifOp::verify() {
  return failure(failed(verifyFiring(*this, false)) || failed(verifyNoCrossing(*this)) ||
                 failed(verifyTau(*this, "tau", getTau(), getDiscretization())) ||
                 failed(verifyTau(*this, "tau_exc", getTauExc(), getDiscretization())) ||
                 failed(verifyTau(*this, "tau_inh", getTauInh(), getDiscretization())));
}

LogicalResult CobaLifOp::verify() {
  return failure(failed(verifyFiring(*this, false)) ||
                 failed(verifyTau(*this, "tau", getTau(), Discretization::Euler)) ||
                 failed(verifyTau(*this, "tau_exc", getTauExc(), Discretization::Euler)) ||
                 failed(verifyTau(*this, "tau_inh", getTauInh(), Discretization::Euler)));
}

LogicalResult FirstSpikeOp::verify() {
  if (failed(verifyPopulation(*this)))
    return failure();
  if (int64_t(getStart()) < 0 || int64_t(getWindow()) < 1)
    return emitOpError("start must be zero or more steps, window at least one");
  return success();
}

LogicalResult IntegratorOp::verify() { return verifyPopulation(*this); }

LogicalResult RectifierOp::verify() {
  if (failed(verifyPopulation(*this)))
    return failure();
  if (getMaximum() && llvm::any_of(*getMaximum(), [](float value) { return value <= 0; }))
    return emitOpError("maximum must be positive");
  return success();
}

LogicalResult LiOp::verify() {
  return failure(failed(verifyPopulation(*this)) || failed(verifyNoCrossing(*this)) ||
                 failed(verifyTau(*this, "tau", getTau(), getDiscretization())));
}

LogicalResult CubaLiOp::verify() {
  return failure(failed(verifyPopulation(*this)) || failed(verifyNoCrossing(*this)) ||
                 failed(verifyTau(*this, "tau", getTau(), getDiscretization())) ||
                 failed(verifyTau(*this, "tau_syn", getTauSyn(), getDiscretization())));
}

} // namespace spindle::snn
