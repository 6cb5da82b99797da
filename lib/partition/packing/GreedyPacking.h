// Crossbars filled one after the other, each with what its contents attract most.
#pragma once

#include "core/chip/Chip.h"
#include "lib/partition/packing/Packing.h"

namespace spindle {

/// Opens a cluster for the first vertex that is left and adds, as long as one fits, the vertex with
/// the largest attraction: (spikes saved + rows shared) per new row. Where `parts` is given,
/// vertices of different parts never meet. Requires that each vertex fits into an empty crossbar.
Packing growPacking(const Hypergraph &hypergraph, const Crossbar &crossbar,
                    const std::vector<uint32_t> &parts = {});

} // namespace spindle
