#include "lib/frontend/sanafe/ImportNeurons.h"

#include "core/support/TextPlace.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spindle::sanafe {

namespace {

/// A neuron in the terms of its soma.
struct Soma {
  double threshold = 0, reset = 0, bias = 0, potential = 0, leakDecay = 1, inputDecay = 0;
  int64_t refractory = 0; // steps after that of a spike
  bool isSoft = false;
};

class SomaReader {
public:
  SomaReader(const NeuronGroup &whole, bool leaky) : group(whole), isLeaky(leaky) {}

  llvm::Expected<Soma> read(const NeuronAttributes &attributes) {
    Soma soma;
    double leak = 0, mask = 0, unused = 0;
    bool towardsZero = true;
    struct Number {
      const char *key;
      double *value;
      bool isOfLeaky, isOfExact;
    };
    const Number numbers[] = {{"threshold", &soma.threshold, true, true},
                              {"reset", &soma.reset, true, true},
                              {"bias", &soma.bias, true, true},
                              {"reverse_threshold", &unused, true, true}, // nothing happens there
                              {"reverse_reset", &unused, true, true},
                              {"leak_decay", &soma.leakDecay, true, false},
                              {"input_decay", &soma.inputDecay, true, false},
                              {"potential", &soma.potential, true, false},
                              {"leak", &leak, false, true},
                              {"random_mask", &mask, false, true}};
    for (const auto &[key, field] : attributes.of) {
      const Number *number = std::ranges::find_if(numbers, [&](const Number &each) {
        return each.key == key && (isLeaky ? each.isOfLeaky : each.isOfExact);
      });
      if (number != std::end(numbers)) {
        SPINDLE_ASSIGN(*number->value, field.number());
      } else if (key == "reset_mode" || key == "reverse_reset_mode") {
        SPINDLE_ASSIGN(soma.isSoft, readMode(key, field, soma.isSoft));
      } else if (key == "refractory_delay" && isLeaky) {
        SPINDLE_ASSIGN(int64_t delay, field.whole(0, 1 << 20));
        soma.refractory = std::max<int64_t>(0, delay - 1);
      } else if (key == "leak_towards_zero" && !isLeaky) {
        SPINDLE_ASSIGN(towardsZero, field.flag());
      } else if (key.rfind("force_", 0) != 0) { // which counts updates, and computes the same
        return field.fail(unknown(key));
      }
    }
    if (mask != 0)
      return fail(attributes, "random_mask",
                  "draws thresholds, which neurons here do not; set it "
                  "to 0");
    if (leak != 0 && towardsZero)
      return fail(attributes, "leak",
                  "takes the same from all membranes, and neurons here leak in "
                  "proportion; use leaky_integrate_fire with leak_decay");
    soma.bias += leak;
    SPINDLE_RETURN_IF_ERROR(check(attributes, soma));
    return soma;
  }

private:
  /// Whether the reset is soft; `before` for the mode of the lower limit, which must be none.
  static llvm::Expected<bool> readMode(const std::string &key, const Field &field, bool before) {
    std::string word = field.isScalar() ? excerpt(field.text(), 40) : "no word";
    if (key == "reset_mode" && (word == "hard" || word == "soft"))
      return word == "soft";
    if (key == "reverse_reset_mode" && word == "none")
      return before;
    return field.fail(
        key == "reset_mode"
            ? fmt::format("{} is {}, and neurons here reset: expected hard or soft", field.title(),
                          word)
            : fmt::format("{} is {}, and membranes here have no lower limit: expected "
                          "none",
                          field.title(), word));
  }
  std::string unknown(const std::string &key) const {
    return fmt::format("unknown attribute '{}' of group '{}', which is of {}", excerpt(key, 40),
                       excerpt(group.name, 40), isLeaky ? "leaky_integrate_fire" : "truenorth");
  }
  llvm::Error fail(const NeuronAttributes &attributes, const char *key,
                   const std::string &message) const {
    auto found = attributes.of.find(key);
    std::string text = fmt::format("{} of group '{}' {}", key, excerpt(group.name, 40), message);
    return found == attributes.of.end() ? inputError(group.place, text) : found->second.fail(text);
  }
  llvm::Error check(const NeuronAttributes &attributes, const Soma &soma) const {
    if (soma.leakDecay < 0 || soma.leakDecay > 1)
      return fail(attributes, "leak_decay", fmt::format("is {}, expected 0 to 1", soma.leakDecay));
    if (soma.inputDecay < 0 || soma.inputDecay >= 1)
      return fail(attributes, "input_decay",
                  fmt::format("is {}, expected 0 up to below 1", soma.inputDecay));
    if (soma.inputDecay > 0 && soma.leakDecay == 1)
      return fail(attributes, "input_decay",
                  "decays where the membrane does not, which neurons here "
                  "cannot; use a leak_decay below 1");
    if (soma.inputDecay > 0 && soma.refractory > 0)
      return fail(attributes, "refractory_delay",
                  "stops synaptic currents, which run on here; use "
                  "input_decay 0");
    if (soma.refractory > 0 && soma.leakDecay < 1 && (soma.isSoft || soma.reset != 0))
      return fail(attributes, "refractory_delay",
                  "lets membranes leak, which rest here; use reset 0, or leak_decay 1");
    if (soma.isSoft ? soma.threshold < 0 : soma.threshold <= soma.reset && soma.threshold != 0)
      return fail(attributes, "threshold",
                  fmt::format("is {}, expected more than {}", soma.threshold,
                              soma.isSoft ? "0" : fmt::format("the reset, {}", soma.reset)));
    return llvm::Error::success();
  }

