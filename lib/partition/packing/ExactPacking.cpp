#include "lib/partition/Strategies.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>

namespace spindle {

namespace {

/// Branch and bound over the set partitions of the vertices: each goes into a cluster that is open
/// or opens the next one.
class ExactSearch {
public:
  ExactSearch(const Hypergraph &units, const PackingRules &rules, Packing start)
      : graph(units), packing(units, rules), best(std::move(start)), order(units.vertices()) {
    std::iota(order.begin(), order.end(), 0);
    // Those with most rows leave least choice.
    std::ranges::sort(order, {}, [&](VertexId v) {
      return std::pair(-static_cast<int64_t>(graph.rowsOf(v)), v);
    });
    position.resize(graph.vertices());
    for (size_t i = 0; i < order.size(); ++i)
      position[order[i]] = i;
    readBy.assign(graph.nets(), 0);
  }

  Packing run() && {
    place(0);
    return std::move(best);
  }

private:
  /// No packing that goes on from here costs less. What is placed costs what it costs, but that the
  /// membranes which are left may come home to a cluster that hears them; a net that nobody reads
  /// yet takes one row, and a packet where the host sends it.
  int64_t leastCost(size_t placed) const {
    int64_t cost = packing.cost();
    for (uint32_t net = 0; net < graph.nets(); ++net) {
      if (graph.readers[net].empty())
        continue;
      VertexId driver = graph.driver[net];
      bool isHost = driver == kNone;
      auto spikes = static_cast<int64_t>(graph.spikes[net]);
      if (readBy[net] > 0)
        cost -= !isHost && position[driver] >= placed ? packing.rules().costOf(spikes, 0) : 0;
      else
        cost += packing.rules().costOf(isHost ? spikes : 0, 1);
    }
    return cost;
  }

  void place(size_t placed) {
    if (leastCost(placed) >= best.cost())
      return;
    if (placed == order.size()) {
      best = packing;
      return;
    }
    VertexId v = order[placed];
    for (ClusterId c = 0; c <= packing.clusters(); ++c) {
      bool isNew = c == packing.clusters();
      if (isNew)
        packing.open();
      if (packing.fits(v, packing.offer(v, c))) {
        packing.place(v, c);
        count(v, 1);
        place(placed + 1);
        count(v, -1);
        packing.lift(v);
      }
      if (isNew) {
        packing.close(c);
        return;
      }
    }
  }

  void count(VertexId v, int change) {
    for (uint32_t net : graph.pins[v])
      readBy[net] += change;
  }

  const Hypergraph &graph;
  Packing packing, best;
  std::vector<VertexId> order;
  std::vector<size_t> position; // per vertex, in the order
  std::vector<int> readBy;      // per net, placed readers
};

} // namespace

llvm::Expected<Packing> packExactly(const Hypergraph &units, const PackingRules &rules,
                                    const PartitionOptions &) {
  if (units.vertices() > kExactUnits)
    return inputError("spiking graph",
                      fmt::format("the algorithm exact tries all partitions of at most {} columns, "
                                  "the network takes {}; use kernighan_lin",
                                  kExactUnits, units.vertices()));
  return ExactSearch(units, rules, growPacking(units, rules)).run();
}

} // namespace spindle
