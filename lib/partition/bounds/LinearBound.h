// Clusters, by rows and columns at once.
#pragma once

#include "core/chip/Chip.h"
#include "core/network/SpikingGraph.h"
#include "lib/partition/Hypergraph.h"
#include "lib/partition/bounds/UnitKinds.h"

namespace spindle {

/// Clusters that no partition can do without. A crossbar holds so many columns of each kind, and
/// gives each so many rows: a pattern. The fewest patterns, in fractions, that make up all columns
/// and rows are a linear program over all patterns; in its dual every column and row of a kind has
/// a price, and no pattern may be worth more than 1. Patterns are added as they are found to be
/// worth most, by dynamic programming over rows and columns (Gilmore & Gomory 1961); prices that
/// are still too high are divided by that worth (Farley 1990), so that the bound holds at any time.
uint64_t boundLinearly(const std::vector<UnitKind> &kinds, const Crossbar &crossbar);

/// Of a network; 0 where it has more than `kMostKinds`, for which this takes too long.
uint64_t boundLinearly(const SpikingGraph &graph, const std::vector<Unit> &units,
                       const Hypergraph &hypergraph, const std::vector<uint64_t> &rowsOfNet,
                       const Crossbar &crossbar);
inline constexpr size_t kMostKinds = 40;

} // namespace spindle
