// Populations. Times become steps of `dt_ms`.
#include "lib/frontend/nir/NirBuilder.h"

#include "fmt/format.h"

#include <algorithm>

using namespace mlir;

namespace spindle {

namespace {

struct Parameter {
  const char *name, *attribute;
  bool isTime = false;
  std::optional<float> absent = std::nullopt;
};

struct Population {
  const char *operation;
  std::vector<Parameter> parameters;
  bool spikes = false, isLeaky = false;
  bool canCross = false; // knows sub-step crossings
};

const std::map<std::string, Population> &populations() {
  static const Parameter r{"r", "r"}, tau{"tau", "tau", true}, tauMem{"tau_mem", "tau", true},
      tauSyn{"tau_syn", "tau_syn", true}, leak{"v_leak", "v_leak"},
      threshold{"v_threshold", "threshold"}, reset{"v_reset", "v_reset", false, 0.0f},
      wIn{"w_in", "w_in", false, 1.0f};
  static const std::map<std::string, Population> table{
      {"I", {"snn.integrator", {r}}},
      {"IF", {"snn.if", {r, threshold, reset}, true, true, true}},
      {"LI", {"snn.li", {tau, r, leak}, false, true}},
      {"LIF", {"snn.lif", {tau, r, leak, threshold, reset}, true, true, true}},
      {"CubaLI", {"snn.cuba_li", {tauMem, tauSyn, r, leak, wIn}, false, true}},
      {"CubaLIF", {"snn.cuba_lif", {tauMem, tauSyn, r, leak, wIn, threshold, reset}, true, true}}};
  return table;
}

snn::Discretization discretizationOf(const ModelOptions &options) {
  switch (options.discretization) {
  case ModelOptions::NirDiscretization::Euler:
    return snn::Discretization::Euler;
  case ModelOptions::NirDiscretization::Exact:
    return snn::Discretization::Exact;
  case ModelOptions::NirDiscretization::ExactCrossing:
    return snn::Discretization::ExactCrossing;
  }
  llvm_unreachable("discretization");
}

/// Only a spike has a crossing: without a threshold the closed form is all there is.
llvm::Expected<snn::Discretization> discretizationOf(const NirBuilder &context,
                                                     const Population &population) {
  snn::Discretization wanted = discretizationOf(context.options);
  if (wanted != snn::Discretization::ExactCrossing || population.canCross)
    return wanted;
  if (population.spikes)
    return context.refuse(fmt::format("a {} has no closed form for the crossing of its threshold, "
                                      "expected discretization euler or exact",
                                      context.node.type));
  return snn::Discretization::Exact;
}

llvm::Error checkTimes(const NirBuilder &context, const Parameter &parameter,
                       llvm::ArrayRef<float> steps, bool euler) {
  for (float value : steps)
    if (value <= 0 || (euler && value < 1))
      return context.refuse(fmt::format(
          "{} is {:.6g} steps of {} ms, expected {}; choose model.dt_ms or model.discretization",
          parameter.name, value, context.options.dtMs,
          euler ? "at least one for Euler steps" : "more than none"));
  return llvm::Error::success();
}

llvm::Error checkThreshold(const NirBuilder &context, llvm::ArrayRef<float> threshold,
                           llvm::ArrayRef<float> reset, bool subtracts) {
  size_t count = std::max(threshold.size(), reset.size());
  for (size_t n = 0; n < count; ++n) {
    float high = threshold[n * threshold.size() / count], low = reset[n * reset.size() / count];
    if (high <= (subtracts ? 0 : low))
      return context.refuse(
          fmt::format("v_threshold is {}, expected more than {}", high,
                      subtracts ? "zero with reset subtract" : fmt::format("v_reset {}", low)));
  }
  return llvm::Error::success();
}

using Values = std::map<std::string, std::vector<float>>; // of the attributes

/// A reset by subtraction that acts a step later, on the membrane after the leak: v ← f(v) −
/// threshold. The operation subtracts at once, of which the leak leaves threshold · (1 − rate). The
/// rest is taken by current, which each neuron's spike sends to itself: −threshold / r for one
/// step, as the membrane takes up r · current · rate. Without leak there is no rest. A synaptic
/// current goes on after that step, and a second spike ends it.
llvm::Expected<Value> subtractLater(const NirBuilder &context, Value current, Values &values,
                                    snn::Discretization discretization) {
  const std::string &type = context.node.type;
  if (type == "IF")
    return current;
  if (type == "CubaLIF" && discretization != snn::Discretization::Euler)
    return context.refuse("reset_delay with reset subtract is supported for a CubaLIF only with "
                          "discretization euler");
  auto size = static_cast<size_t>(snn::sizeOf(current));
  std::vector<float> first(size), second(size);
  auto at = [&](const char *name, size_t n) {
    const std::vector<float> &list = values.at(name);
    return double(list[n * list.size() / size]);
  };
  for (size_t n = 0; n < size; ++n) {
    bool isCuba = type == "CubaLIF";
    double gain = at("r", n) * (isCuba ? at("w_in", n) / at("tau_syn", n) : 1);
    if (gain == 0)
      return context.refuse("r or w_in is zero, so that no current can take part in the reset, as "
                            "reset_delay with reset subtract wants");
    first[n] = static_cast<float>(-at("threshold", n) / gain);
    second[n] =
        static_cast<float>(isCuba ? at("threshold", n) / gain * (1 - 1 / at("tau_syn", n)) : 0);
  }
  current = context.withEcho(current, 1, first);
  bool goesOn = llvm::any_of(second, [](float weight) { return weight != 0; });
  return goesOn ? context.withEcho(current, 2, second) : current;
}

llvm::Expected<Value> makePopulation(const NirBuilder &context, Value input) {
  const Population &population = populations().at(context.node.type);
  Value current = context.toCurrent(input);
  llvm::ArrayRef<int64_t> shape = snn::shapeOf(current);
  MLIRContext *mlirContext = current.getContext();
  SPINDLE_ASSIGN(snn::Discretization discretization, discretizationOf(context, population));

  Values values;
  for (const Parameter &parameter : population.parameters) {
    double factor = parameter.isTime ? 1000 / context.options.dtMs : 1;
    SPINDLE_ASSIGN(values[parameter.attribute],
                   context.perNeuron(parameter.name, shape, factor, parameter.absent));
    if (parameter.isTime)
      SPINDLE_RETURN_IF_ERROR(checkTimes(context, parameter, values[parameter.attribute],
                                         discretization == snn::Discretization::Euler));
  }
  bool subtracts = context.options.nirReset == ModelOptions::NirReset::Subtract;
  if (population.spikes)
    SPINDLE_RETURN_IF_ERROR(
        checkThreshold(context, values["threshold"], values["v_reset"], subtracts));

  bool isLate = population.spikes && context.options.resetDelay;
  if (isLate && discretization == snn::Discretization::ExactCrossing)
    return context.refuse("reset_delay counts whole steps, expected discretization euler or exact");
  if (isLate && subtracts) {
    SPINDLE_ASSIGN(current, subtractLater(context, current, values, discretization));
  }

  SmallVector<NamedAttribute> attributes;
  if (isLate && !subtracts) // the step after a spike ends at v_reset, whatever comes in
    attributes.push_back(
        context.attribute("refractory", context.attributes().getDenseI64ArrayAttr({1})));
  for (const auto &[name, list] : values)
    attributes.push_back(context.attribute(name, context.attributes().getDenseF32ArrayAttr(list)));
  if (population.isLeaky)
    attributes.push_back(context.attribute(
        "discretization", snn::DiscretizationAttr::get(mlirContext, discretization)));
  if (population.spikes)
    attributes.push_back(context.attribute(
        "reset",
        snn::ResetAttr::get(mlirContext, subtracts ? snn::Reset::Subtract : snn::Reset::Zero)));
  Type result =
      population.spikes ? Type(snn::SpikeBundleType::get(mlirContext, shape)) : current.getType();
  return context.make(population.operation, current, result, attributes);
}

/// A threshold has no memory: a leaky population whose time constant is one step has none either.
llvm::Expected<Value> makeThreshold(const NirBuilder &context, Value input) {
  Value current = context.toCurrent(input);
  llvm::ArrayRef<int64_t> shape = snn::shapeOf(current);
  MLIRContext *mlirContext = current.getContext();
  SPINDLE_ASSIGN(std::vector<float> threshold,
                 context.perNeuron("threshold", shape, 1, std::nullopt));
  float lowest = *std::min_element(threshold.begin(), threshold.end());
  auto floats = [&](llvm::ArrayRef<float> list) {
    return context.attributes().getDenseF32ArrayAttr(list);
  };
  return context.make(
      "snn.lif", current, snn::SpikeBundleType::get(mlirContext, shape),
      {context.attribute("threshold", floats(threshold)),
       context.attribute("v_reset", floats(lowest > 0 ? 0 : lowest - 1)),
       context.attribute("tau", floats(1.0f)),
       context.attribute("reset", snn::ResetAttr::get(mlirContext, snn::Reset::Zero))});
}

} // namespace

const std::map<std::string, NirRule> &nirNeuronRules() {
  static const std::map<std::string, NirRule> rules = [] {
    std::map<std::string, NirRule> table{{"Threshold", makeThreshold}};
    for (const auto &[type, population] : populations())
      table[type] = makePopulation;
    return table;
  }();
  return rules;
}

} // namespace spindle
