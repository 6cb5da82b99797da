// From an emulated network to the graph that is partitioned.
#pragma once

#include "core/network/SpikingGraph.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

struct SpikeTrace;

/// With more synapses than this, by estimate, the graph has lists that neurons share, and no
/// weights.
inline constexpr uint64_t kMostListedSynapses = 100'000'000;

/// Populations, composed synapses and the spikes of the recorded samples. Under direct encoding the
/// first population has no synapses: the host drives it. Errors: a trace of another network, a
/// population that is driven by membranes instead of spikes.
llvm::Expected<SpikingGraph> extractGraph(mlir::ModuleOp snn, const SpikeTrace &trace,
                                          uint64_t mostListed = kMostListedSynapses);

} // namespace spindle
