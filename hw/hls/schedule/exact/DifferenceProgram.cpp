#include "hw/hls/schedule/exact/DifferenceProgram.h"

#include <algorithm>
#include <queue>

namespace spindle::hls {

namespace {

constexpr int64_t infinite = INT64_MAX / 4;

class DifferenceFlow {
public:
  DifferenceFlow(const std::vector<DifferenceConstraint> &given, std::vector<int64_t> cost,
                 std::vector<int64_t> feasible)
      : constraints(given), demand(std::move(cost)), x(std::move(feasible)), flow(given.size(), 0),
        arcs(x.size()) {
    for (unsigned c = 0; c < constraints.size(); ++c) {
      arcs[constraints[c].from].push_back({c, true});
      arcs[constraints[c].to].push_back({c, false});
    }
  }

  std::vector<int64_t> run() {
    while (measure()) {
      next.assign(x.size(), 0);
      onPath.assign(x.size(), false);
      for (unsigned node = 0; node < x.size(); ++node)
        for (int64_t sent = 1; demand[node] < 0 && sent > 0; demand[node] += sent)
          sent = push(node, -demand[node]);
    }
    return std::move(x);
  }

private:
  /// A constraint with its flow, or against it where there is some.
  struct Arc {
    unsigned constraint;
    bool isForward;
  };

  unsigned target(Arc arc) const {
    const DifferenceConstraint &constraint = constraints[arc.constraint];
    return arc.isForward ? constraint.to : constraint.from;
  }
  int64_t slack(Arc arc) const {
    const DifferenceConstraint &constraint = constraints[arc.constraint];
    int64_t room = x[constraint.to] - x[constraint.from] - constraint.weight;
    return arc.isForward ? room : -room;
  }
  bool isOpen(Arc arc) const { return arc.isForward || flow[arc.constraint] > 0; }

  /// Moves x so that the nearest unmet demand is reached along tight constraints. False when all
  /// are met.
  bool measure() {
    std::vector<int64_t> distance(x.size(), infinite);
    std::priority_queue<std::pair<int64_t, unsigned>, std::vector<std::pair<int64_t, unsigned>>,
                        std::greater<>>
        queue;
    for (unsigned node = 0; node < x.size(); ++node)
      if (demand[node] < 0) {
        distance[node] = 0;
        queue.emplace(0, node);
      }
    int64_t reached = infinite;
    while (!queue.empty() && queue.top().first < reached) {
      auto [length, node] = queue.top();
      queue.pop();
      if (length > distance[node])
        continue;
      if (demand[node] > 0)
        reached = length;
      for (Arc arc : arcs[node]) {
        if (!isOpen(arc) || length + slack(arc) >= distance[target(arc)])
          continue;
        distance[target(arc)] = length + slack(arc);
        queue.emplace(distance[target(arc)], target(arc));
      }
    }
    if (reached == infinite)
      return false;
    for (unsigned node = 0; node < x.size(); ++node)
      x[node] -= std::min(distance[node], reached);
    return true;
  }

  /// Sends up to `amount` from a node along tight arcs to unmet demands; returns what arrived. Arcs
  /// that led nowhere are not tried again before the next measure.
  int64_t push(unsigned node, int64_t amount) {
    if (demand[node] > 0) {
      int64_t taken = std::min(amount, demand[node]);
      demand[node] -= taken;
      return taken;
    }
    onPath[node] = true;
    int64_t arrived = 0;
    for (; next[node] < arcs[node].size() && arrived == 0; ++next[node]) {
      Arc arc = arcs[node][next[node]];
      if (!isOpen(arc) || slack(arc) != 0 || onPath[target(arc)])
        continue;
      int64_t most = arc.isForward ? amount : std::min(amount, flow[arc.constraint]);
      arrived = push(target(arc), most);
      flow[arc.constraint] += arc.isForward ? arrived : -arrived;
      if (arrived > 0)
        break;
    }
    onPath[node] = false;
    return arrived;
  }

  const std::vector<DifferenceConstraint> &constraints;
  std::vector<int64_t> demand; // negative: supply
  std::vector<int64_t> x, flow;
  std::vector<std::vector<Arc>> arcs; // by node
  std::vector<size_t> next;           // by node, the first arc that may still lead on
  std::vector<bool> onPath;
};

} // namespace

std::vector<int64_t> minimizeDifferences(const std::vector<DifferenceConstraint> &constraints,
                                         std::vector<int64_t> cost, std::vector<int64_t> x) {
  return DifferenceFlow(constraints, std::move(cost), std::move(x)).run();
}

} // namespace spindle::hls
