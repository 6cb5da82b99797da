#include "lib/sdf/periodic/LimitingCircle.h"

#include "core/support/StrongComponents.h"
#include "lib/sdf/periodic/PolicyIteration.h"
#include "lib/sdf/periodic/TurnGraph.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace spindle {

namespace {

constexpr uint64_t kMostWork = 100; // edges that are measured in all, per firing that may be

/// time / iterations; no iterations: a circle that the turns do not let pass.
struct Limit {
  Integer time = 0, iterations = 1;
  bool operator<(const Limit &other) const {
    return time * other.iterations < other.time * iterations;
  }
};

/// The limit of a graph of turns, and its circle of channels, which is empty where there is none.
std::pair<Limit, std::vector<size_t>> limitOf(const TurnGraph &graph) {
  auto greatest = [&](auto &&costOf, auto &&transitOf) {
    std::vector<RatioEdge> edges;
    for (const TurnEdge &edge : graph.edges)
      edges.push_back({edge.source, edge.target, costOf(edge), transitOf(edge)});
    return greatestRatio(graph.nodes, edges);
  };
  auto sum = [&](const std::vector<size_t> &circle) {
    Limit sums{0, 0};
    for (size_t e : circle) {
      sums.time += graph.edges[e].time;
      sums.iterations += graph.edges[e].delay;
    }
    return sums;
  };
  auto one = [](const TurnEdge &) { return Integer(1); };
  auto delay = [](const TurnEdge &edge) { return edge.delay; };
  auto ahead = [](const TurnEdge &edge) -> Integer { return -edge.delay; };
  auto time = [](const TurnEdge &edge) { return Integer(edge.time); };
  std::vector<size_t> circle = greatest(ahead, one);
  Limit limit = sum(circle);
  if (limit.iterations <= 0 && !circle.empty()) {
    limit = {1, 0};
  } else {
    circle = greatest(time, delay);
    limit = sum(circle);
    limit.time *= graph.units;
  }
  if (limit.time == 0)
    return {Limit(), {}};
  for (size_t &e : circle)
    e = graph.edges[e].channel;
  return {limit, circle};
}

/// A strongly connected part and what limits it with the turns so far.
class ConnectedTurns {
public:
  explicit ConnectedTurns(std::vector<size_t> c) : channels(std::move(c)) {}

  /// False where the turns are too long.
  bool measure(const SdfGraph &graph, const std::vector<uint64_t> &repetitions,
               const std::vector<uint64_t> &turns, uint64_t limit) {
    std::optional<TurnGraph> expanded = expandTurns(graph, channels, repetitions, turns, limit);
    if (!expanded)
      return false;
    std::tie(worst, circle) = limitOf(*expanded);
    work += expanded->edges.size();
    return true;
  }

  bool operator<(const ConnectedTurns &other) const { return worst < other.worst; }

  std::vector<size_t> channels, circle;
  Limit worst;
  bool isWhole = false; // whether a whole iteration was tried
  uint64_t work = 0;    // edges that were measured
};

class TurnSearch {
public:
  TurnSearch(const SdfGraph &g, const std::vector<uint64_t> &q, uint64_t most)
      : graph(g), repetitions(q), limit(most), phases(phasesOf(g)), turns(g.actors.size(), 1) {
    std::vector<std::pair<uint32_t, uint32_t>> arcs;
    for (const SdfChannel &channel : graph.channels)
      arcs.emplace_back(channel.source, channel.target);
    std::vector<uint32_t> part = strongComponents(static_cast<uint32_t>(graph.actors.size()), arcs);
    std::map<uint32_t, std::vector<size_t>> inside;
    for (size_t c = 0; c < arcs.size(); ++c)
      if (part[arcs[c].first] == part[arcs[c].second])
        inside[part[arcs[c].first]].push_back(c);
    for (auto &[id, channels] : inside)
      parts.emplace_back(std::move(channels));
  }

  LimitingCircle run() {
    for (ConnectedTurns &part : parts)
      if (!part.measure(graph, repetitions, turns, limit))
        return {std::nullopt, sourcesOf(part.channels), false};
    while (true) {
      auto slowest = std::max_element(parts.begin(), parts.end());
      if (slowest == parts.end() || slowest->circle.empty())
        return {CycleRatio(), {}, true};
      if (!lengthen(slowest->circle))
        return result(*slowest, true);
      if (measureWhole(*slowest))
        continue;
      if (slowest->work > kMostWork * limit || !slowest->measure(graph, repetitions, turns, limit))
        return result(*slowest, false);
    }
  }

private:
  /// Once, where that is not too large: quicker than one circle after the other.
  bool measureWhole(ConnectedTurns &part) {
    if (std::exchange(part.isWhole, true))
      return false;
    std::vector<ActorId> actors = sourcesOf(part.channels);
    uint64_t common = 0;
    for (ActorId actor : actors)
      common = std::gcd(common, turnsOf(actor));
    std::vector<uint64_t> whole = turns;
    for (ActorId actor : actors)
      whole[actor] = turnsOf(actor) / common;
    if (!part.measure(graph, repetitions, whole, limit))
      return false;
    turns = std::move(whole);
    return true;
  }

  /// Gives the actors of the circle the turns that it repeats; says whether that changes any.
  bool lengthen(const std::vector<size_t> &circle) {
    uint64_t common = 0;
    for (size_t c : circle)
      common = std::gcd(common, turnsOf(graph.channels[c].source));
    bool isChanged = false;
    for (size_t c : circle) {
      ActorId actor = graph.channels[c].source;
      uint64_t longer = std::lcm(turns[actor], turnsOf(actor) / common);
      isChanged |= longer != turns[actor];
      turns[actor] = longer;
    }
    return isChanged;
  }

  uint64_t turnsOf(ActorId actor) const { return repetitions[actor] / phases[actor]; }

  std::vector<ActorId> sourcesOf(const std::vector<size_t> &channels) const {
    std::vector<ActorId> sources;
    for (size_t c : channels)
      sources.push_back(graph.channels[c].source);
    return sources;
  }

  LimitingCircle result(const ConnectedTurns &part, bool isExact) const {
    LimitingCircle found{std::nullopt, sourcesOf(part.circle), isExact};
    Integer common = gcd(part.worst.time, part.worst.iterations);
    Integer time = part.worst.time / common, iterations = part.worst.iterations / common;
    if (iterations > 0 && time <= UINT64_MAX && iterations <= UINT64_MAX)
      found.period = CycleRatio{static_cast<uint64_t>(time), static_cast<uint64_t>(iterations)};
    return found;
  }

  const SdfGraph &graph;
  const std::vector<uint64_t> &repetitions;
  uint64_t limit;
  std::vector<uint64_t> phases, turns; // per actor; turns: how many of all phases are one turn
  std::vector<ConnectedTurns> parts;
};

} // namespace

LimitingCircle limitingCircle(const SdfGraph &graph, const std::vector<uint64_t> &repetitions,
                              uint64_t limit) {
  return TurnSearch(graph, repetitions, limit).run();
}

} // namespace spindle
