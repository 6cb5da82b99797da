// Clusters on a chip → a data-flow graph whose iteration is one sample.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/chip/sdf/SdfGraph.h"
#include "lib/sdf/SdfOptions.h"

namespace spindle {

struct SpikeTrace;
struct SpikingGraph;

/// One actor per cluster, in order; a firing works a mean sample off. Row reads run beside the
/// column updates, as in the chip simulation, so it takes, rounded up and at least 1 cycle,
///   work = max(steps × columns in use × neuronUpdateCycles,
///              (spikes on its axons + partial sums received) × rowReadCycles
///              + cells driven by those spikes × synapseCyclesOf their kind),
/// on a chip with barriers steps × (stepBarrierCycles + tiles × stepBarrierTileCycles) more, the
/// tiles being as few as hold the clusters; on a free-running chip at least steps × stepCycles().
/// One channel per link between clusters with produce = consume = packets per mean sample, rounded
/// up, at least 1; then one from each actor to itself with one token: a cluster does one sample at
/// a time. Links of the host are left out, it is taken to be ahead.
/// Clusters that drive each other in a circle exchange packets every step, so none of them can wait
/// for a whole sample of another: channels inside a strongly connected part hold the tokens of one
/// sample from the start (docs/rationale/sdf.md). The graph is therefore always live.
/// With the recorded spikes, on a chip that does not run freely, the last actor, `steps`, is the
/// chip as a whole: in every step all crossbars wait for the slowest (StepWork.h); and a cluster
/// takes its own part of these steps in place of the above. `neurons`: the
/// network, which says on a chip that prices accesses which neurons are updated.
llvm::Expected<SdfGraph> buildSdf(const Clustering &clustering, const Chip &chip,
                                  const SdfOptions &options, const SpikeTrace *spikes = nullptr,
                                  const SpikingGraph *neurons = nullptr);

} // namespace spindle
