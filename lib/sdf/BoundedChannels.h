// Channels that hold so many tokens at most.
#pragma once

#include "core/chip/sdf/SdfGraph.h"

namespace spindle {

constexpr uint64_t kUnbounded = UINT64_MAX;

/// `graph` with a channel back from the target to the source of each channel that has a capacity,
/// after those of the graph and in their order: its tokens are the places that are free. A firing
/// takes its places when it starts and gives those of what it consumes back when it ends, as in
/// SDF3 (Stuijk, Geilen & Basten, "Exploring trade-offs in buffer requirements and throughput
/// constraints for synchronous dataflow graphs", DAC 2006). Capacities are at least the initial
/// tokens.
SdfGraph withCapacities(const SdfGraph &graph, const std::vector<uint64_t> &capacities);

/// Below it nothing runs: the largest firing does not fit, or for constant rates p and c and d
/// initial tokens, p + c - gcd(p, c) + d mod gcd(p, c) or d (Adé, Lauwereins & Peperstraete, DAC
/// 1997).
uint64_t leastCapacity(const SdfChannel &channel);

/// Capacities that are not the least one plus multiples of this are no better than the next smaller
/// one that is: the greatest common divisor of all rates.
uint64_t capacityStep(const SdfChannel &channel);

} // namespace spindle