  const NeuronGroup &group;
  bool isLeaky;
};

/// One value where all are the same, else a list.
std::string values(const std::vector<float> &list) {
  if (std::ranges::all_of(list, [&](float value) { return value == list[0]; }))
    return fmt::format("{}", list[0]);
  return fmt::format("[{}]", fmt::join(list, ", "));
}

/// The least number of single precision above a threshold; one that a reset to zero can be below.
float above(double threshold) {
  auto next = static_cast<float>(threshold);
  if (double(next) <= threshold)
    next = std::nextafter(next, std::numeric_limits<float>::infinity());
  return std::abs(next) < 1e-30f ? 1e-30f : next;
}

llvm::Expected<std::vector<Soma>> somasOf(const MappedNetwork &network, const NeuronGroup &group,
                                          bool isLeaky) {
  SomaReader reader(group, isLeaky);
  std::map<uint32_t, Soma> known; // by attributes
  std::vector<Soma> somas;
  for (const MappedNeuron &neuron : group.neurons) {
    auto found = known.find(neuron.attributes);
    if (found == known.end()) {
      SPINDLE_ASSIGN(Soma soma, reader.read(network.attributesOf(neuron)));
      found = known.emplace(neuron.attributes, soma).first;
    }
    somas.push_back(found->second);
  }
  for (const Soma &soma : somas) {
    const Soma &first = somas[0];
    if (soma.isSoft != first.isSoft || (soma.leakDecay == 1) != (first.leakDecay == 1) ||
        (soma.inputDecay > 0) != (first.inputDecay > 0))
      return inputError(group.place,
                        fmt::format("group '{}' has neurons that reset, leak or decay in different "
                                    "ways, and a population here is of one kind; make a group of "
                                    "each kind",
                                    excerpt(group.name, 40)));
  }
  return somas;
}

llvm::Expected<std::vector<bool>> train(const Field &field) {
  std::vector<bool> spikes;
  for (const Field &step : field.elements()) {
    if (!step.isScalar())
      return step.fail(fmt::format("{} is no list of zeros and ones", field.title()));
    SPINDLE_ASSIGN(bool spike, step.flag());
    spikes.push_back(spike);
  }
  return spikes;
}

} // namespace

