// Which cluster goes to which crossbar where faults leave some of them less room than others.
#pragma once

#include "lib/mapping/PlacementProblem.h"

namespace spindle {

/// A maximum matching of clusters and crossbars, one cluster after the other by augmenting paths
/// (Kuhn 1955; Hall, "On representatives of subsets", 1935, for the refusal).
class Matching {
public:
  /// Crossbars that may be used, tried in this order; `problem` outlives the matching.
  Matching(const PlacementProblem &given, Slots candidates);

  /// Gives a cluster a crossbar of its own, for which clusters that have one may move to another.
  /// False where that cannot be: `rivals` is then the set of clusters, this one included, that all
  /// fit into too few crossbars. O(clusters × candidates), mostly O(candidates).
  bool add(ClusterId cluster);
  /// Sets a cluster on a free crossbar that it fits.
  void put(ClusterId cluster, SlotId slot);

  const Slots &slots() const { return slotOf; } // kNone: has none yet
  const std::vector<ClusterId> &rivals() const { return competing; }

private:
  const PlacementProblem &problem;
  Slots tried, slotOf;
  std::vector<ClusterId> occupant; // per slot
  std::vector<ClusterId> competing;
};

} // namespace spindle
