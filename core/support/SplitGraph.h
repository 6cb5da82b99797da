// Graphs with weights in parts of about one size, with little between them.
#pragma once

#include "core/support/Error.h"

#include <cstdint>
#include <vector>

namespace spindle {

/// The neighbours of vertex v are neighbours[offsets[v] .. offsets[v+1]); each edge stands at both
/// its ends. Weights add up below 2^31.
struct WeightedGraph {
  std::vector<int32_t> offsets{0}, neighbours, edgeWeights;
  std::vector<int32_t> vertexWeights; // for each vertex `balanced` of them; empty: one each
  int32_t balanced = 1;               // sums of weights that parts have about the same of
  size_t vertices() const { return offsets.size() - 1; }
};

struct SplitOptions {
  uint32_t parts = 2;
  uint64_t seed = 1;
  bool byHalves = false;   // halves of halves: better for a few parts
  float mostOfMean = 1.03; // a part beside the mean, of each sum; more where that cannot be
};

/// The part of each vertex, by METIS (Karypis & Kumar 1998). Errors: what METIS refuses, with
/// `remedy`.
llvm::Expected<std::vector<uint32_t>> splitGraph(WeightedGraph &graph, const SplitOptions &options,
                                                 const char *remedy);

} // namespace spindle
