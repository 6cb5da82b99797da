// Which trees the spikes of a mapped network take, and what the routers have to know for that.
#pragma once

#include "core/chip/routing/MulticastTree.h"
#include "sim/model/SpikeFanOut.h"

namespace spindle {

/// One packet of a spike: a tree, and for each of its targets the crossbars there.
struct PlannedPacket {
  uint32_t tree;
  llvm::SmallVector<llvm::ArrayRef<Stop>, 4> stops; // per target of the tree
};

/// Made once for a chip with multicast. Neurons of one tile with the same target tiles share trees.
/// Spikes of the host have trees from each of its tiles that is nearest to a target.
struct MulticastPlan {
  std::vector<MulticastTree> trees;
  std::vector<std::vector<PlannedPacket>> packets; // per neuron

  /// Entries in the table of each router.
  std::vector<uint32_t> tableEntries(const Mesh &mesh) const;
};

/// Refuses what does not fit the tables. `fanOut` outlives the plan.
llvm::Expected<MulticastPlan> planMulticast(const SpikeFanOut &fanOut, uint32_t neurons,
                                            const Chip &chip);

} // namespace spindle
