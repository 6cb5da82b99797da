#include "lib/frontend/sanafe/SomaParameters.h"

#include "dialects/location/Location.h"

#include "fmt/format.h"

namespace spindle::sanafe {

static llvm::Error refuse(const TimedPopulation &population, const std::string &message) {
  return inputError(placeOf(population.op), fmt::format("{} {}", population.name, message));
}

/// Never reached.
static constexpr double kNoThreshold = 1e30;

static llvm::Error checkKind(const TimedPopulation &population, const snn::NeuronModel &model) {
  using enum snn::NeuronKind;
  switch (model.kind) {
  case IntegrateAndFire:
  case LeakyIntegrateAndFire:
  case CubaLeakyIntegrateAndFire:
  case Integrator:
  case LeakyIntegrator:
  case CubaLeakyIntegrator:
    break;
  default:
    return refuse(population,
                  fmt::format("is of {}, which SANA-FE has no neuron for; use if, lif or cuba_lif",
                              population.op->getName().getStringRef().str()));
  }
  if (model.exactCrossing)
    return refuse(population, "spikes within a step (exact_crossing), which SANA-FE does not; use "
                              "euler or exact");
  if (model.exactSynapse)
    return refuse(population, "has synaptic currents that are solved exactly, which SANA-FE steps; "
                              "use discretization euler");
  if (model.maxSpikes > 1)
    return refuse(population, "may spike several times in a step, which SANA-FE does not; set "
                              "max_spikes to 1");
  if (model.sustained)
    return refuse(population, "keeps currents on, which SANA-FE does not");
  return llvm::Error::success();
}

/// Starts so that after `shift` steps without spikes, the first of them without leak, the membrane
/// is where ours starts; and there may be no spike before.
static llvm::Error addStart(const TimedPopulation &population, double initial,
                            SomaParameters &soma) {
  double v = soma.leakDecay == 0 ? 0 : initial; // which is forgotten at once
  for (uint32_t step = population.shift; step > 1; --step) {
    v = soma.leakDecay == 0 ? soma.bias : (v - soma.bias) / soma.leakDecay;
    if (v >= soma.threshold)
      return refuse(
          population,
          fmt::format("spikes {} steps later in SANA-FE, and would spike before; give its "
                      "projections a delay of one step",
                      population.shift));
  }
  if (population.shift > 0)
    v -= soma.bias;
  else
    v *= soma.leakDecay;
  soma.potential = v;
  return llvm::Error::success();
}

static llvm::Error addRefractory(const TimedPopulation &population, int64_t steps,
                                 SomaParameters &soma) {
  if (steps == 0)
    return llvm::Error::success();
  bool staysThere = soma.leakDecay == 1 || (!soma.isSoft && soma.reset == 0);
  if (soma.inputDecay != 0 || !staysThere)
    return refuse(population,
                  "is refractory, while its membrane leaks and its synaptic current runs "
                  "in SANA-FE; use refractory 0, or v_reset at v_leak");
  soma.refractoryDelay = steps + 1; // counts the step of the spike
  return llvm::Error::success();
}

llvm::Expected<SomaParameters> somaParameters(const TimedPopulation &population,
                                              const snn::NeuronModel &model, size_t n) {
  if (n == 0)
    SPINDLE_RETURN_IF_ERROR(checkKind(population, model));
  SomaParameters soma;
  double rest = 0;
  if (!model.rate.empty()) {
    double rate = snn::valueAt(model.rate, n);
    soma.leakDecay = 1 - rate;
    soma.gain = rate;
    rest = snn::valueAt(model.leak, n);
  }
  soma.gain *= snn::valueAt(model.resistance, n);
  if (!population.current.empty())
    soma.bias = population.current[n] * soma.gain;
  if (!model.synapseRate.empty()) { // of the current, which the bias of ours flows through as well
    double rate = snn::valueAt(model.synapseRate, n);
    if (soma.bias != 0)
      return refuse(population,
                    "has synaptic currents and a constant one, which SANA-FE adds to the "
                    "membrane at once; use lif");
    soma.inputDecay = 1 - rate;
    soma.gain *= rate * snn::valueAt(model.synapseGain, n);
  }
  soma.isSoft = model.spikes() && model.resetBySubtraction;
  soma.threshold = model.spikes() ? snn::valueAt(model.threshold, n) - rest : kNoThreshold;
  soma.reset = model.spikes() && !soma.isSoft ? snn::valueAt(model.reset, n) - rest : 0;
  if (soma.isSoft && rest != 0)
    return refuse(population, "subtracts its threshold and rests elsewhere than at zero, which "
                              "SANA-FE does not; use v_leak 0 or reset zero");
  SPINDLE_RETURN_IF_ERROR(addStart(population, snn::valueAt(model.initial, n) - rest, soma));
  if (model.spikes())
    SPINDLE_RETURN_IF_ERROR(addRefractory(population, snn::valueAt(model.refractory, n), soma));
  return soma;
}

double scaleFor(double extent) {
  double room = std::ldexp(1.0, 24) / std::max(extent, 1e-300); // 64 × that is 2^30
  return std::ldexp(1.0, std::clamp(static_cast<int>(std::floor(std::log2(room))), -40, 40));
}

SomaParameters scaled(SomaParameters soma, double scale) {
  for (double *value : {&soma.threshold, &soma.reset, &soma.bias, &soma.potential, &soma.gain})
    *value *= scale;
  return soma;
}

} // namespace spindle::sanafe
