// Simulated annealing of a packing.
#pragma once

#include "core/support/CounterRandom.h"
#include "lib/partition/packing/Packing.h"

namespace spindle {

/// Whether the counts that `anneal` keeps, one for each net and cluster, find room (1 GiB), nets
/// take a row each, and nothing is limited but rows, columns and work.
bool canAnneal(const Packing &packing);

/// Simulated annealing (Kirkpatrick, Gelatt & Vecchi 1983) over single units: one goes to a cluster
/// that shares a net with it, or changes places with one of its units; what costs more is done with
/// a probability that falls. Clusters never break their limits and become no more. `trials` of
/// them, each a few microseconds at most. Returns the cost saved; the packing is never worse
/// afterwards.
int64_t anneal(Packing &packing, uint64_t trials, uint64_t seed);

} // namespace spindle
