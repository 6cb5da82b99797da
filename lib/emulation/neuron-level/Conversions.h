// Tensors of spike times to trains and bundles, and back: one pure function per operation.
#pragma once

#include "lib/emulation/neuron-level/Values.h"

namespace spindle::neuron_level {

/// Finite ascending times, then +inf as padding; other lists are errors of the user's data.
llvm::Expected<Train> tensorToSpikeTrain(const Floats &times);

/// Filled up with +inf to `length`, which is negative where the train decides.
llvm::Expected<Floats> spikeTrainToTensor(const Train &train, int64_t length);

/// Rank `rank`: of a tensor of that rank one time per train, of a tensor of one rank more a list
/// per train.
llvm::Expected<Bundle> tensorToSpikeTrainBundle(const Floats &times, size_t rank);

/// The converse, to a tensor of rank `rank`; `length` as above, for the last dimension of a tensor
/// of one rank more.
llvm::Expected<Floats> spikeBundleToTensor(const Bundle &bundle, size_t rank, int64_t length);

} // namespace spindle::neuron_level
