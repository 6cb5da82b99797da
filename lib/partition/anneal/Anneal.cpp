#include "lib/partition/anneal/Anneal.h"

#include "lib/partition/anneal/Neighbour.h"

#include <algorithm>
#include <cmath>

namespace spindle {

/// Of all trials at the beginning and, later, at the end of the slow part; then it gets cold.
static constexpr double kFirstTaken = 0.05, kLastTaken = 0.03, kSlowPart = 0.94;
static constexpr uint64_t kMostCounts = uint64_t(1) << 28;

namespace {

class Annealing {
public:
  Annealing(const Packing &start, uint64_t seed)
      : graph(start.hypergraph()), rules(start.rules()), clusters(start.clusters()),
        random(seed, 0, 3), cluster(start.assignment()), slot(graph.vertices()), members(clusters),
        rows(clusters), works(clusters), readers(uint64_t(graph.nets()) * clusters) {
    for (VertexId v = 0; v < graph.vertices(); ++v) {
      enter(v, cluster[v]);
      for (uint32_t net : graph.pins[v])
        hear(net, cluster[v]);
    }
    best = cluster;
  }

  /// What is saved; `found` says how.
  int64_t run(uint64_t trials) {
    double hot = temperatureFor(kFirstTaken), warm = temperatureFor(kLastTaken);
    for (uint64_t trial = 0; trial < trials; ++trial) {
      if (trial % 4096 == 0) {
        double at = double(trial) / double(trials);
        temperature = at < kSlowPart ? hot * std::pow(warm / hot, at / kSlowPart)
                                     : warm * std::pow(0.1, (at - kSlowPart) / (1 - kSlowPart));
      }
      step();
    }
    return -bestCost;
  }
  const std::vector<ClusterId> &found() const { return best; }

private:
  uint16_t &count(uint32_t net, ClusterId c) { return readers[uint64_t(net) * clusters + c]; }
  ClusterId home(uint32_t net) const {
    VertexId driver = graph.driver[net];
    return driver == kNone ? kNone : cluster[driver];
  }

  void enter(VertexId v, ClusterId c) {
    cluster[v] = c;
    slot[v] = uint32_t(members[c].size());
    members[c].push_back(v);
    works[c] += aloneWork(v);
  }
  void leave(VertexId v) {
    std::vector<VertexId> &others = members[cluster[v]];
    works[cluster[v]] -= aloneWork(v);
    others[slot[v]] = others.back();
    slot[others.back()] = slot[v];
    others.pop_back();
  }

  /// One more reader of the net there, or one less.
  void hear(uint32_t net, ClusterId c) {
    if (count(net, c)++ == 0) {
      ++rows[c];
      works[c].rowReads += double(graph.spikes[net]);
    }
  }
  void forget(uint32_t net, ClusterId c) {
    if (--count(net, c) == 0) {
      --rows[c];
      works[c].rowReads -= double(graph.spikes[net]);
    }
  }

  /// What a vertex brings whatever is there.
  CrossbarWork aloneWork(VertexId v) const {
    CrossbarWork work = workOf(graph, v, rules.steps);
    work.rowReads = 0;
    return work;
  }
  bool isFull(ClusterId c, VertexId v) const {
    if (members[c].size() >= rules.crossbar.columns || !rules.limitsWork())
      return members[c].size() >= rules.crossbar.columns;
    CrossbarWork with = works[c];
    return !rules.allows(with += aloneWork(v));
  }
  bool isWithin(ClusterId c) const {
    return rows[c] <= rules.crossbar.rows && (!rules.limitsWork() || rules.allows(works[c]));
  }

  /// Of a move from where it is.
  int64_t costOfMove(VertexId v, ClusterId to) {
    ClusterId from = cluster[v];
    int64_t spikes = 0, newRows = 0;
    for (uint32_t net : graph.pins[v]) {
      const uint16_t *in = &count(net, 0);
      bool leaves = in[from] == 1, arrives = in[to] == 0;
      if (leaves == arrives && graph.spikes[net] == 0)
        continue; // a row here for a row there
      if (!leaves && !arrives)
        continue;
      newRows += int64_t(arrives) - int64_t(leaves);
      bool own = graph.driver[net] == v; // at home wherever it goes
      ClusterId at = home(net);
      if (leaves && at != from)
        spikes -= int64_t(graph.spikes[net]);
      if (arrives && at != to && !own)
        spikes += int64_t(graph.spikes[net]);
    }
    for (uint32_t net : graph.driven[v]) {
      const uint16_t *in = &count(net, 0);
      bool self = std::ranges::binary_search(graph.pins[v], net);
      if (in[from] > (self ? 1u : 0u)) // the others there hear it from elsewhere
        spikes += int64_t(graph.spikes[net]);
      if (in[to] > 0)
        spikes -= int64_t(graph.spikes[net]);
    }
    return rules.costOf(spikes, newRows);
  }

