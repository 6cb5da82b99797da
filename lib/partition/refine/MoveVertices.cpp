#include "lib/partition/refine/Refine.h"

#include <queue>

namespace spindle {

namespace {

/// So many moves in a row without a new best point end a pass.
constexpr size_t kPatience = 200;
/// Ends of larger nets are not looked at again after a move: one move hardly changes their gains.
constexpr size_t kLargeNet = 64;

class MovePass {
public:
  explicit MovePass(Packing &start)
      : packing(start), graph(packing.hypergraph()), locked(graph.vertices(), false),
        queuedGain(graph.vertices(), kNever), seen(graph.vertices(), 0) {}

  int64_t run() {
    for (VertexId v = 0; v < graph.vertices(); ++v)
      enqueue(v);
    while (!queue.empty() && log.size() - bestLength < kPatience)
      step();
    for (; log.size() > bestLength; log.pop_back()) {
      packing.lift(log.back().vertex);
      packing.place(log.back().vertex, log.back().from);
    }
    return bestSaved;
  }

private:
  struct Entry {
    int64_t gain;
    VertexId vertex;
    bool operator<(const Entry &other) const { // ties: the first vertex on top
      return gain != other.gain ? gain < other.gain : vertex > other.vertex;
    }
  };
  struct Move {
    VertexId vertex;
    ClusterId from;
  };
  struct Best {
    int64_t gain = kNever;
    ClusterId target = kNone;
  };

  Best bestMove(VertexId v) {
    ClusterId home = packing.clusterOf(v);
    int64_t before = packing.cost();
    packing.lift(v);
    int64_t homeCost = before - packing.cost();
    std::optional<Offer> offer = packing.bestOffer(v, home);
    packing.place(v, home);
    return offer ? Best{homeCost - offer->cost, offer->cluster} : Best{};
  }

  void enqueue(VertexId v) {
    if (v == kNone || locked[v])
      return;
    int64_t gain = bestMove(v).gain;
    if (gain == queuedGain[v])
      return;
    queuedGain[v] = gain;
    if (gain != kNever)
      queue.push({gain, v});
  }

  void step() {
    Entry top = queue.top();
    queue.pop();
    VertexId v = top.vertex;
    if (locked[v] || top.gain != queuedGain[v])
      return; // an older entry
    Best move = bestMove(v);
    if (move.gain < top.gain) { // something else changed it meanwhile
      queuedGain[v] = move.gain;
      if (move.gain != kNever)
        queue.push({move.gain, v});
      return;
    }
    log.push_back({v, packing.clusterOf(v)});
    packing.lift(v);
    packing.place(v, move.target);
    locked[v] = true;
    saved += move.gain;
    if (saved > bestSaved) {
      bestSaved = saved;
      bestLength = log.size();
    }
    ++moves;
    for (uint32_t net : graph.pins[v])
      enqueueEnds(net);
    for (uint32_t net : graph.driven[v])
      enqueueEnds(net);
  }

  void enqueueEnds(uint32_t net) {
    if (graph.readers[net].size() > kLargeNet)
      return;
    for (VertexId reader : graph.readers[net])
      enqueueOnce(reader);
    enqueueOnce(graph.driver[net]);
  }

  /// Vertices share many nets with the one that moved, and each net would ask for them again.
  void enqueueOnce(VertexId v) {
    if (v == kNone || seen[v] == moves)
      return;
    seen[v] = moves;
    enqueue(v);
  }

  static constexpr int64_t kNever = INT64_MIN;
  Packing &packing;
  const Hypergraph &graph;
  std::vector<char> locked;        // per vertex: moved in this pass
  std::vector<int64_t> queuedGain; // per vertex: gain of its entry that counts
  std::vector<uint32_t> seen;      // per vertex: the last move after which it was enqueued
  uint32_t moves = 0;
  std::priority_queue<Entry> queue;
  std::vector<Move> log;
  int64_t saved = 0, bestSaved = 0;
  size_t bestLength = 0; // moves up to the best point
};

} // namespace

int64_t moveVertices(Packing &packing) { return MovePass(packing).run(); }

} // namespace spindle
