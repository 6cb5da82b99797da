// One operation of the neuron level on values.
#pragma once

#include "lib/emulation/neuron-level/Program.h"

namespace spindle::neuron_level {

/// The result of one operation of a program other than a call or a return; `operands` in order.
/// Errors name the operation's place.
llvm::Expected<Value> evaluate(mlir::Operation *op, llvm::ArrayRef<const Value *> operands);

/// What a neuron reads, taken from the operands of `snn.neuron`.
struct NeuronInputs {
  const std::vector<Train> *trains; // of a bundle; null for a single train
  const Train *train;
  const std::vector<float> *weights; // null: ones
  std::optional<float> bias;

  std::vector<Train> all() const { return trains ? *trains : std::vector<Train>{*train}; }
};
NeuronInputs inputsOf(snn::SingleNeuronOp op, llvm::ArrayRef<const Value *> operands);

} // namespace spindle::neuron_level
