// Columns that are alike: those of a layer, as far as layers share no sources.
#pragma once

#include "core/chip/Chip.h"
#include "core/network/SpikingGraph.h"
#include "lib/partition/Hypergraph.h"

namespace spindle {

/// Columns whose sources no column of another kind reads, so that the rows of kinds add up.
struct UnitKind {
  uint64_t units = 0;
  uint64_t rows = 0; // of all clusters together, at least
  /// Rows that j columns of the kind take in one crossbar, at least, for j from 0 to as many as
  /// fit; never less than for j - 1.
  std::vector<uint32_t> rowsOf;
};

/// `rowsOfNet` as leastReach gives them. A kind holds the columns of a population at one place of
/// their chains, or of several of these where they share sources.
std::vector<UnitKind> findKinds(const SpikingGraph &graph, const std::vector<Unit> &units,
                                const Hypergraph &hypergraph,
                                const std::vector<uint64_t> &rowsOfNet, const Crossbar &crossbar);

} // namespace spindle
