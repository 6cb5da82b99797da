#include "lib/partition/anneal/Bisect.h"

#include "lib/partition/anneal/TwoSides.h"
#include "lib/partition/refine/Coarsen.h"

#include <algorithm>
#include <deque>
#include <numeric>

namespace spindle {

namespace {

/// Halves from nothing, and halves refined once more; the first ones on so few groups, of at most
/// this part of the whole, the best of so many.
constexpr int kRuns = 4, kCycles = 8, kStarts = 5;
constexpr uint32_t kGroups = 120, kPart = 60;

using Halves = std::pair<std::pair<uint64_t, int64_t>, std::vector<char>>; // excess and cost; sides

class Bisection {
public:
  Bisection(const Hypergraph &hypergraph, std::array<uint64_t, 2> limits, const PackingRules &rules,
            CounterRandom &numbers)
      : graph(hypergraph), capacities(limits), random(numbers), group(rules) {
    uint64_t all = std::accumulate(graph.columns.begin(), graph.columns.end(), uint64_t(0));
    group.crossbar.columns = std::max<uint32_t>(1, uint32_t(all / kPart));
    for (uint64_t spikes : graph.spikes) // a packet, and a row
      weights.push_back(rules.costOf(int64_t(spikes), 1));
  }

  std::vector<char> run() {
    Halves best = refineFrom(nullptr);
    for (int run = 1; run < kRuns; ++run)
      best = std::min(best, refineFrom(nullptr));
    for (int cycle = 0; cycle < kCycles; ++cycle)
      best = std::min(best, refineFrom(&best.second));
    return best.second;
  }

private:
  /// From the coarsest groups down; where sides are given groups lie in one of them.
  Halves refineFrom(const std::vector<char> *given) {
    std::deque<CoarseHypergraph> levels;
    std::vector<uint32_t> parts;
    if (given)
      parts.assign(given->begin(), given->end());
    auto coarsest = [&]() -> const Hypergraph & {
      return levels.empty() ? graph : levels.back().hypergraph;
    };
    while (coarsest().vertices() > kGroups) {
      CoarseHypergraph next = mergePairs(coarsest(), group, parts, shuffled(coarsest().vertices()));
      if (next.hypergraph.vertices() > 0.95 * coarsest().vertices())
        break;
      if (given) {
        std::vector<uint32_t> coarse(next.hypergraph.vertices());
        for (VertexId v = 0; v < parts.size(); ++v)
          coarse[next.coarseOf[v]] = parts[v];
        parts = std::move(coarse);
      }
      levels.push_back(std::move(next));
    }
    TwoSides sides{{parts.begin(), parts.end()}, capacities};
    std::pair<uint64_t, int64_t> cost;
    if (given)
      cost = refineSides(coarsest(), weights, sides, random);
    else
      std::tie(cost, sides.sideOf) = start(coarsest());
    for (; !levels.empty(); levels.pop_back()) {
      std::vector<char> finer(levels.back().coarseOf.size());
      for (VertexId v = 0; v < finer.size(); ++v)
        finer[v] = sides.sideOf[levels.back().coarseOf[v]];
      sides.sideOf = std::move(finer);
      const Hypergraph &level = levels.size() == 1 ? graph : levels[levels.size() - 2].hypergraph;
      cost = refineSides(level, weights, sides, random);
    }
    return {cost, sides.sideOf};
  }

  std::vector<VertexId> shuffled(uint32_t vertices) {
    std::vector<VertexId> order(vertices);
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t left = vertices; left > 1; --left)
      std::swap(order[left - 1], order[random.below(left)]);
    return order;
  }

  Halves start(const Hypergraph &groups) {
    Halves best;
    for (int n = 0; n < kStarts; ++n) {
      TwoSides sides{grow(groups), capacities};
      Halves next{refineSides(groups, weights, sides, random), sides.sideOf};
      if (n == 0 || next < best)
        best = std::move(next);
    }
    return best;
  }

