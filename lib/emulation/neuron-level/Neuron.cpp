#include "lib/emulation/neuron-level/Neuron.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace spindle::neuron_level {

float exponential(float x) { return std::exp(x); }
float logarithm(float x) { return std::log(x); }

llvm::Error tooManySpikes() {
  return dataError(fmt::format(
      "a neuron makes more than {} spikes; lower its bias or end the run earlier", kMostSpikes));
}

llvm::Error weightsDoNotFit(size_t weights, size_t trains) {
  return dataError(fmt::format("{} weights for {} trains", weights, trains));
}

namespace {

struct InputSpike {
  float time;
  size_t train;
};

/// Membrane and output of one neuron.
struct Membrane {
  explicit Membrane(const snn::SingleNeuron &parameters) : p(parameters), v(parameters.initial) {}

  const snn::SingleNeuron &p;
  float v;
  float held = -1; // up to then the membrane keeps its value and input is lost
  Train output;

  float afterSpike() const { return p.resetBySubtraction ? v - p.threshold : p.reset; }
  bool overflows() const { return output.size() > kMostSpikes; }

  /// Threshold and reset at one instant or at the end of a step.
  void fire(float time) {
    int64_t spikes = 0;
    for (; v >= p.threshold && spikes < p.maxSpikes; ++spikes) {
      output.push_back(time);
      v = afterSpike();
    }
    if (spikes > 0 && p.refractory > 0)
      held = time + p.refractory;
  }
};

/// Continuous time: from event to event.
class Continuous : public Membrane {
public:
  Continuous(const snn::SingleNeuron &parameters, float bias)
      : Membrane(parameters), target(parameters.rest + bias) {}

  /// Decay up to `end`, with every crossing on the way.
  void advance(float end) {
    while (!overflows()) {
      if (now < held) {
        if (end <= held)
          return;
        now = held;
      }
      float crossing = kNever;
      if (v < p.threshold && target > p.threshold && p.decay > 0)
        crossing = now + logarithm((v - target) / (p.threshold - target)) / p.decay;
      if (!(crossing <= end))
        break;
      now = crossing;
      v = p.threshold;
      fire(now);
    }
    v = target + (v - target) * exponential(-(p.decay * (end - now)));
    now = end;
  }

private:
  float target;
  float now = 0;
};

} // namespace

/// Ascending in time, then in train.
static std::vector<InputSpike> merged(const std::vector<Train> &inputs) {
  std::vector<InputSpike> events;
  for (size_t train = 0; train < inputs.size(); ++train)
    for (float time : inputs[train])
      events.push_back({time, train});
  std::sort(events.begin(), events.end(), [](const InputSpike &a, const InputSpike &b) {
    return std::tie(a.time, a.train) < std::tie(b.time, b.train);
  });
  return events;
}

static Membrane runContinuous(const snn::SingleNeuron &p, const std::vector<Train> &inputs,
                              const std::vector<float> &weights, float bias) {
  Continuous neuron(p, bias);
  std::vector<InputSpike> events = merged(inputs);
  for (size_t next = 0; next < events.size() && !neuron.overflows();) {
    float time = events[next].time;
    if (p.until && time > *p.until)
      break;
    neuron.advance(time);
    bool lost = time <= neuron.held;
    for (; next < events.size() && events[next].time == time; ++next)
      if (!lost)
        neuron.v += weights.empty() ? 1.0f : weights[events[next].train];
    if (!lost)
      neuron.fire(time);
  }
  if (p.until)
    neuron.advance(*p.until);
  return neuron;
}

llvm::Expected<int64_t> stepsOf(const snn::SingleNeuron &p, const std::vector<Train> &inputs) {
  if (p.steps)
    return *p.steps;
  float last = -1;
  for (const Train &train : inputs)
    last = train.empty() ? last : std::max(last, train.back());
  if (last < 0)
    return 0;
  double estimate = static_cast<double>(last) / *p.step;
  if (estimate >= static_cast<double>(snn::SingleNeuron::kMostSteps))
    return dataError(fmt::format("an input spike at {} ms makes more than {} steps of {} ms, "
                                 "expected a number of steps for the neuron",
                                 last, snn::SingleNeuron::kMostSteps, *p.step));
  // The ends of steps as f32 has them decide.
  int64_t steps = std::max<int64_t>(1, static_cast<int64_t>(estimate) - 1);
  while (static_cast<float>(steps) * *p.step < last)
    ++steps;
  return steps;
}

static Membrane runClocked(const snn::SingleNeuron &p, const std::vector<Train> &inputs,
                           const std::vector<float> &weights, std::optional<float> bias,
                           int64_t steps) {
  Membrane neuron(p);
  std::vector<size_t> read(inputs.size(), 0);
  for (int64_t n = 0; n < steps && !neuron.overflows(); ++n) {
    float end = static_cast<float>(n + 1) * *p.step;
    float current = 0;
    for (size_t train = 0; train < inputs.size(); ++train) {
      float spikes = 0;
      for (; read[train] < inputs[train].size() && inputs[train][read[train]] <= end; ++read[train])
        spikes += 1;
      if (spikes > 0)
        current += (weights.empty() ? 1.0f : weights[train]) * spikes;
    }
    if (bias)
      current += *bias;
    if (end <= neuron.held)
      continue;
    if (p.decay == 0)
      neuron.v += p.resistance * current;
    else
      neuron.v += ((p.rest - neuron.v) + p.resistance * current) * (p.decay * *p.step);
    neuron.fire(end);
  }
  return neuron;
}

llvm::Expected<Train> neuron(const snn::SingleNeuron &parameters, const std::vector<Train> &inputs,
                             const std::vector<float> &weights, std::optional<float> bias) {
  SPINDLE_ASSIGN(int64_t steps, parameters.step ? stepsOf(parameters, inputs) : 0);
  Membrane result = parameters.step ? runClocked(parameters, inputs, weights, bias, steps)
                                    : runContinuous(parameters, inputs, weights, bias.value_or(0));
  if (result.overflows())
    return tooManySpikes();
  return std::move(result.output);
}

} // namespace spindle::neuron_level
