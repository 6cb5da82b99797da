// Populations of neurons: which parameters each model has, and what they may be.
#include "lib/frontend/network/Description.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace spindle::network {

namespace {

struct Parameter {
  const char *name;
  bool isTime = false;
  std::optional<double> absent = std::nullopt; // needed where there is none
};

struct Model {
  const char *name;
  std::vector<Parameter> parameters;
  bool spikes = true;
  int receptors = 1;
  int discretizations = 2; // of euler, exact, exact_crossing
};

/// What all that spike have besides; initial membranes rest where they are not given.
const Parameter kThreshold{"threshold"}, kReset{"v_reset", false, 0.0};

llvm::ArrayRef<Model> models() {
  static const Parameter tau{"tau", true}, tauSyn{"tau_syn", true}, tauExc{"tau_exc", true},
      tauInh{"tau_inh", true}, r{"r", false, 1.0}, leak{"v_leak", false, 0.0},
      wIn{"w_in", false, 1.0}, eExc{"e_exc"}, eInh{"e_inh"};
  static const std::vector<Model> table = {
      {"if", {r, kThreshold, kReset}, true, 1, 3},
      {"lif", {tau, r, leak, kThreshold, kReset}, true, 1, 3},
      {"integrator", {r}, false, 1, 0},
      {"li", {tau, r, leak}, false},
      {"cuba_lif", {tau, tauSyn, r, leak, wIn, kThreshold, kReset}},
      {"cuba_li", {tau, tauSyn, r, leak, wIn}, false},
      {"dual_cuba_lif", {tau, tauExc, tauInh, leak, kThreshold, kReset}, true, 2},
      {"coba_lif", {tau, tauExc, tauInh, eExc, eInh, leak, kThreshold, kReset}, true, 2, 1},
  };
  return table;
}

class NeuronReader {
public:
  NeuronReader(YamlReader &yaml, const Description &network, const Population &of)
      : reader(yaml), description(network), population(of) {}

  Neurons read(const Model &model);

private:
  std::vector<float> values(const Parameter &parameter, const std::vector<float> &absent);
  std::vector<float> single(const std::string &key, const std::vector<double> &numbers,
                            double factor);
  void checkTimes(const Model &model, const Neurons &neurons);
  void checkThreshold(const Neurons &neurons);
  void readCurrent(Neurons &neurons);
  void readRefractory(Neurons &neurons);
  void readDiscretization(const Model &model, Neurons &neurons);
  void refuseUnknown(const Model &model);

  float at(const std::vector<float> &parameter, size_t neuron) const {
    return parameter[neuron * parameter.size() / size()];
  }
  size_t size() const { return static_cast<size_t>(population.size()); }

