// What no partition can be below.
#pragma once

#include "core/chip/Chip.h"
#include "core/network/SpikingGraph.h"
#include "lib/partition/Hypergraph.h"
#include "lib/partition/PartitionOptions.h"

namespace spindle {

/// Lower bounds for all partitions of a network into the columns that `decompose` gives.
struct PartitionBounds {
  uint64_t columns = 0;     // clusters: columns over those of a crossbar
  uint64_t synapses = 0;    // … synapses over the cells of a crossbar
  uint64_t rows = 0;        // … axons, as often as a neuron needs one, over the rows of a crossbar
  uint64_t linear = 0;      // … rows and columns together, as a linear program (boundLinearly);
                            // 0 of graphs that share lists
  uint64_t deliveries = 0;  // spikes to clusters other than their own, those of the host included
  uint64_t partialSums = 0; // the same in every partition (decompose), but of pairs: 0
  double slowestCycles = 0; // of a sample: the crossbar with most work, if all that may be used are

  uint64_t clusters() const; // the largest of those for clusters
};

/// Errors as those of `partition`. O(synapses × readers of a source) at most.
llvm::Expected<PartitionBounds> boundPartitions(const SpikingGraph &graph, const Chip &chip,
                                                const PartitionOptions &options);

/// Whether the columns of a vertex lie in one crossbar, or a partition may tell them apart.
enum class ColumnsOfVertex { Together, Apart };

/// Over all `steps`: the work of the largest vertex, or of a column of it, and that of all shared
/// out evenly. Row reads that vertices share are left out.
double leastSlowestWork(const Hypergraph &graph, const LatencyTable &latency, double steps,
                        uint32_t crossbars, ColumnsOfVertex columns);

} // namespace spindle
