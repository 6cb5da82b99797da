#include "lib/partition/Strategies.h"
#include "lib/partition/packing/FreeVertices.h"
#include "lib/partition/packing/Packing.h"

#include <algorithm>

namespace spindle {

namespace {

std::vector<uint32_t> rowsOfVertices(const Hypergraph &graph) {
  std::vector<uint32_t> rows(graph.vertices());
  for (VertexId v = 0; v < graph.vertices(); ++v)
    rows[v] = graph.rowsOf(v);
  return rows;
}

/// The cluster under construction and what it attracts.
class Growth {
public:
  Growth(const Hypergraph &hypergraph, const PackingRules &rules,
         const std::vector<uint32_t> &parts)
      : graph(hypergraph), packing(hypergraph, rules), partOf(parts), rows(rowsOfVertices(graph)),
        left(rows, graph.columns), pulls(graph.vertices()), isAxon(graph.nets()),
        isHome(graph.nets()) {}

  Packing run() && {
    for (; firstLeft < graph.vertices(); ++firstLeft)
      if (packing.clusterOf(firstLeft) == kNone)
        fill(firstLeft);
    return std::move(packing);
  }

private:
  struct Pull {
    uint32_t sharedRows = 0;
    uint64_t sharedReads = 0, savedSpikes = 0;
    bool known = false;
  };

  void fill(VertexId seed) {
    current = packing.open();
    part = partOf.empty() ? 0 : partOf[seed];
    for (VertexId v = seed; v != kNone; v = next())
      absorb(v);
    for (VertexId v : known)
      pulls[v] = {};
    known.clear();
    for (const std::vector<uint32_t> *nets : {&axons, &homes})
      for (uint32_t net : *nets)
        isAxon[net] = isHome[net] = false;
    axons.clear();
    homes.clear();
  }

  void absorb(VertexId v) {
    packing.place(v, current);
    left.remove(v);
    for (uint32_t net : graph.pins[v]) {
      if (isAxon[net])
        continue;
      isAxon[net] = true;
      axons.push_back(net);
      for (VertexId reader : graph.readers[net])
        pull(reader, graph.rowsOfNet(net), graph.spikes[net], isHome[net] ? 0 : graph.spikes[net]);
      if (graph.driver[net] != kNone)
        pull(graph.driver[net], 0, 0, graph.spikes[net]);
    }
    for (uint32_t net : graph.driven[v]) {
      isHome[net] = true;
      homes.push_back(net);
      if (!isAxon[net])
        for (VertexId reader : graph.readers[net])
          pull(reader, 0, 0, graph.spikes[net]);
    }
  }

  void pull(VertexId v, uint32_t sharedRows, uint64_t sharedReads, uint64_t savedSpikes) {
    if (!isFree(v))
      return;
    if (!pulls[v].known)
      known.push_back(v);
    pulls[v].known = true;
    pulls[v].sharedRows += sharedRows;
    pulls[v].sharedReads += sharedReads;
    pulls[v].savedSpikes += savedSpikes;
  }

  bool isFree(VertexId v) const {
    return packing.clusterOf(v) == kNone && (partOf.empty() || partOf[v] == part);
  }

  uint32_t newRows(VertexId v) const { return rows[v] - pulls[v].sharedRows; }

  bool fits(VertexId v) const {
    return packing.fits(v, {current, newRows(v), graph.rowReads[v] - pulls[v].sharedReads, 0, 0});
  }

  /// The vertex to add, kNone when the cluster is full.
  VertexId next() {
    std::erase_if(known, [&](VertexId v) { return packing.clusterOf(v) != kNone; });
    VertexId best = kNone;
    double bestAttraction = -1;
    for (VertexId v : known) {
      if (!fits(v))
        continue;
      double attraction = double(pulls[v].savedSpikes + pulls[v].sharedRows) / (newRows(v) + 1.0);
      if (attraction > bestAttraction || (attraction == bestAttraction && v < best)) {
        best = v;
        bestAttraction = attraction;
      }
    }
    // Of the others, which share no rows. What is known does not fit.
    if (best == kNone && packing.freeColumns(current) > 0)
      best = left.first(packing.freeRows(current), packing.freeColumns(current),
                        [&](VertexId v) { return isFree(v) && fits(v); });
    return best;
  }

  const Hypergraph &graph;
  Packing packing;
  const std::vector<uint32_t> &partOf;
  std::vector<uint32_t> rows; // per vertex, alone in a crossbar
  FreeVertices left;
  VertexId firstLeft = 0;
  ClusterId current = 0;
  uint32_t part = 0;
  std::vector<Pull> pulls;            // per vertex
  std::vector<VertexId> known;        // vertices with a pull
  std::vector<char> isAxon, isHome;   // per net: read in, driven from the current cluster
  std::vector<uint32_t> axons, homes; // the nets for which they are set
};

} // namespace

Packing growPacking(const Hypergraph &hypergraph, const PackingRules &rules,
                    const std::vector<uint32_t> &parts) {
  return Growth(hypergraph, rules, parts).run();
}

llvm::Expected<Packing> packGreedily(const Hypergraph &units, const PackingRules &rules,
                                     const PartitionOptions &) {
  return growPacking(units, rules);
}

} // namespace spindle
