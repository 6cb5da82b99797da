#include "lib/partition/Strategies.h"
#include "lib/partition/packing/Packing.h"
#include "lib/partition/refine/Levels.h"
#include "lib/partition/refine/Refine.h"

#include "fmt/format.h"
#include "metis.h"

#include <algorithm>
#include <numeric>

// METIS: Karypis & Kumar 1998.

namespace spindle {

namespace {

/// The hypergraph as METIS can read it: its vertices and its nets become vertices of a bipartite
/// graph, a net tied to its driver and its readers. So an edge exists per synapse and not per pair
/// of readers, and a crossbar's two limits become two balance constraints: columns of the vertices,
/// rows of the nets.
struct BipartiteGraph {
  std::vector<idx_t> offsets{0}, neighbours, edgeWeights, vertexWeights;
};

} // namespace

static BipartiteGraph toBipartite(const Hypergraph &graph) {
  auto vertices = static_cast<idx_t>(graph.vertices());
  uint64_t sum = 0;
  for (uint32_t net = 0; net < graph.nets(); ++net)
    sum += graph.spikes[net] * (graph.readers[net].size() + 1);
  uint64_t scale = 1 + sum / (uint64_t(1) << 29); // METIS adds weights up in 32 bits
  BipartiteGraph result;
  auto tie = [&](idx_t neighbour, uint32_t net) {
    result.neighbours.push_back(neighbour);
    result.edgeWeights.push_back(static_cast<idx_t>(1 + graph.spikes[net] / scale));
  };
  auto close = [&](idx_t columns, idx_t rows) {
    result.offsets.push_back(static_cast<idx_t>(result.neighbours.size()));
    result.vertexWeights.push_back(columns);
    result.vertexWeights.push_back(rows);
  };
  auto reads = [&](VertexId v, uint32_t net) {
    return std::ranges::binary_search(graph.pins[v], net);
  };
  for (VertexId v = 0; v < graph.vertices(); ++v) {
    for (uint32_t net : graph.pins[v])
      tie(vertices + static_cast<idx_t>(net), net);
    for (uint32_t net : graph.driven[v])
      if (!reads(v, net))
        tie(vertices + static_cast<idx_t>(net), net);
    close(static_cast<idx_t>(graph.columns[v]), 0);
  }
  for (uint32_t net = 0; net < graph.nets(); ++net) {
    for (VertexId reader : graph.readers[net])
      tie(static_cast<idx_t>(reader), net);
    VertexId driver = graph.driver[net];
    if (driver != kNone && !reads(driver, net))
      tie(static_cast<idx_t>(driver), net);
    close(0, graph.readers[net].empty() ? 0 : static_cast<idx_t>(graph.rowsOfNet(net)));
  }
  return result;
}

/// The part of each vertex of the hypergraph.
static llvm::Expected<std::vector<uint32_t>> splitByMetis(const Hypergraph &graph, uint32_t parts,
                                                          uint64_t seed) {
  BipartiteGraph bipartite = toBipartite(graph);
  auto count = static_cast<idx_t>(bipartite.offsets.size() - 1);
  idx_t constraints = 2, cut = 0, partCount = static_cast<idx_t>(parts);
  std::vector<idx_t> part(static_cast<size_t>(count), 0);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = static_cast<idx_t>(seed % INT32_MAX);
  options[METIS_OPTION_NUMBERING] = 0;
  if (parts > 1) {
    int status = METIS_PartGraphKway(&count, &constraints, bipartite.offsets.data(),
                                     bipartite.neighbours.data(), bipartite.vertexWeights.data(),
                                     nullptr, bipartite.edgeWeights.data(), &partCount, nullptr,
                                     nullptr, options, &cut, part.data());
    if (status != METIS_OK)
      return checkError("metis",
                        fmt::format("METIS_PartGraphKway returned {} for {} vertices and {} "
                                    "parts; try the algorithm kernighan_lin",
                                    status, count, parts));
  }
  return std::vector<uint32_t>(part.begin(), part.begin() + graph.vertices());
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
