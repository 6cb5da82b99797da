// Edges of SANA-FE: one by one, dense, sparse, convolutions. Private to this folder.
#pragma once

#include "lib/frontend/sanafe/MappedNetwork.h"

namespace spindle::sanafe {

inline constexpr uint64_t kMostEdges = 1 << 25;

/// The weight of an edge between two neurons; refuses delays and all other attributes.
llvm::Expected<double> weightOfEdge(const Field &attributes);

/// Adds the edges between two groups of so many neurons that a type with its lists says, at most
/// `most`.
llvm::Error addHyperEdge(const Field &attributes, uint32_t sources, uint32_t targets, uint64_t most,
                         std::vector<Edge> &edges);

} // namespace spindle::sanafe