  /// Side 0 grows from a random group, each time by the one that is tied to it most.
  std::vector<char> grow(const Hypergraph &groups) {
    std::vector<char> sideOf(groups.vertices(), 1);
    std::vector<double> ties(groups.vertices(), 0);
    double share = double(capacities[0]) / double(capacities[0] + capacities[1]);
    uint64_t all = std::accumulate(groups.columns.begin(), groups.columns.end(), uint64_t(0));
    VertexId v = random.below(groups.vertices());
    for (uint64_t held = 0; v != kNone;) {
      sideOf[v] = 0;
      held += groups.columns[v];
      if (double(held) >= share * double(all))
        break;
      auto tell = [&](uint32_t net) {
        double weight = double(weights[net]) / double(groups.readers[net].size() + 1);
        for (VertexId reader : groups.readers[net])
          ties[reader] += weight;
        if (groups.driver[net] != kNone)
          ties[groups.driver[net]] += weight;
      };
      std::ranges::for_each(groups.pins[v], tell);
      std::ranges::for_each(groups.driven[v], tell);
      v = kNone;
      for (VertexId u = 0; u < groups.vertices(); ++u)
        if (sideOf[u] == 1 &&
            (v == kNone || ties[u] / groups.columns[u] > ties[v] / groups.columns[v]))
          v = u;
    }
    return sideOf;
  }

  const Hypergraph &graph;
  std::array<uint64_t, 2> capacities;
  CounterRandom &random;
  PackingRules group; // limits of a group
  NetWeights weights;
};

} // namespace

/// The vertices alone, with the nets that have two ends among them.
static Hypergraph restrictTo(const Hypergraph &graph, const std::vector<VertexId> &vertices) {
  std::vector<uint32_t> newVertex(graph.vertices(), kNone), newNet(graph.nets(), kNone);
  for (VertexId v = 0; v < vertices.size(); ++v)
    newVertex[vertices[v]] = v;
  Hypergraph part;
  for (uint32_t net = 0; net < graph.nets(); ++net) {
    VertexId driver = graph.driver[net] == kNone ? kNone : newVertex[graph.driver[net]];
    size_t ends = driver != kNone;
    for (VertexId reader : graph.readers[net])
      ends += newVertex[reader] != kNone && newVertex[reader] != driver;
    if (ends < 2)
      continue;
    newNet[net] = part.nets();
    part.spikes.push_back(graph.spikes[net]);
    part.driver.push_back(driver);
  }
  auto append = [&](Incidence &to, std::span<const uint32_t> nets) {
    for (uint32_t net : nets)
      if (newNet[net] != kNone)
        to.members.push_back(newNet[net]);
    to.close();
  };
  for (VertexId v : vertices) {
    part.columns.push_back(graph.columns[v]);
    part.rowReads.push_back(graph.rowReads[v]);
    part.cells.push_back(graph.cells[v]);
    part.sums.push_back(graph.sums[v]);
    append(part.pins, graph.pins[v]);
    append(part.driven, graph.driven[v]);
  }
  part.readers = transpose(part.pins, part.nets());
  return part;
}

/// Adds the units `names`, which `graph` holds alone, in at most so many new clusters; false as
/// soon as one has no room.
static bool halve(const Hypergraph &graph, const std::vector<VertexId> &names, uint32_t clusters,
                  CounterRandom &random, Packing &packing) {
  if (clusters == 1 || names.size() <= 1) {
    ClusterId own = packing.open();
    return std::ranges::all_of(names, [&](VertexId v) {
      bool fits = packing.fits(v, packing.offer(v, own));
      if (fits)
        packing.place(v, own);
      return fits;
    });
  }
  std::array<uint32_t, 2> share{clusters / 2, clusters - clusters / 2};
  uint64_t columns = packing.rules().crossbar.columns;
  std::vector<char> sideOf =
      Bisection(graph, {share[0] * columns, share[1] * columns}, packing.rules(), random).run();
  for (char side : {0, 1}) {
    std::vector<VertexId> own, ownNames;
    for (VertexId v = 0; v < graph.vertices(); ++v)
      if (sideOf[v] == side) {
        own.push_back(v);
        ownNames.push_back(names[v]);
      }
    if (!halve(restrictTo(graph, own), ownNames, share[size_t(side)], random, packing))
      return false;
  }
  return true;
}

std::optional<Packing> packByHalves(const Hypergraph &units, const PackingRules &rules,
                                    uint64_t seed) {
  if (!units.uses.empty() || !units.width.empty() || rules.limitsWork())
    return std::nullopt;
  uint32_t clusters = (units.vertices() + rules.crossbar.columns - 1) / rules.crossbar.columns;
  std::vector<VertexId> all(units.vertices());
  std::iota(all.begin(), all.end(), 0);
  CounterRandom random(seed, 0, 2);
  Packing packing(units, rules);
  if (!halve(restrictTo(units, all), all, clusters, random, packing))
    return std::nullopt;
  return packing;
}

} // namespace spindle
