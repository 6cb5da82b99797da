#include "lib/partition/anneal/TwoSides.h"

#include <algorithm>
#include <queue>

namespace spindle {

namespace {

/// So many moves in a row without a new best point end a pass.
constexpr size_t kPatience = 300, kPasses = 30;
/// Ends of larger nets are not told of moves: one hardly changes their gains.
constexpr size_t kLargeNet = 1000;

class Refinement {
public:
  Refinement(const Hypergraph &hypergraph, const NetWeights &cost, TwoSides &start,
             CounterRandom &numbers)
      : graph(hypergraph), weights(cost), sides(start), random(numbers), ends(graph.nets()),
        gain(graph.vertices()), locked(graph.vertices()) {
    uint64_t all = 0, largest = 0;
    for (VertexId v = 0; v < graph.vertices(); ++v) {
      columns[side(v)] += graph.columns[v];
      all += graph.columns[v];
      largest = std::max<uint64_t>(largest, graph.columns[v]);
      eachNet(v, [&](uint32_t net) { ++ends[net][side(v)]; });
    }
    for (int s : {0, 1})
      bounds[s] = sides.capacities[s] + std::max(largest, all / 50);
    for (uint32_t net = 0; net < graph.nets(); ++net)
      cut += ends[net][0] > 0 && ends[net][1] > 0 ? weights[net] : 0;
  }

  std::pair<uint64_t, int64_t> run() {
    for (size_t pass = 0; pass < kPasses && runPass(); ++pass) {
    }
    return {excess(), cut};
  }

private:
  struct Entry {
    int64_t gain;
    uint32_t tie;
    VertexId vertex;
    bool operator<(const Entry &other) const {
      return std::tie(gain, tie) < std::tie(other.gain, other.tie);
    }
  };

  int side(VertexId v) const { return sides.sideOf[v]; }
  uint64_t excess() const {
    uint64_t above = 0;
    for (int s : {0, 1})
      above += columns[s] > sides.capacities[s] ? columns[s] - sides.capacities[s] : 0;
    return above;
  }

  /// The nets that `v` is an end of, each once.
  template <typename Visit> void eachNet(VertexId v, Visit visit) const {
    for (uint32_t net : graph.pins[v])
      visit(net);
    for (uint32_t net : graph.driven[v])
      if (!std::ranges::binary_search(graph.pins[v], net))
        visit(net);
  }
  template <typename Visit> void eachEnd(uint32_t net, Visit visit) const {
    for (VertexId reader : graph.readers[net])
      visit(reader);
    VertexId driver = graph.driver[net];
    if (driver != kNone && !std::ranges::binary_search(graph.readers[net], driver))
      visit(driver);
  }

  bool runPass() {
    std::ranges::fill(locked, false);
    queues = {};
    log.clear();
    for (VertexId v = 0; v < graph.vertices(); ++v) {
      gain[v] = 0;
      eachNet(v, [&](uint32_t net) {
        gain[v] += ends[net][side(v)] == 1 ? weights[net] : 0;
        gain[v] -= ends[net][1 - side(v)] == 0 ? weights[net] : 0;
      });
      enqueue(v);
    }
    std::pair best(excess(), cut);
    size_t bestLength = 0;
    while (log.size() - bestLength < kPatience) {
      VertexId v = next();
      if (v == kNone)
        break;
      locked[v] = true;
      flip(v, /*tellsOthers=*/true);
      log.push_back(v);
      if (std::pair now(excess(), cut); now < best) {
        best = now;
        bestLength = log.size();
      }
    }
    for (; log.size() > bestLength; log.pop_back())
      flip(log.back(), /*tellsOthers=*/false);
    return bestLength > 0;
  }

  void enqueue(VertexId v) { queues[size_t(side(v))].push({gain[v], random(), v}); }

  /// The vertex whose move saves most; from the side that is too full, if one is.
  VertexId next() {
    VertexId best = kNone;
    int from = columns[0] > bounds[0] ? 0 : columns[1] > bounds[1] ? 1 : -1;
    for (int s : {0, 1}) {
      auto &queue = queues[size_t(s)];
      while (!queue.empty() && (locked[queue.top().vertex] || side(queue.top().vertex) != s ||
                                queue.top().gain != gain[queue.top().vertex]))
        queue.pop();
      if (queue.empty() || (from >= 0 && s != from))
        continue;
      VertexId v = queue.top().vertex;
      if (from < 0 && columns[1 - s] + graph.columns[v] > bounds[1 - s])
        continue;
      if (best == kNone || gain[v] > gain[best] || (gain[v] == gain[best] && isFuller(s)))
        best = v;
    }
    return best;
  }
  bool isFuller(int s) const {
    return columns[s] * sides.capacities[1 - s] > columns[1 - s] * sides.capacities[s];
  }

  void change(VertexId v, int64_t by) {
    if (locked[v])
      return;
    gain[v] += by;
    enqueue(v);
  }

  void flip(VertexId v, bool tellsOthers) {
    int from = side(v), to = 1 - from;
    eachNet(v, [&](uint32_t net) {
      auto [here, there] =
          from == 0 ? std::tie(ends[net][0], ends[net][1]) : std::tie(ends[net][1], ends[net][0]);
      bool wasCut = here > 0 && there > 0;
      if (tellsOthers && (here <= 2 || there <= 1) && here + there <= kLargeNet)
        tell(net, v, from, here, there);
      --here;
      ++there;
      cut += weights[net] * (int(here > 0 && there > 0) - int(wasCut));
    });
    columns[from] -= graph.columns[v];
    columns[to] += graph.columns[v];
    sides.sideOf[v] = char(to);
  }

  /// What the others on a net gain by moving, once `v` has left `here` ends for `there`.
  void tell(uint32_t net, VertexId v, int from, uint32_t here, uint32_t there) {
    int64_t weight = weights[net];
    eachEnd(net, [&](VertexId u) {
      if (u == v)
        return;
      int64_t by = 0;
      by += there == 0 ? weight : 0;                    // it was not cut, now it is
      by -= there == 1 && side(u) != from ? weight : 0; // u was the only one over there
      by -= here == 1 ? weight : 0;                     // all of it is over there now
      by += here == 2 && side(u) == from ? weight : 0;  // u is the last one here
      if (by != 0)
        change(u, by);
    });
  }

  const Hypergraph &graph;
  const NetWeights &weights;
  TwoSides &sides;
  CounterRandom &random;
  std::vector<std::array<uint32_t, 2>> ends; // per net, on each side
  std::vector<int64_t> gain;                 // per vertex
  std::vector<char> locked;                  // per vertex: moved in this pass
  std::array<std::priority_queue<Entry>, 2> queues;
  std::vector<VertexId> log;
  std::array<uint64_t, 2> columns{}, bounds{};
  int64_t cut = 0;
};

} // namespace

std::pair<uint64_t, int64_t> refineSides(const Hypergraph &graph, const NetWeights &weights,
                                         TwoSides &sides, CounterRandom &random) {
  return Refinement(graph, weights, sides, random).run();
}

} // namespace spindle