  YamlReader &reader;
  const Description &description;
  const Population &population;
};

std::vector<float> NeuronReader::single(const std::string &key, const std::vector<double> &numbers,
                                        double factor) {
  bool fits = population.checkCount(reader, key, numbers.size());
  std::vector<float> result;
  for (double number : numbers) {
    result.push_back(static_cast<float>(number * factor));
    if (!std::isfinite(result.back())) {
      reader.fail(
          key, fmt::format("{} is {:.6g}, expected a number within single precision", key, number));
      return {1};
    }
  }
  if (!fits)
    result.resize(1);
  return result;
}

std::vector<float> NeuronReader::values(const Parameter &parameter,
                                        const std::vector<float> &absent) {
  if (absent.empty())
    reader.require(parameter.name);
  Values given;
  if (!readValues(reader, parameter.name, description.path, given))
    return absent.empty() ? std::vector<float>{1} : absent;
  double factor = parameter.isTime ? 1 / description.dtMs : 1;
  return single(parameter.name,
                numbersOf(given, size(), description.seed, population.name + "." + parameter.name),
                factor);
}

void NeuronReader::readDiscretization(const Model &model, Neurons &neurons) {
  static constexpr const char *kWords[] = {"euler", "exact", "exact_crossing"};
  if (model.discretizations > 0)
    reader.readEnum("discretization", neurons.discretization,
                    llvm::ArrayRef(kWords).take_front(static_cast<size_t>(model.discretizations)));
}

void NeuronReader::checkTimes(const Model &model, const Neurons &neurons) {
  for (const Parameter &parameter : model.parameters)
    for (float steps : neurons.parameters.at(parameter.name))
      if (bool euler = neurons.discretization == snn::Discretization::Euler;
          parameter.isTime && (steps <= 0 || (euler && steps < 1)))
        return reader.fail(
            parameter.name,
            fmt::format("{} is {:.6g} ms, expected more than zero{}", parameter.name,
                        steps * description.dtMs,
                        euler ? fmt::format(", and at least dt, {} ms, for discretization euler",
                                            description.dtMs)
                              : ""));
}

/// neuron_c3.
void NeuronReader::checkThreshold(const Neurons &neurons) {
  const std::vector<float> &threshold = neurons.parameters.at("threshold"),
                           &reset = neurons.parameters.at("v_reset");
  for (size_t n = 0; n < size(); ++n) {
    float high = at(threshold, n), low = neurons.resetBySubtraction ? 0 : at(reset, n);
    if (high <= low)
      return reader.fail("threshold",
                         fmt::format("threshold is {}, expected more than {}", high,
                                     neurons.resetBySubtraction ? "zero with reset subtract"
                                                                : fmt::format("v_reset, {}", low)));
  }
}

/// A constant current shifts the rest of a membrane that leaks; others take it as input.
void NeuronReader::readCurrent(Neurons &neurons) {
  std::vector<float> current = values({"current", false, 0.0}, {0});
  auto leak = neurons.parameters.find("v_leak");
  if (leak == neurons.parameters.end()) {
    neurons.current = current;
    return;
  }
  if (current == std::vector<float>{0})
    return;
  auto resistance = neurons.parameters.find("r");
  std::vector<float> r =
      resistance == neurons.parameters.end() ? std::vector<float>{1} : resistance->second;
  std::vector<float> rest(std::max({current.size(), leak->second.size(), r.size()}));
  for (size_t k = 0; k < rest.size(); ++k) {
    size_t n = k * size() / rest.size();
    rest[k] = static_cast<float>(double(at(leak->second, n)) + double(at(r, n)) * at(current, n));
    if (!std::isfinite(rest[k]))
      return reader.fail("current", "v_leak + r · current is too large for a float, expected less");
  }
  leak->second = std::move(rest);
}

/// Listed times are whole steps; drawn ones are rounded to them.
void NeuronReader::readRefractory(Neurons &neurons) {
  Values given;
  if (!readValues(reader, "refractory", description.path, given))
    return;
  neurons.refractory.clear();
  for (double ms : numbersOf(given, size(), description.seed, population.name + ".refractory")) {
    std::optional<int64_t> steps = wholeSteps(ms, description.dtMs);
    if (given.kind != Values::Kind::Listed)
      steps = std::llround(std::clamp(ms / description.dtMs, -1.0, 1e9));
    if (!steps || *steps < 0) {
      reader.fail("refractory",
                  fmt::format("refractory is {:.6g} ms, expected zero or a multiple of "
                              "dt, {} ms",
                              ms, description.dtMs));
      neurons.refractory = {0};
      return;
    }
    neurons.refractory.push_back(*steps);
  }
  population.checkCount(reader, "refractory", neurons.refractory.size());
}

/// Parameters of other models are known words: the remedy is the list of those of this one.
void NeuronReader::refuseUnknown(const Model &model) {
  std::vector<std::string> known;
  for (const Parameter &parameter : model.parameters)
    known.push_back(parameter.name);
  known.insert(known.end(), {"current", "initial_membrane"});
  if (model.discretizations > 0)
    known.push_back("discretization");
  if (model.spikes)
    known.insert(known.end(), {"reset", "refractory", "max_spikes"});
  for (const std::string &key : reader.keys())
    if (!llvm::is_contained(known, key) && key != "neuron" && key != "size" && key != "shape")
      reader.fail(key, fmt::format("'{}' is no parameter of {} neurons, which have {}", key,
                                   model.name, fmt::join(known, ", ")));
}

Neurons NeuronReader::read(const Model &model) {
  refuseUnknown(model);
  Neurons neurons;
  neurons.kind = model.name;
  neurons.spikes = model.spikes;
  neurons.receptors = model.receptors;
  neurons.takesConductances = neurons.kind == "coba_lif";
  readDiscretization(model, neurons);
  for (const Parameter &parameter : model.parameters)
    neurons.parameters[parameter.name] = values(
        parameter, parameter.absent ? std::vector<float>{static_cast<float>(*parameter.absent)}
                                    : std::vector<float>());
  auto leak = neurons.parameters.find("v_leak");
  std::vector<float> rest = leak == neurons.parameters.end() ? std::vector<float>{0} : leak->second;
  neurons.parameters["initial_membrane"] = values({"initial_membrane"}, rest);
  readCurrent(neurons);
  checkTimes(model, neurons);
  if (!model.spikes)
    return neurons;
  enum class Reset { Zero, Subtract } reset = Reset::Zero;
  reader.readEnum("reset", reset, {"zero", "subtract"});
  neurons.resetBySubtraction = reset == Reset::Subtract;
  checkThreshold(neurons);
  readRefractory(neurons);
  reader.read("max_spikes", neurons.maxSpikes, 1, 1 << 20);
  if (neurons.maxSpikes > 1 && !neurons.resetBySubtraction &&
      neurons.discretization != snn::Discretization::ExactCrossing)
    reader.fail("max_spikes", fmt::format("max_spikes is {}, which needs reset subtract or "
                                          "discretization exact_crossing",
                                          neurons.maxSpikes));
  return neurons;
}

} // namespace

void readNeurons(YamlReader &reader, const Description &description, Population &population) {
  std::vector<const char *> names;
  for (const Model &model : models())
    names.push_back(model.name);
  size_t model = 0;
  reader.readEnum("neuron", model, names);
  population.contents = NeuronReader(reader, description, population).read(models()[model]);
}

} // namespace spindle::network
