// Networks run by the reference interpreter, for closed forms.
#pragma once

#include "lib/emulation/interpreter/Interpreter.h"
#include "tests/emulation/NetworkBuilder.h"

namespace spindle::test {

/// What one sample did, and the membranes of every population after every step.
template <typename Scalar> struct WatchedRun {
  interpreter::SampleRun<Scalar> run;
  std::vector<std::vector<std::vector<Scalar>>> membranes; // population, step, neuron
};

template <typename Scalar>
WatchedRun<Scalar> watch(NetworkBuilder &n, const std::vector<float> &x, uint32_t steps,
                         std::vector<InputEvent> events = {}) {
  Network network = llvm::cantFail(readNetwork(n.finish()));
  WatchedRun<Scalar> result;
  result.membranes.resize(network.populations.size());
  auto store = [&](uint32_t, size_t population, const std::vector<Scalar> &values) {
    result.membranes[population].push_back(values);
  };
  result.run = llvm::cantFail(interpreter::Interpreter<Scalar>(network).run(
      x.data(), 0, steps, 0, std::move(events), store));
  return result;
}

/// Steps of the spikes of one neuron.
inline std::vector<uint32_t> stepsOf(const std::vector<Spike> &spikes, NeuronId neuron) {
  std::vector<uint32_t> steps;
  for (const Spike &spike : spikes)
    if (spike.neuron == neuron)
      steps.push_back(spike.step);
  return steps;
}

} // namespace spindle::test
