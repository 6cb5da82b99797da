// What changes while a sample is interpreted.
#pragma once

#include "lib/emulation/interpreter/Interpreter.h"
#include "lib/emulation/interpreter/Neurons.h"

namespace spindle::interpreter {

/// What an operation remembers from step to step; each uses what it needs.
template <typename Scalar> struct Memory {
  NeuronState<Scalar> neurons;
  std::vector<Scalar> counts;          // per input
  std::vector<Scalar> made;            // per output
  std::vector<Tensor<Scalar>> history; // the delayed signal in every step so far
};

/// The changing part: signals, and what populations and decoders remember.
template <typename Scalar> struct Interpreter<Scalar>::Sample {
  uint64_t index = 0, seed = 0;
  uint32_t step = 0;
  std::vector<InputEvent> events;
  llvm::DenseMap<mlir::Value, Tensor<Scalar>> signals;
  llvm::DenseMap<mlir::Operation *, Memory<Scalar>> memories;
  SampleRun<Scalar> run;

  std::vector<const Tensor<Scalar> *> inputsOf(const NetworkOp &each) const {
    std::vector<const Tensor<Scalar> *> inputs;
    for (mlir::Value source : each.sources)
      inputs.push_back(&signals.find(source)->second);
    return inputs;
  }
};

} // namespace spindle::interpreter
