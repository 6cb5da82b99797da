// Neurons of SANA-FE as populations of a network file. Private to this folder.
#pragma once

#include "lib/frontend/sanafe/ImportChip.h"

namespace spindle::sanafe {

/// Groups of neurons that compute, of one unit model. Membranes: SANA-FE spikes above the
/// threshold, ours at it, so that it is the next number in single precision. Errors name group and
/// attribute.
llvm::Expected<std::string> neuronsText(const MappedNetwork &network, const NeuronGroup &group,
                                        const std::string &model);

/// What a group of inputs says of their spikes: which ones, or with what chance in each step.
struct InputSpikes {
  std::vector<std::pair<uint32_t, uint32_t>> listed; // step and neuron, ascending neurons
  std::vector<float> hertz;                          // per neuron, of steps of 1 ms
  bool isDrawn = false;
};

/// Lists of spikes, rates, which are regular, or chances (`poisson`). `steps`: so many of those
/// that have no end.
llvm::Expected<InputSpikes> inputSpikes(const MappedNetwork &network, const NeuronGroup &group,
                                        uint32_t steps);

/// A source of spikes that are drawn, as a population of a network file.
std::string drawnText(const std::vector<float> &hertz);

/// The steps of the longest list of spikes of a group of inputs.
llvm::Expected<uint32_t> longestTrain(const MappedNetwork &network, const NeuronGroup &group);

} // namespace spindle::sanafe
