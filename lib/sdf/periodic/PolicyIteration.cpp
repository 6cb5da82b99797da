#include "lib/sdf/periodic/PolicyIteration.h"

#include "core/support/StrongComponents.h"

#include <algorithm>
#include <optional>

namespace spindle {

namespace {

template <typename Number> struct Arc {
  uint32_t source, target;
  Number cost, transit;
};

/// A strongly connected part with nodes numbered from 0.
template <typename Number> struct RatioPart {
  uint32_t nodes = 0;
  std::vector<Arc<Number>> edges;
  std::vector<size_t> of; // edges of the whole graph
};

template <typename Number>
std::vector<RatioPart<Number>> partsOf(uint32_t nodes, const std::vector<RatioEdge> &edges) {
  std::vector<std::pair<uint32_t, uint32_t>> arcs;
  for (const RatioEdge &edge : edges)
    arcs.emplace_back(edge.source, edge.target);
  std::vector<uint32_t> partOf = strongComponents(nodes, arcs), local;
  std::vector<RatioPart<Number>> parts(nodes);
  for (uint32_t node = 0; node < nodes; ++node)
    local.push_back(parts[partOf[node]].nodes++);
  for (size_t e = 0; e < edges.size(); ++e)
    if (uint32_t part = partOf[edges[e].source]; part == partOf[edges[e].target]) {
      parts[part].edges.push_back({local[edges[e].source], local[edges[e].target],
                                   Number(edges[e].cost), Number(edges[e].transit)});
      parts[part].of.push_back(e);
    }
  std::erase_if(parts, [](const RatioPart<Number> &part) { return part.edges.empty(); });
  return parts;
}

/// Every node goes on by one edge, its policy, so that from each a path leads into a circle. The
/// best of these circles is the one so far. Paths into it have a weight by its ratio, and a node
/// that another edge takes there by a heavier path changes its policy. That makes a better circle,
/// or the same one with heavier paths; where no node can change, no circle is better.
template <typename Number> class PolicyIteration {
public:
  explicit PolicyIteration(const RatioPart<Number> &part)
      : edges(part.edges), policy(part.nodes), weights(part.nodes), into(part.nodes) {
    for (size_t e = 0; e < edges.size(); ++e) {
      policy[edges[e].source] = e;
      into[edges[e].target].push_back(e);
    }
  }

  void run() {
    do {
      chooseCircle();
      weighPaths();
    } while (changePolicies());
  }

  std::vector<size_t> circle;
  Number cost, transit; // of the circle

private:
  /// The best of those that policies form.
  void chooseCircle() {
    circle.clear();
    std::vector<uint32_t> metFrom(policy.size(), UINT32_MAX);
    for (uint32_t start = 0; start < policy.size(); ++start) {
      uint32_t node = start;
      for (; metFrom[node] == UINT32_MAX; node = edges[policy[node]].target)
        metFrom[node] = start;
      if (metFrom[node] == start)
        consider(node);
    }
  }

  void consider(uint32_t start) {
    std::vector<size_t> found;
    Number costs = 0, transits = 0;
    uint32_t node = start;
    do {
      const Arc<Number> &edge = edges[policy[node]];
      found.push_back(policy[node]);
      costs += edge.cost;
      transits += edge.transit;
      node = edge.target;
    } while (node != start);
    if (!circle.empty() && costs * transit <= cost * transits)
      return;
    circle = std::move(found);
    cost = std::move(costs);
    transit = std::move(transits);
  }

  Number weigh(const Arc<Number> &edge) const {
    return edge.cost * transit - edge.transit * cost + weights[edge.target];
  }

  /// Of all paths into the circle. Policies that lead into another circle change.
  void weighPaths() {
    std::vector<bool> isReached(policy.size(), false);
    std::vector<uint32_t> reached = {edges[circle.front()].source};
    isReached[reached.front()] = true;
    weights[reached.front()] = 0;
    for (bool isAny : {false, true}) // edges, or policies only
      for (size_t next = 0; next < reached.size(); ++next)
        for (size_t e : into[reached[next]]) {
          uint32_t source = edges[e].source;
          if (isReached[source] || (!isAny && policy[source] != e))
            continue;
          isReached[source] = true;
          policy[source] = e;
          weights[source] = weigh(edges[e]);
          reached.push_back(source);
        }
  }

  bool changePolicies() {
    bool isChanged = false;
    std::vector<Number> heaviest = weights;
    for (size_t e = 0; e < edges.size(); ++e)
      if (Number weight = weigh(edges[e]); weight > heaviest[edges[e].source]) {
        heaviest[edges[e].source] = std::move(weight);
        policy[edges[e].source] = e;
        isChanged = true;
      }
    return isChanged;
  }

  const std::vector<Arc<Number>> &edges;
  std::vector<size_t> policy;            // edge of each node
  std::vector<Number> weights;           // of the path from each node
  std::vector<std::vector<size_t>> into; // edges into each node
};

template <typename Number>
std::vector<size_t> greatestIn(uint32_t nodes, const std::vector<RatioEdge> &edges) {
  std::vector<size_t> best;
  Number cost = 0, transit = 1;
  for (const RatioPart<Number> &part : partsOf<Number>(nodes, edges)) {
    PolicyIteration<Number> iteration(part);
    iteration.run();
    if (!best.empty() && iteration.cost * transit <= cost * iteration.transit)
      continue;
    cost = iteration.cost;
    transit = iteration.transit;
    best.clear();
    for (size_t edge : iteration.circle)
      best.push_back(part.of[edge]);
  }
  return best;
}

/// Whether 128 bits hold all that is computed: the weight of an edge is at most what all costs and
/// all transits are together, multiplied twice; a path has no more edges than there are nodes.
bool isSmall(uint32_t nodes, const std::vector<RatioEdge> &edges) {
  Integer costs = 1, transits = 1;
  for (const RatioEdge &edge : edges) {
    costs += abs(edge.cost);
    transits += abs(edge.transit);
  }
  return 2 * costs * transits * (Integer(nodes) + 1) < Integer(1) << 126;
}

} // namespace

std::vector<size_t> greatestRatio(uint32_t nodes, const std::vector<RatioEdge> &edges) {
  return isSmall(nodes, edges) ? greatestIn<__int128>(nodes, edges)
                               : greatestIn<Integer>(nodes, edges);
}

} // namespace spindle