llvm::Expected<std::string> neuronsText(const MappedNetwork &network, const NeuronGroup &group,
                                        const std::string &model) {
  bool isLeaky = model == "leaky_integrate_fire";
  SPINDLE_ASSIGN(std::vector<Soma> somas, somasOf(network, group, isLeaky));
  const Soma &first = somas[0];
  std::vector<float> threshold, reset, tau, tauSyn, bias, initial;
  std::vector<int64_t> refractory;
  for (const Soma &soma : somas) {
    threshold.push_back(isLeaky ? above(soma.threshold) : static_cast<float>(soma.threshold));
    reset.push_back(static_cast<float>(soma.reset));
    bias.push_back(static_cast<float>(soma.bias));
    refractory.push_back(soma.refractory);
    initial.push_back(static_cast<float>(soma.leakDecay > 0 ? soma.potential / soma.leakDecay
                                                            : 0)); // the first step does not leak
    tau.push_back(static_cast<float>(1 / (1 - std::min(soma.leakDecay, 1 - 1e-9))));
    tauSyn.push_back(static_cast<float>(1 / (1 - soma.inputDecay)));
  }
  bool leaks = first.leakDecay < 1, decays = first.inputDecay > 0;
  std::string text = fmt::format("{{neuron: {}, size: {}, threshold: {}",
                                 decays  ? "cuba_lif"
                                 : leaks ? "lif"
                                         : "if",
                                 somas.size(), values(threshold));
  if (leaks) // r and w_in make a weight a jump of the membrane, and of the current
    text += fmt::format(", tau: {}, r: {}", values(tau), values(tau));
  if (decays)
    text += fmt::format(", tau_syn: {}, w_in: {}", values(tauSyn), values(tauSyn));
  if (first.isSoft)
    text += ", reset: subtract";
  else
    text += fmt::format(", reset: zero, v_reset: {}", values(reset));
  auto isSet = [](const std::vector<float> &list) {
    return std::ranges::any_of(list, [](float value) { return value != 0; });
  };
  if (isSet(bias))
    text += fmt::format(", current: {}", values(bias));
  if (isSet(initial))
    text += fmt::format(", initial_membrane: {}", values(initial));
  if (std::ranges::any_of(refractory, [](int64_t steps) { return steps > 0; })) {
    bool isOne =
        std::ranges::all_of(refractory, [&](int64_t steps) { return steps == refractory[0]; });
    text += isOne ? fmt::format(", refractory: {}", refractory[0])
                  : fmt::format(", refractory: [{}]", fmt::join(refractory, ", "));
  }
  return text + "}";
}

llvm::Expected<uint32_t> longestTrain(const MappedNetwork &network, const NeuronGroup &group) {
  uint32_t longest = 0;
  for (const MappedNeuron &neuron : group.neurons) {
    const auto &of = network.attributesOf(neuron).of;
    if (auto found = of.find("spikes"); found != of.end())
      longest = std::max(longest, static_cast<uint32_t>(found->second.elements().size()));
  }
  return longest;
}

llvm::Expected<InputSpikes> inputSpikes(const MappedNetwork &network, const NeuronGroup &group,
                                        uint32_t steps) {
  constexpr size_t kMostSpikes = 1 << 26;
  InputSpikes result;
  for (uint32_t n = 0; n < group.neurons.size(); ++n) {
    float &hertz = result.hertz.emplace_back(0.0f);
    std::vector<bool> spikes(steps);
    for (const auto &[key, field] : network.attributesOf(group.neurons[n]).of) {
      if (key == "spikes") {
        SPINDLE_ASSIGN(std::vector<bool> listed, train(field));
        for (size_t step = 0; step < std::min<size_t>(steps, listed.size()); ++step)
          spikes[step] = spikes[step] || listed[step];
      } else if (key == "rate" || key == "poisson") {
        SPINDLE_ASSIGN(double value, field.number());
        if (value < 0 || value > 1)
          return field.fail(
              fmt::format("{} is {}, expected 0 to 1 per step", field.title(), value));
        if (key == "poisson")
          hertz = static_cast<float>(1000 * value); // of steps of 1 ms
        else if (value > 0 && 1 / value <= steps)
          for (auto gap = static_cast<uint32_t>(1 / value), step = gap; step <= steps; step += gap)
            spikes[step - 1] = true;
      } else if (key.rfind("force_", 0) != 0) {
        return field.fail(fmt::format("unknown attribute '{}' of group '{}', which is of inputs",
                                      excerpt(key, 40), excerpt(group.name, 40)));
      }
    }
    result.isDrawn |= hertz > 0;
    for (uint32_t step = 0; step < steps; ++step)
      if (spikes[step])
        result.listed.emplace_back(step, n);
    if (result.listed.size() > kMostSpikes)
      return inputError(group.place, fmt::format("group '{}' has more than {} spikes; take fewer "
                                                 "steps",
                                                 excerpt(group.name, 40), kMostSpikes));
  }
  if (result.isDrawn && !result.listed.empty())
    return inputError(
        group.place,
        fmt::format("group '{}' has both given and drawn (poisson) spikes, and a source "
                    "here has one kind; make a group of each",
                    excerpt(group.name, 40)));
  return result;
}

std::string drawnText(const std::vector<float> &hertz) {
  return fmt::format("{{source: poisson, size: {}, rate: {}}}", hertz.size(), values(hertz));
}

} // namespace spindle::sanafe
