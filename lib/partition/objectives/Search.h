// One partition for an objective: what each algorithm makes under different rules, compared.
#pragma once

#include "lib/partition/Partition.h"
#include "lib/partition/Strategies.h"
#include "lib/partition/grouped/GroupedUnits.h"

namespace spindle {

struct SpikeTrace;

/// A network cut into units, and the chip that it is for.
struct PartitionProblem {
  const SpikingGraph &graph;
  const std::vector<Unit> &units;
  const Hypergraph &hypergraph;
  const Chip &chip;
  const PartitionOptions &options;
  Strategy *strategy;
  const GroupedUnits *groups = nullptr; // what vertices stand for, where they are no units
  const SpikeTrace *trace = nullptr;    // spikes that were recorded of the graph, if any

  /// Crossbars that may be used.
  uint32_t crossbars() const { return usableCrossbars(chip, options); }
  /// Limits of the chip and prices of work; traffic as the cost, work without a limit.
  PackingRules rules() const;
  Clustering cluster(const Packing &packing) const;
  /// Of units, one number each.
  Clustering cluster(const std::vector<ClusterId> &clusterOf) const;
};

/// The partition that is best by the objective. `traffic` takes what the algorithm makes;
/// `crossbars` weighs rows more and more; `time` and `energy` limit the work of a crossbar, tighter
/// and tighter (searchTime). May have more clusters than `crossbars()`, where none has fewer.
llvm::Expected<Clustering> searchObjective(const PartitionProblem &problem);

/// Clusters that each hold units of one population alone, so that a chip with too few crossbars can
/// take them load after load.
Clustering clusterLayersApart(const PartitionProblem &problem);

/// Limits on the work of a crossbar between that of `widest` and what no clustering can be below;
/// each is tried by growing clusters of coarse groups, the most promising ones by the algorithm
/// itself. The least forecast wins, with fewer packets where two are alike. With recorded spikes
/// `time` balances that one, and one for a shorter barrier, step by step; these and `widest` are
/// then compared in these steps, in both orders of columns unless one is asked for.
llvm::Expected<Clustering> searchTime(const PartitionProblem &problem, Clustering widest);

} // namespace spindle
