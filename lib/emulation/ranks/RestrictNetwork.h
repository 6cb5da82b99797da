// The part of a network that one of several ranks works.
#pragma once

#include "lib/emulation/network/Network.h"

#include "mlir/IR/OwningOpRef.h"

namespace spindle {

/// The neurons that a rank holds of a divided population: as many as others or one more.
struct NeuronRange {
  int64_t first, count;
};
NeuronRange neuronRange(int64_t neurons, size_t rank, size_t ranks);

/// Divides spiking populations of as many neurons as ranks or more that are driven by dense or
/// sparse layers (sums, delays and reshapes of them too): of these the part holds a contiguous
/// range of neurons, row-major, with the synapses onto them, and a gather of the spikes of all.
/// Everything else every rank works as a whole. The parts stand in the context of the network.
mlir::OwningOpRef<mlir::ModuleOp> restrictNetwork(const Network &network, size_t rank,
                                                  size_t ranks);

} // namespace spindle
