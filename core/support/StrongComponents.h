// Strongly connected components of a directed graph given by its arcs.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace spindle {

/// The component of every node, numbered from 0: after all components that it reaches. Linear time
/// (Tarjan 1972, Boost.Graph).
std::vector<uint32_t> strongComponents(uint32_t nodes,
                                       const std::vector<std::pair<uint32_t, uint32_t>> &arcs);

} // namespace spindle
