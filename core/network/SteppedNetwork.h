// A spiking network that someone else steps: a chip, which knows what its neurons have heard.
#pragma once

#include "core/network/Population.h"
#include "core/support/Error.h"

#include "llvm/ADT/ArrayRef.h"

namespace spindle {

/// One sample of a feed-forward network, population by population. Of each population the steps are
/// called in order, and step t of a population after step t of those that drive it; apart from that
/// populations may be any number of steps apart.
class SteppedNetwork {
public:
  virtual ~SteppedNetwork() = default;

  virtual const std::vector<Population> &populations() const = 0;
  /// Begins a sample at rest.
  virtual llvm::Error begin(size_t sample) = 0;
  /// Works one step of a population, driven by all spikes that the others made in this step, and by
  /// `extra` currents, one per neuron (none: zero everywhere). What makes spikes on the host takes
  /// none. Returns the neurons that spike, ascending, repeated for several spikes.
  virtual std::vector<NeuronId> step(size_t population, uint32_t step,
                                     llvm::ArrayRef<float> extra) = 0;
  /// After `steps` steps of all populations: the class that the network answers after each of them.
  virtual std::vector<uint32_t> answers(uint32_t steps) = 0;
};

} // namespace spindle
