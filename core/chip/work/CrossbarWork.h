// What a crossbar has to do, and how long that takes: the one price that partition, data-flow graph
// and simulation share.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>

namespace spindle {

/// Events of a crossbar over any number of steps: whole numbers, exact below 2^53.
struct CrossbarWork {
  double columnUpdates = 0;          // columns in use, once per step
  double rowReads = 0;               // spikes on its axons
  SynapsesByKind<double> cells = {}; // driven by those
  double partialSums = 0;            // received for one of its columns
  bool operator==(const CrossbarWork &) const = default;
  CrossbarWork &operator+=(const CrossbarWork &more);
  CrossbarWork &operator-=(const CrossbarWork &less);
};

/// Cycles to add a partial sum that was received to its column: a price of its own, or where the
/// chip gives none a row read.
inline double partialSumCycles(const LatencyTable &latency) {
  return latency.partialSumCycles.source.empty() ? latency.rowReadCycles.value
                                                 : latency.partialSumCycles.value;
}

/// Of cells of all kinds, each at its own price.
inline double cellCycles(const SynapsesByKind<double> &cells, const LatencyTable &latency) {
  double cycles = 0;
  for (SynapseKind kind : kSynapseKinds)
    cycles += cells[kind] * latency.synapseCyclesOf(kind);
  return cycles;
}

/// Rows, cells and sums are worked one after the other.
inline double readingCycles(const CrossbarWork &work, const LatencyTable &latency) {
  return work.rowReads * latency.rowReadCycles.value + cellCycles(work.cells, latency) +
         work.partialSums * partialSumCycles(latency);
}

/// Cycles that a column takes in a step; on a chip that counts accesses, of a neuron not at rest.
inline double columnCycles(const LatencyTable &latency) {
  return latency.neuronAccessCycles.value + latency.neuronUpdateCycles.value;
}

inline double updatingCycles(const CrossbarWork &work, const LatencyTable &latency) {
  return work.columnUpdates * columnCycles(latency);
}

/// Rows are read for the next update while columns are updated: the longer of the two counts. Exact
/// for whole prices while it is below 2^53.
inline double workCycles(const CrossbarWork &work, const LatencyTable &latency) {
  return std::max(updatingCycles(work, latency), readingCycles(work, latency));
}

/// Cycles that the barriers of a sample add to its work, where clusters fill tile after tile; none
/// on a chip without barriers.
double barrierCyclesPerSample(const Chip &chip, const Clustering &clustering);

/// Partial sums that leave a crossbar together, `last` by the order of its columns.
struct SumPacket {
  UnitId last;
  uint32_t sums;
};

/// Those of a step in which the crossbars that are `heard` have spikes for it, in the order in
/// which they are sent. A clustering does not say which rows meet which column, so a unit has
/// something to carry when its crossbar hears a spike, or a sum was carried to it: an upper bound.
/// `works`: the units that are updated in the step.
std::vector<SumPacket> sumPackets(const Clustering &clustering, const std::vector<bool> &heard,
                                  llvm::function_ref<bool(const Unit &)> works);

/// What each cluster does over all recorded samples.
std::vector<CrossbarWork> workOf(const Clustering &clustering);

} // namespace spindle
