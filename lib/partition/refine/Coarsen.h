// Smaller hypergraphs whose vertices are groups of vertices that belong together.
#pragma once

#include "lib/partition/packing/Packing.h"

namespace spindle {

struct CoarseHypergraph {
  Hypergraph hypergraph;
  std::vector<VertexId> coarseOf; // per vertex of the finer hypergraph
};

/// Merges vertices that read exactly the same nets (the channels of a convolution at one place, the
/// neurons of a dense layer) into vertices of at most the columns and the work of `limit`. Together
/// they take the rows of one of them, so hardly any good partition tears them apart. Where `parts`
/// is given, vertices of different parts stay apart.
CoarseHypergraph mergeTwins(const Hypergraph &fine, const PackingRules &limit,
                            const std::vector<uint32_t> &parts = {});

/// Merges each vertex with the one it is tied to most (heavy-edge matching, Karypis & Kumar 1998,
/// with the weight of a net shared out over its ends), as far as both fit into `limit` together.
/// Vertices choose in `order`, where one is given, else in their own.
CoarseHypergraph mergePairs(const Hypergraph &fine, const PackingRules &limit,
                            const std::vector<uint32_t> &parts = {},
                            const std::vector<VertexId> &order = {});

} // namespace spindle
