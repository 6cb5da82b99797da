// Crossbars that are equally busy in every step.
#pragma once

#include "lib/partition/objectives/Search.h"

namespace spindle {

/// A clustering and what its steps take.
struct Balanced {
  Clustering clustering;
  double cycles = 0; // of a sample, barriers left out: the slowest part of each step
};

/// Whether the trace and the units are what `balanceSteps` needs: a recorded sample, synapses one
/// by one, sums without rows, no limits but rows and columns, and room for its counts.
bool canBalanceSteps(const PartitionProblem &problem, const Clustering &clustering);

/// Simulated annealing of units between the clusters that there are: of the time of all steps, each
/// as long as its slowest part (CrossbarLoads), and the price of packets, where a percent of the
/// one is worth a percent of the other. The price is energy where the chip has prices for it. Never
/// worse by that measure.
Balanced balanceSteps(const PartitionProblem &problem, Clustering clustering);

} // namespace spindle
