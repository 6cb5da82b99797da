// Clusters on a chip → a data-flow graph whose iteration is one sample.
#pragma once

#include "lib/core/Chip.h"
#include "lib/core/Clustering.h"
#include "lib/core/SdfGraph.h"
#include "lib/sdf/SdfOptions.h"

namespace spindle {

/// One actor per cluster, in order; a firing works a mean sample off:
///   steps × (columns in use × neuronUpdateCycles + stepBarrierCycles)
///   + (spikes on its axons + partial sums received) × rowReadCycles
///   + cells driven by those spikes × synapseCycles, rounded up, at least 1 cycle.
/// One channel per link between clusters with produce = consume = packets per mean sample, rounded
/// up, at least 1; then one from each actor to itself with one token: a cluster does one sample at
/// a time. Links of the host are left out, it is taken to be ahead. Clusters of a feed-forward
/// network may drive each other in a circle. Within a strongly connected part, channels that lead
/// against the order of the clusters (by mean neuron id, then cluster id) carry the tokens of one
/// sample from the start, so the graph is always live: across them a cluster works with the packets
/// of the sample before (docs/rationale/sdf.md).
llvm::Expected<SdfGraph> buildSdf(const Clustering &clustering, const Chip &chip,
                                  const SdfOptions &options);

} // namespace spindle
