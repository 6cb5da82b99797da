// Clusters by halving the network again and again.
#pragma once

#include "lib/partition/packing/Packing.h"

#include <optional>

namespace spindle {

/// As few clusters as columns ask for, by recursive bisection: each half is found on groups of
/// units first, then on ever smaller ones (Karypis, Aggarwal, Kumar & Shekhar 1997), several times
/// from different random numbers, and again with groups within the halves of the best. Nothing
/// where crossbars have too few rows for that, or a limit of a core or of work is in the way.
std::optional<Packing> packByHalves(const Hypergraph &units, const PackingRules &rules,
                                    uint64_t seed);

} // namespace spindle
