// What units take of a core beside rows and columns.
#pragma once

#include "core/chip/Chip.h"
#include "core/network/SpikingGraph.h"
#include "lib/partition/Hypergraph.h"

namespace spindle {

/// The limits of the chip as things that the units of a crossbar share: lists of weights in words
/// of synapse memory, and axons. Weights of a unit are a list of its own, or with `weight_sharing:
/// kernel` one with all units whose weights are the same in the order of their sources, as those of
/// a channel of a convolution are. Axons per source are sources; per population, populations; with
/// types of axons, pairs of those and a type. Empty for a chip without limits. The units are those
/// that `checkUnitsFit` takes.
std::vector<SharedUse> coreUses(const SpikingGraph &graph, const std::vector<Unit> &units,
                                const Crossbar &crossbar);

/// Words of a list of weights, which begins in a new one.
uint64_t wordsOf(const Crossbar &crossbar, uint64_t weights);

/// The error of a column with so many synapses on so many axons that no empty crossbar has room
/// for: layer, limit, need and remedy.
llvm::Error checkColumnFits(const Chip &chip, const std::string &layer, uint64_t synapses,
                            uint64_t axons);

/// The error of the first unit that no empty crossbar has room for.
llvm::Error checkUnitsFit(const SpikingGraph &graph, const std::vector<Unit> &units,
                          const Chip &chip);

} // namespace spindle