  void move(VertexId v, ClusterId to) {
    ClusterId from = cluster[v];
    for (uint32_t net : graph.pins[v]) {
      forget(net, from);
      hear(net, to);
    }
    leave(v);
    enter(v, to);
  }

  struct Trial {
    VertexId vertex = kNone, other = kNone; // `other` comes in exchange, if any
    ClusterId to = kNone;
  };
  Trial propose() {
    VertexId v = random.below(graph.vertices());
    VertexId end = randomNeighbour(graph, v, random);
    if (end == kNone || cluster[end] == cluster[v])
      return {};
    Trial trial{v, kNone, cluster[end]};
    if (isFull(trial.to, v))
      trial.other = members[trial.to][random.below(uint32_t(members[trial.to].size()))];
    return trial;
  }

  void step() {
    Trial trial = propose();
    if (trial.vertex == kNone)
      return;
    ClusterId from = cluster[trial.vertex];
    double most = -temperature * std::log(random.uniform() + 1e-12);
    int64_t change = costOfMove(trial.vertex, trial.to);
    // One that comes in exchange rarely saves as much as this one costs.
    if (double(change) > (trial.other == kNone ? most : most + 20 * temperature))
      return;
    move(trial.vertex, trial.to);
    if (trial.other != kNone) {
      change += costOfMove(trial.other, from);
      if (double(change) > most)
        return move(trial.vertex, from);
      move(trial.other, from);
    }
    if (!isWithin(trial.to) || !isWithin(from)) {
      if (trial.other != kNone)
        move(trial.other, trial.to);
      return move(trial.vertex, from);
    }
    cost += change;
    if (cost < bestCost) {
      bestCost = cost;
      best = cluster;
    }
  }

  /// At which so many of the trials would be taken as they are now.
  double temperatureFor(double part) {
    std::vector<int64_t> costs;
    for (int n = 0; n < 20'000; ++n) {
      Trial trial = propose();
      if (trial.vertex == kNone)
        continue;
      ClusterId from = cluster[trial.vertex];
      int64_t change = costOfMove(trial.vertex, trial.to);
      if (trial.other != kNone) {
        move(trial.vertex, trial.to);
        change += costOfMove(trial.other, from);
        move(trial.vertex, from);
      }
      costs.push_back(std::max<int64_t>(0, change));
    }
    std::vector<int64_t> different = costs; // far fewer
    std::ranges::sort(different);
    different.erase(std::unique(different.begin(), different.end()), different.end());
    std::vector<uint32_t> which;
    for (int64_t each : costs)
      which.push_back(uint32_t(std::ranges::lower_bound(different, each) - different.begin()));
    std::vector<double> taken(different.size());
    double low = 0, high = 1e9;
    for (int n = 0; n < 60; ++n) {
      double middle = std::sqrt((low + 1e-3) * high), sum = 0;
      for (size_t i = 0; i < different.size(); ++i)
        taken[i] = std::exp(-double(different[i]) / middle);
      for (uint32_t each : which) // in their order: sums of doubles depend on it
        sum += taken[each];
      (sum < part * 20'000 ? low : high) = middle;
    }
    return high;
  }

  const Hypergraph &graph;
  PackingRules rules;
  uint32_t clusters;
  CounterRandom random;
  std::vector<ClusterId> cluster; // per vertex
  std::vector<uint32_t> slot;     // per vertex, its index in members[cluster]
  std::vector<std::vector<VertexId>> members;
  std::vector<uint32_t> rows;      // per cluster
  std::vector<CrossbarWork> works; // per cluster
  std::vector<uint16_t> readers;   // per net and cluster
  double temperature = 0;
  int64_t cost = 0, bestCost = 0; // from the start
  std::vector<ClusterId> best;
};

} // namespace

bool canAnneal(const Packing &packing) {
  return packing.hypergraph().width.empty() && // vertices are units, nets are neurons
         uint64_t(packing.hypergraph().nets()) * packing.clusters() <= kMostCounts &&
         packing.rules().crossbar.columns <= UINT16_MAX && packing.hypergraph().uses.empty() &&
         packing.clusters() > 1;
}

int64_t anneal(Packing &packing, uint64_t trials, uint64_t seed) {
  Annealing annealing(packing, seed);
  int64_t saved = annealing.run(trials);
  Packing next(packing.hypergraph(), packing.rules());
  while (next.clusters() < packing.clusters())
    next.open();
  for (VertexId v = 0; v < packing.hypergraph().vertices(); ++v)
    next.place(v, annealing.found()[v]);
  packing = std::move(next);
  return saved;
}

} // namespace spindle
