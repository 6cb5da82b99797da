#include "hw/hls/schedule/bounds/Precedences.h"

#include "hw/hls/schedule/bounds/Chains.h"

#include <algorithm>

namespace spindle::hls {

namespace {

std::vector<unsigned> orderOf(const Precedences &precedences) {
  size_t count = precedences.incoming.size();
  std::vector<unsigned> waitsFor(count, 0), order;
  for (const Precedence &precedence : precedences.all)
    waitsFor[precedence.to] += precedence.distance == 0;
  for (unsigned o = 0; o < count; ++o)
    if (waitsFor[o] == 0)
      order.push_back(o);
  for (size_t i = 0; i < order.size(); ++i)
    for (unsigned p : precedences.outgoing[order[i]])
      if (precedences.all[p].distance == 0 && --waitsFor[precedences.all[p].to] == 0)
        order.push_back(precedences.all[p].to);
  return order;
}

/// One direction of the graph.
struct Direction {
  const std::vector<std::vector<unsigned>> &leaving;
  bool forward;

  unsigned source(const Precedence &p) const { return forward ? p.from : p.to; }
  unsigned target(const Precedence &p) const { return forward ? p.to : p.from; }
};

/// The circle that the precedences which gave the nodes their lengths close, or nothing. Such a
/// circle has positive length.
std::vector<unsigned> circleOf(const Precedences &precedences, const Direction &direction,
                               const std::vector<int64_t> &cause) {
  size_t count = cause.size();
  std::vector<unsigned> seen(count, 0);
  for (unsigned first = 0; first < count; ++first) {
    unsigned node = first;
    while (seen[node] == 0 && cause[node] >= 0) {
      seen[node] = first + 1;
      node = direction.source(precedences.all[cause[node]]);
    }
    if (seen[node] != first + 1 || cause[node] < 0)
      continue;
    std::vector<unsigned> circle;
    unsigned last = node;
    do {
      circle.push_back(static_cast<unsigned>(cause[node]));
      node = direction.source(precedences.all[cause[node]]);
    } while (node != last);
    if (direction.forward)
      std::reverse(circle.begin(), circle.end());
    return circle;
  }
  return {};
}

LongestPaths settle(const Precedences &precedences, unsigned interval, const Direction &direction,
                    std::vector<int64_t> length) {
  std::vector<int64_t> cause(length.size(), -1);
  auto pass = [&](auto begin, auto end) {
    bool changed = false;
    for (auto node = begin; node != end; ++node) {
      if (length[*node] == unreached)
        continue;
      for (unsigned p : direction.leaving[*node]) {
        const Precedence &precedence = precedences.all[p];
        int64_t reached = length[*node] + lengthOf(precedence, interval);
        int64_t &target = length[direction.target(precedence)];
        if (!binds(precedence, interval) || reached <= target)
          continue;
        target = reached;
        cause[direction.target(precedence)] = p;
        changed = true;
      }
    }
    return changed;
  };
  const std::vector<unsigned> &order = precedences.order;
  while (direction.forward ? pass(order.begin(), order.end())
                           : pass(order.rbegin(), order.rend())) {
    std::vector<unsigned> circle = circleOf(precedences, direction, cause);
    if (!circle.empty())
      return {std::move(length), std::move(circle)};
  }
  return {std::move(length), {}};
}

} // namespace

Precedences precedencesOf(const Problem &problem) {
  Precedences result;
  for (unsigned o = 0; o < problem.operations.size(); ++o)
    result.spans.push_back(spanOf(problem, o));
  for (const Dependence &dependence : problem.dependences)
    result.all.push_back(
        {dependence.from, dependence.to, latencyOf(problem, dependence), dependence.distance, {}});
  std::vector<Precedence> chains = precedencesOfLongChains(problem);
  result.all.insert(result.all.end(), chains.begin(), chains.end());
  result.incoming.resize(problem.operations.size());
  result.outgoing.resize(problem.operations.size());
  for (unsigned p = 0; p < result.all.size(); ++p) {
    result.outgoing[result.all[p].from].push_back(p);
    result.incoming[result.all[p].to].push_back(p);
  }
  result.order = orderOf(result);
  return result;
}

LongestPaths longestPathsFrom(const Precedences &precedences, unsigned interval,
                              std::vector<int64_t> from) {
  return settle(precedences, interval, {precedences.outgoing, true}, std::move(from));
}

LongestPaths longestPathsToEnd(const Precedences &precedences, unsigned interval) {
  return settle(precedences, interval, {precedences.incoming, false},
                {precedences.spans.begin(), precedences.spans.end()});
}

} // namespace spindle::hls
