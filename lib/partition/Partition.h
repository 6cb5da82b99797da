// Spiking graph to crossbar-sized clusters.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/network/SpikingGraph.h"
#include "lib/partition/PartitionOptions.h"

namespace spindle {

struct SpikeTrace;

/// Decomposes the network into crossbar columns and packs these into clusters. Hard limits:
/// distinct sources (axons) of a cluster <= rows, units <= columns, clusters <= crossbars of the
/// chip. Minimised: spike packets between clusters, one per spike and destination, host included;
/// then rows, and with them clusters. Refuses crossbars without rows or columns, networks without
/// neurons, and, without `multiplex`, networks that need more crossbars than the chip has.
/// `trace`: spikes that were recorded of the graph, with which the objectives `time` and `energy`
/// know how busy crossbars are step by step; refused if it is of another run.
llvm::Expected<Clustering> partition(const SpikingGraph &graph, const Chip &chip,
                                     const PartitionOptions &options,
                                     const SpikeTrace *trace = nullptr);

/// The same, where the clusters may be more than the crossbars.
llvm::Expected<Clustering> partitionFreely(const SpikingGraph &graph, const Chip &chip,
                                           const PartitionOptions &options,
                                           const SpikeTrace *trace = nullptr);

/// Whether `partition` has a use for recorded spikes.
bool usesSteps(const SpikingGraph &graph, const Chip &chip, const PartitionOptions &options);

/// Refuses what `partition` refuses before it works.
llvm::Error checkPartitionInput(const SpikingGraph &graph, const Chip &chip,
                                const PartitionOptions &options);

/// Crossbars that may be used.
uint32_t usableCrossbars(const Chip &chip, const PartitionOptions &options);

} // namespace spindle
