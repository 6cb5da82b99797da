// From time constants to the coefficients of one step.
#include "dialects/snn/Snn.h"

#include <cmath>

using namespace mlir;

namespace spindle::snn {

/// neuron_c1, filled up to one value per neuron unless it is one for all.
template <typename T> static std::vector<T> perNeuron(ArrayRef<T> parameter, Value population) {
  size_t size = sizeOf(population);
  if (parameter.size() == 1)
    return parameter.vec();
  std::vector<T> result(size);
  for (size_t n = 0; n < size; ++n)
    result[n] = parameter[n / (size / parameter.size())];
  return result;
}

/// What a state loses per step towards its rest: 1 / tau by Euler, else 1 − exp(−1 / tau).
static std::vector<float> rates(std::vector<float> tau, bool exact) {
  for (float &value : tau)
    value = exact ? static_cast<float>(-std::expm1(-1.0 / value)) : 1.0f / value;
  return tau;
}

/// How much of a synaptic state at the start of a step the membrane has taken up at its end:
/// ∫₀¹ exp(−(1 − t) / tau) · exp(−t / tauSyn) dt / tau.
static float coupling(double tauSyn, double tau) {
  double near = 1e-6 * tau; // the difference quotient loses all digits
  if (std::abs(tauSyn - tau) < near)
    return static_cast<float>(std::exp(-1 / tau) / tau);
  return static_cast<float>(tauSyn / (tauSyn - tau) * (std::exp(-1 / tauSyn) - std::exp(-1 / tau)));
}

static std::vector<float> couplings(const std::vector<float> &tauSyn,
                                    const std::vector<float> &tau) {
  std::vector<float> result(std::max(tauSyn.size(), tau.size()));
  for (size_t n = 0; n < result.size(); ++n)
    result[n] = coupling(valueAt(tauSyn, n), valueAt(tau, n));
  return result;
}

/// What all spiking populations have in common.
template <typename Op> static void addFiring(NeuronModel &model, Op op) {
  Value population = op.getOutput();
  model.resetBySubtraction = op.getReset() == Reset::Subtract;
  model.threshold = perNeuron(op.getThreshold(), population);
  model.reset = perNeuron(op.getVReset(), population);
  model.refractory = perNeuron(op.getRefractory(), population);
  model.maxSpikes = op.getMaxSpikes();
}

/// Membranes that leak, with an input of any kind.
template <typename Op> static void addLeak(NeuronModel &model, Op op, bool exact) {
  model.tau = perNeuron(op.getTau(), op.getOutput());
  model.rate = rates(model.tau, exact);
  model.leak = perNeuron(op.getVLeak(), op.getOutput());
}

template <typename Op> static NeuronModel leaky(NeuronKind kind, Op op) {
  NeuronModel model;
  model.kind = kind;
  model.initial = perNeuron(op.getInitialMembrane(), op.getOutput());
  model.resistance = perNeuron(op.getR(), op.getOutput());
  addLeak(model, op, op.getDiscretization() != Discretization::Euler);
  return model;
}

template <typename Op> static NeuronModel cuba(NeuronKind kind, Op op) {
  NeuronModel model = leaky(kind, op);
  std::vector<float> tauSyn = perNeuron(op.getTauSyn(), op.getOutput());
  model.exactSynapse = op.getDiscretization() == Discretization::Exact;
  model.synapseRate = rates(tauSyn, model.exactSynapse);
  model.synapseGain = perNeuron(op.getWIn(), op.getOutput());
  if (model.exactSynapse)
    model.synapseCoupling = couplings(tauSyn, model.tau);
  return model;
}

NeuronModel IfOp::neuronModel() {
  NeuronModel model;
  model.kind = NeuronKind::IntegrateAndFire;
  model.initial = perNeuron(getInitialMembrane(), getOutput());
  model.resistance = perNeuron(getR(), getOutput());
  model.exactCrossing = getDiscretization() == Discretization::ExactCrossing;
  addFiring(model, *this);
  return model;
}

NeuronModel LifOp::neuronModel() {
  NeuronModel model = leaky(NeuronKind::LeakyIntegrateAndFire, *this);
  model.exactCrossing = getDiscretization() == Discretization::ExactCrossing;
  addFiring(model, *this);
  return model;
}

/// Of a state that loses `decay` of 2^decayBits per step.
static FixedPoint fixedState(uint64_t decay, uint64_t decayBits, uint64_t weightShift,
                             uint64_t bits) {
  return {(int64_t(1) << decayBits) - int64_t(decay), int64_t(1) << decayBits,
          int64_t(1) << weightShift, (int64_t(1) << (bits - 1)) - 1};
}

/// `weightShift` is zero for membranes that follow a synaptic current.
template <typename Op> static NeuronModel fixed(NeuronKind kind, Op op, uint64_t weightShift) {
  NeuronModel model;
  model.kind = kind;
  model.initial = perNeuron(op.getInitialMembrane(), op.getOutput());
  model.fixedPoint =
      fixedState(op.getDecay(), op.getDecayBits(), weightShift, op.getMembraneBits());
  return model;
}

NeuronModel FixedLifOp::neuronModel() {
  NeuronModel model = fixed(NeuronKind::FixedLeakyIntegrateAndFire, *this, getWeightShift());
  addFiring(model, *this);
  return model;
}

NeuronModel FixedCubaLifOp::neuronModel() {
  NeuronModel model = fixed(NeuronKind::FixedCubaLeakyIntegrateAndFire, *this, 0);
  model.fixedSynapse =
      fixedState(getDecaySyn(), getDecayBits(), getWeightShift(), getMembraneBits());
  addFiring(model, *this);
  return model;
}

NeuronModel FixedLiOp::neuronModel() {
  return fixed(NeuronKind::FixedLeakyIntegrator, *this, getWeightShift());
}

NeuronModel CubaLifOp::neuronModel() {
  NeuronModel model = cuba(NeuronKind::CubaLeakyIntegrateAndFire, *this);
  addFiring(model, *this);
  return model;
}

NeuronModel DualCubaLifOp::neuronModel() {
  bool exact = getDiscretization() != Discretization::Euler;
  NeuronModel model;
  model.kind = NeuronKind::DualCubaLeakyIntegrateAndFire;
  model.initial = perNeuron(getInitialMembrane(), getOutput());
  addFiring(model, *this);
  addLeak(model, *this, exact);
  auto receptor = [&](ArrayRef<float> tau) {
    std::vector<float> times = perNeuron(tau, getOutput());
    return Receptor{
        rates(times, exact), exact ? couplings(times, model.tau) : rates(model.tau, false), {}};
  };
  model.excitatory = receptor(getTauExc());
  model.inhibitory = receptor(getTauInh());
  return model;
}

NeuronModel CobaLifOp::neuronModel() {
  NeuronModel model;
  model.kind = NeuronKind::CobaLeakyIntegrateAndFire;
  model.initial = perNeuron(getInitialMembrane(), getOutput());
  addFiring(model, *this);
  addLeak(model, *this, /*exact=*/false);
  auto receptor = [&](ArrayRef<float> tau, ArrayRef<float> reversal) {
    return Receptor{
        rates(perNeuron(tau, getOutput()), false), {}, perNeuron(reversal, getOutput())};
  };
  model.excitatory = receptor(getTauExc(), getEExc());
  model.inhibitory = receptor(getTauInh(), getEInh());
  return model;
}

NeuronModel FirstSpikeOp::neuronModel() {
  NeuronModel model;
  model.kind = NeuronKind::FirstSpike;
  model.initial = perNeuron(getInitialMembrane(), getOutput());
  model.threshold = {static_cast<float>(getWindow() + 1)};
  model.sustained = true;
  model.start = getStart();
  model.window = getWindow();
  return model;
}

NeuronModel IntegratorOp::neuronModel() {
  NeuronModel model;
  model.kind = NeuronKind::Integrator;
  model.initial = perNeuron(getInitialMembrane(), getOutput());
  model.resistance = perNeuron(getR(), getOutput());
  model.sustained = getSustained();
  return model;
}

NeuronModel LiOp::neuronModel() { return leaky(NeuronKind::LeakyIntegrator, *this); }

NeuronModel RectifierOp::neuronModel() {
  NeuronModel model;
  model.kind = NeuronKind::Rectifier;
  model.initial = {0};
  model.resistance = perNeuron(getR(), getOutput());
  if (getMaximum())
    model.maximum = perNeuron(*getMaximum(), getOutput());
  return model;
}

NeuronModel CubaLiOp::neuronModel() { return cuba(NeuronKind::CubaLeakyIntegrator, *this); }

} // namespace spindle::snn
