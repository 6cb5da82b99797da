// Runs a network one sample at a time by the reference semantics: obvious rather than fast.
#pragma once

#include "core/network/Population.h"
#include "core/network/Samples.h"
#include "lib/emulation/interpreter/Tensor.h"
#include "lib/emulation/network/Network.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace spindle::interpreter {

class SteppedInterpreter;

/// What one sample did.
template <typename Scalar> struct SampleRun {
  std::vector<std::vector<Scalar>> answers; // per step; an ANN has one
  std::vector<Spike> spikes;                // ascending (step, neuron)
  /// Per population after the last step; encoders have none.
  std::vector<std::vector<Scalar>> membranes;
};

/// Holds the constants of a network, which must outlive it; `run` may be called from several
/// threads.
template <typename Scalar> class Interpreter {
public:
  explicit Interpreter(const Network &network);

  /// Called after each step with the membranes of every population.
  using Watch = std::function<void(uint32_t step, size_t population, const std::vector<Scalar> &)>;

  /// `input` has network.inputs() values in the network's own order. `index` is the number of the
  /// sample, which random spikes depend on. `events` are those of the sample for encoders of
  /// events. An ANN ignores steps and seed.
  llvm::Expected<SampleRun<Scalar>> run(const float *input, uint64_t index, uint32_t steps,
                                        uint64_t seed, std::vector<InputEvent> events = {},
                                        const Watch &watch = {}) const;

private:
  friend class SteppedInterpreter;
  struct Sample;
  Tensor<Scalar> encode(snn::EncodeOp op, const Tensor<Scalar> &x, const Sample &sample) const;
  Tensor<Scalar> evaluate(const NetworkOp &each, Sample &sample) const;
  llvm::Error work(const NetworkOp &each, Sample &sample) const;
  llvm::Error workStep(Sample &sample) const;
  void reset(const NetworkOp &each, Sample &sample) const;

  const Network &network;
  llvm::DenseMap<mlir::Value, Tensor<float>> constants;
  llvm::DenseMap<mlir::Operation *, snn::NeuronModel> models;
};

extern template class Interpreter<float>;
extern template class Interpreter<double>;

} // namespace spindle::interpreter
