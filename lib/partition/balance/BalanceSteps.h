// Crossbars that are equally busy in every step.
#pragma once

#include "lib/partition/objectives/Search.h"

#include <optional>

namespace spindle {

/// Whether a clustering is one that `balanceSteps` can work on: on a chip with barriers, all of it
/// there at once, of neurons that are not divided, with synapses one by one, recorded spikes and no
/// limits but rows and columns.
bool canBalanceSteps(const PartitionProblem &problem, const Clustering &clustering);

/// Simulated annealing of units between the clusters that there are: of the time of all steps, each
/// as long as its slowest part (CrossbarLoads), with hardly more packets than before; fewer of them
/// count by `packetWeight`. They are weighed by their energy where the chip has prices for it.
/// None where ports of tiles or the host are nearly as busy as crossbars: links would be, too, and
/// nobody knows these before clusters are placed.
std::optional<Clustering> balanceSteps(const PartitionProblem &problem,
                                       const Clustering &clustering);

} // namespace spindle
