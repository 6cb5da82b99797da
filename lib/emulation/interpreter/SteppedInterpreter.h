// The reference semantics, one population at a time.
#pragma once

#include "core/network/SteppedNetwork.h"
#include "lib/emulation/interpreter/Interpreter.h"
#include "lib/emulation/network/InputMapping.h"

#include <memory>

namespace spindle::interpreter {

/// Which operations lead to each population of a network, and to its answer.
struct SteppedPlan {
  std::vector<std::vector<const NetworkOp *>> before; // per population, program order; then itself
  std::vector<const NetworkOp *> behind;              // from the populations to the answer
};

/// Refuses networks whose populations cannot be stepped apart from each other, by the place of the
/// operation: feedback, delays, maximum pooling of spikes, conductances. The network outlives the
/// plan.
llvm::Expected<SteppedPlan> planSteps(const Network &network);

/// All that it is given outlives it; belongs to one thread.
class SteppedInterpreter final : public SteppedNetwork {
public:
  SteppedInterpreter(const Network &network, const SteppedPlan &plan,
                     const Interpreter<float> &interpreter, const Samples &samples,
                     const InputMapping &mapping, uint64_t seed, uint32_t steps);
  ~SteppedInterpreter() override;

  const std::vector<Population> &populations() const override { return network.populations; }
  llvm::Error begin(size_t sample) override;
  std::vector<NeuronId> step(size_t population, uint32_t step,
                             llvm::ArrayRef<float> extra) override;
  std::vector<uint32_t> answers(uint32_t steps) override;

private:
  using State = Interpreter<float>::Sample;

  void show(uint32_t step, llvm::ArrayRef<const NetworkOp *> ops);

  const Network &network;
  const SteppedPlan &plan;
  const Interpreter<float> &interpreter;
  const Samples &samples;
  const InputMapping &mapping;
  uint64_t seed;
  std::vector<size_t> populationOps;            // places among the network's operations
  std::unique_ptr<State> state;                 // of the sample
  std::vector<std::vector<Tensor<float>>> made; // per population and step
};

} // namespace spindle::interpreter
