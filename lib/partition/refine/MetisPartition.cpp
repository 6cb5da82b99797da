#include "core/support/SplitGraph.h"
#include "lib/partition/Strategies.h"
#include "lib/partition/packing/Packing.h"
#include "lib/partition/refine/Levels.h"
#include "lib/partition/refine/Refine.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>

namespace spindle {

/// The hypergraph as METIS can read it: its vertices and its nets become vertices of a bipartite
/// graph, a net tied to its driver and its readers. So an edge exists per synapse and not per pair
/// of readers, and a crossbar's two limits become two balance constraints: columns of the vertices,
/// rows of the nets.
static WeightedGraph toBipartite(const Hypergraph &graph) {
  auto vertices = static_cast<int32_t>(graph.vertices());
  uint64_t sum = 0;
  for (uint32_t net = 0; net < graph.nets(); ++net)
    sum += graph.spikes[net] * (graph.readers[net].size() + 1);
  uint64_t scale = 1 + sum / (uint64_t(1) << 29); // METIS adds weights up in 32 bits
  WeightedGraph result;
  result.balanced = 2;
  auto tie = [&](int32_t neighbour, uint32_t net) {
    result.neighbours.push_back(neighbour);
    result.edgeWeights.push_back(static_cast<int32_t>(1 + graph.spikes[net] / scale));
  };
  auto close = [&](int32_t columns, int32_t rows) {
    result.offsets.push_back(static_cast<int32_t>(result.neighbours.size()));
    result.vertexWeights.push_back(columns);
    result.vertexWeights.push_back(rows);
  };
  auto reads = [&](VertexId v, uint32_t net) {
    return std::ranges::binary_search(graph.pins[v], net);
  };
  for (VertexId v = 0; v < graph.vertices(); ++v) {
    for (uint32_t net : graph.pins[v])
      tie(vertices + static_cast<int32_t>(net), net);
    for (uint32_t net : graph.driven[v])
      if (!reads(v, net))
        tie(vertices + static_cast<int32_t>(net), net);
    close(static_cast<int32_t>(graph.columns[v]), 0);
  }
  for (uint32_t net = 0; net < graph.nets(); ++net) {
    for (VertexId reader : graph.readers[net])
      tie(static_cast<int32_t>(reader), net);
    VertexId driver = graph.driver[net];
    if (driver != kNone && !reads(driver, net))
      tie(static_cast<int32_t>(driver), net);
    close(0, graph.readers[net].empty() ? 0 : static_cast<int32_t>(graph.rowsOfNet(net)));
  }
  return result;
}

/// The part of each vertex of the hypergraph.
static llvm::Expected<std::vector<uint32_t>> splitByMetis(const Hypergraph &graph, uint32_t parts,
                                                          uint64_t seed) {
  std::vector<uint32_t> alone(graph.vertices());
  std::iota(alone.begin(), alone.end(), 0);
  if (parts >= graph.vertices()) // METIS complains on the terminal of parts without a vertex
    return alone;
  WeightedGraph bipartite = toBipartite(graph);
  SPINDLE_ASSIGN(std::vector<uint32_t> part, splitGraph(bipartite, {.parts = parts, .seed = seed},
                                                        "try the algorithm kernighan_lin"));
  part.resize(graph.vertices());
  return part;
}

static constexpr int kAttempts = 3;

/// METIS balances the limits, it does not keep them, and does not see that a net takes a row in
/// every part that reads it: so each part is packed into as many clusters as it needs.
static llvm::Expected<Packing> packParts(const Hypergraph &graph, const PackingRules &rules,
                                         uint32_t parts, uint64_t seed) {
  SPINDLE_ASSIGN(std::vector<uint32_t> part, splitByMetis(graph, parts, seed));
  Packing packing = growPacking(graph, rules, part);
  dissolveClusters(packing);
  return packing;
}

llvm::Expected<Packing> partitionByMetis(const Hypergraph &units, const PackingRules &rules,
                                         const PartitionOptions &options) {
  Levels levels(units, rules);
  const Hypergraph &graph = levels.coarsest();
  // From the lower bound up: then as many parts as the packing before needed clusters.
  uint64_t columns = std::accumulate(units.columns.begin(), units.columns.end(), uint64_t(0));
  auto parts =
      static_cast<uint32_t>((columns + rules.crossbar.columns - 1) / rules.crossbar.columns);
  SPINDLE_ASSIGN(Packing best, packParts(graph, rules, parts, options.seed));
  for (int attempt = 1; attempt < kAttempts && best.clusters() > parts; ++attempt) {
    parts = best.clusters();
    SPINDLE_ASSIGN(Packing next, packParts(graph, rules, parts, options.seed));
    if (std::pair(next.clusters(), next.cost()) >= std::pair(best.clusters(), best.cost()))
      break;
    best = std::move(next);
  }
  Packing refined = levels.refineDown(std::move(best), options.passes, options.seed);
  ruinAndRecreate(refined, options.seed);
  return refined;
}

} // namespace spindle
