#include "lib/partition/bounds/ReadingClusters.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace spindle {

namespace {

constexpr uint64_t kMostRowVisits = 300'000'000;

class ReachBound {
public:
  ReachBound(const Hypergraph &hypergraph, const Crossbar &limits)
      : graph(hypergraph), crossbar(limits), seen(hypergraph.nets(), kNone) {
    uint64_t visits = 0;
    for (uint32_t net : graph.pins.members)
      visits += graph.pins[graph.readers[net].front()].size();
    countsRows = visits <= kMostRowVisits;
  }

  LeastReach run() {
    LeastReach reach;
    for (uint32_t net = 0; net < graph.nets(); ++net) {
      uint64_t readers = columnsOf(graph.readers[net]);
      uint64_t clusters = readers == 0 ? 0 : std::max(byColumns(readers), byRows(net));
      reach.rows.push_back(clusters);
      reach.deliveries.push_back(readers == 0 ? 0 : deliveriesOf(net, clusters));
    }
    return reach;
  }

private:
  uint64_t columnsOf(std::span<const VertexId> readers) const {
    uint64_t columns = 0;
    for (VertexId reader : readers)
      columns += graph.columns[reader];
    return columns;
  }

  uint64_t byColumns(uint64_t readers) const { return llvm::divideCeil(readers, crossbar.columns); }

  uint64_t byRows(uint32_t net) {
    if (!countsRows || crossbar.rows == 1)
      return 1;
    uint64_t sources = 0;
    for (VertexId reader : graph.readers[net])
      for (uint32_t source : graph.pins[reader])
        if (seen[source] != net) {
          seen[source] = net;
          sources += graph.rowsOfNet(source);
        }
    return std::max<uint64_t>(1, llvm::divideCeil(sources - 1, crossbar.rows - 1));
  }

  bool reads(VertexId v, uint32_t net) const {
    return std::ranges::binary_search(graph.pins[v], net);
  }

  bool fitTogether(VertexId a, VertexId b) const {
    if (crossbar.columns < 2)
      return false;
    auto pa = graph.pins[a], pb = graph.pins[b];
    uint64_t shared = 0;
    for (auto i = pa.begin(), j = pb.begin(); i != pa.end() && j != pb.end();) {
      shared += *i == *j ? graph.rowsOfNet(*i) : 0;
      bool isLess = *i <= *j;
      j += *j <= *i;
      i += isLess;
    }
    return uint64_t(graph.rowsOf(a)) + graph.rowsOf(b) - shared <= crossbar.rows;
  }

  uint64_t deliveriesOf(uint32_t net, uint64_t clusters) const {
    VertexId driver = graph.driver[net];
    if (driver == kNone)
      return clusters;
    if (reads(driver, net))
      return clusters - 1;
    auto readers = graph.readers[net];
    auto isNear = [&](VertexId reader) { return fitTogether(driver, reader); };
    if (!std::ranges::any_of(readers, isNear))
      return clusters;
    return std::max(clusters, byColumns(columnsOf(readers) + 1)) - 1;
  }

  const Hypergraph &graph;
  Crossbar crossbar;
  std::vector<uint32_t> seen; // per net, the last one that counted it
  bool countsRows = true;
};

} // namespace

LeastReach leastReach(const Hypergraph &units, const Crossbar &crossbar) {
  return ReachBound(units, crossbar).run();
}

} // namespace spindle
