// Axons of types: a neuron weighs all synapses of an axon's type alike.
#pragma once

#include "core/chip/Clustering.h"
#include "core/network/SpikingGraph.h"

#include <optional>
#include <span>
#include <vector>

namespace spindle {

/// The different ones of `weights` but for 0, ascending; none where there are more than `most`.
std::optional<std::vector<float>> tableOfWeights(std::span<const float> weights, uint32_t most);

/// The type of the axon that each synapse comes in by: the place of its weight in the table of its
/// population, or, where a population has more than `most` different weights, in the table of its
/// column. Columns are units, each with at most `most` different weights. A synapse of weight 0 is
/// a cell that is off, and its type says nothing.
std::vector<uint8_t> axonTypes(const SpikingGraph &graph, const std::vector<Unit> &units,
                               uint32_t most);

} // namespace spindle
