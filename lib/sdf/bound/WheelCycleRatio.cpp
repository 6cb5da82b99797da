#include "lib/sdf/bound/WheelCycleRatio.h"

#include "core/support/StrongComponents.h"

#include <algorithm>
#include <map>

namespace spindle {

namespace {

/// A strongly connected part with actors of its own numbers.
struct Part {
  SdfGraph graph;
  std::vector<ActorId> actors; // of the whole graph
  std::vector<uint64_t> repetitions;
  std::vector<TimeWheel> wheels;
};

std::vector<Part> partsOf(const SdfGraph &graph, const std::vector<uint64_t> &repetitions,
                          const std::vector<TimeWheel> &wheels) {
  std::vector<std::pair<uint32_t, uint32_t>> arcs;
  for (const SdfChannel &channel : graph.channels)
    arcs.emplace_back(channel.source, channel.target);
  std::vector<uint32_t> partOf = strongComponents(static_cast<uint32_t>(graph.actors.size()), arcs);
  std::vector<Part> parts(partOf.empty() ? 0 : *llvm::max_element(partOf) + 1);
  std::vector<ActorId> local(graph.actors.size());
  for (ActorId a = 0; a < graph.actors.size(); ++a) {
    Part &part = parts[partOf[a]];
    local[a] = static_cast<ActorId>(part.actors.size());
    part.actors.push_back(a);
    part.graph.actors.push_back(graph.actors[a]);
    part.repetitions.push_back(repetitions[a]);
    part.wheels.push_back(wheels[a]);
  }
  for (const SdfChannel &channel : graph.channels)
    if (partOf[channel.source] == partOf[channel.target]) {
      SdfChannel &inside = parts[partOf[channel.source]].graph.channels.emplace_back(channel);
      inside.source = local[channel.source];
      inside.target = local[channel.target];
    }
  return parts;
}

/// Ends of the firings of one iteration after the other.
class Iterations {
public:
  explicit Iterations(const Part &of)
      : part(of), events(expand(of.graph, of.repetitions)), incoming(events.times.size()) {
    for (const Precedence &edge : events.edges) {
      incoming[edge.target].push_back(edge);
      window = std::max(window, edge.delay);
    }
    sortNodes();
  }

  size_t nodes() const { return events.times.size(); }
  size_t count() const { return ends.size(); }
  bool isCyclic() const { return !events.edges.empty(); }

  void add() {
    std::vector<uint64_t> &end = ends.emplace_back(nodes()), &took = times.emplace_back(nodes());
    for (uint32_t node : order) {
      uint64_t start = 0;
      for (const Precedence &edge : incoming[node])
        if (edge.delay < ends.size())
          start = std::max(start, ends[ends.size() - 1 - edge.delay][edge.source]);
      took[node] = part.wheels[events.actors[node]].response(start, events.times[node]);
      end[node] = start + took[node];
    }
  }

  /// By how much all ends of the last `window` iterations are later than those before iteration
  /// `kept`; nothing where they differ.
  std::optional<uint64_t> shiftSince(size_t kept) const {
    if (kept + 1 < window)
      return std::nullopt;
    uint64_t shift = ends.back()[0] - ends[kept][0];
    for (size_t back = 0; back < window; ++back)
      for (size_t node = 0; node < nodes(); ++node)
        if (ends[ends.size() - 1 - back][node] - ends[kept - back][node] != shift)
          return std::nullopt;
    return shift;
  }

  /// The iterations after `kept` as one iteration of an event graph.
  EventGraph unrolled(size_t kept) const {
    std::vector<uint64_t> repetitions = part.repetitions;
    for (uint64_t &count : repetitions)
      count *= ends.size() - 1 - kept;
    EventGraph result = expand(part.graph, repetitions);
    size_t next = 0;
    for (size_t first = 0, actor = 0; actor < part.repetitions.size();
         first += part.repetitions[actor++])
      for (size_t k = kept + 1; k < ends.size(); ++k)
        for (uint64_t firing = 0; firing < part.repetitions[actor]; ++firing)
          result.times[next++] = times[k][first + firing];
    return result;
  }

private:
  /// Sources before targets within an iteration.
  void sortNodes() {
    std::vector<uint32_t> waiting(nodes(), 0);
    std::vector<std::vector<uint32_t>> after(nodes());
    for (const Precedence &edge : events.edges)
      if (edge.delay == 0) {
        ++waiting[edge.target];
        after[edge.source].push_back(edge.target);
      }
    for (uint32_t node = 0; node < nodes(); ++node)
      if (waiting[node] == 0)
        order.push_back(node);
    for (size_t next = 0; next < order.size(); ++next)
      for (uint32_t target : after[order[next]])
        if (--waiting[target] == 0)
          order.push_back(target);
    assert(order.size() == nodes() && "deadlock");
  }

  const Part &part;
  EventGraph events;
  std::vector<std::vector<Precedence>> incoming;
  std::vector<uint32_t> order;
  size_t window = 1;
  std::vector<std::vector<uint64_t>> ends, times; // per iteration, per node
};

std::optional<WheelPeriod> periodOf(const Part &part, uint64_t firingLimit) {
  Iterations iterations(part);
  uint64_t round = roundOf(part.wheels);
  // Brent 1980: the iteration that the others are compared with moves on at powers of two.
  size_t kept = 0, power = 1;
  for (iterations.add(); iterations.count() * iterations.nodes() <= firingLimit;) {
    iterations.add();
    std::optional<uint64_t> shift = iterations.shiftSince(kept);
    if (shift && *shift % round == 0) {
      auto many = static_cast<Wide>(iterations.count() - 1 - kept);
      std::optional<CriticalCycle> critical = maximumCycleRatio(iterations.unrolled(kept));
      if (!critical)
        return WheelPeriod();
      WheelPeriod result;
      result.period = CycleRatio::of(critical->ratio.time, many * critical->ratio.iterations);
      EventGraph unrolled = iterations.unrolled(kept);
      for (uint32_t node : critical->nodes)
        if (ActorId actor = part.actors[unrolled.actors[node]];
            result.cycle.empty() || result.cycle.back() != actor)
          result.cycle.push_back(actor);
      return result;
    }
    if (iterations.count() - 1 == 2 * power) {
      kept = iterations.count() - 1;
      power *= 2;
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<WheelPeriod> wheelCycleRatio(const SdfGraph &graph,
                                           const std::vector<uint64_t> &repetitions,
                                           const std::vector<TimeWheel> &wheels,
                                           uint64_t firingLimit) {
  WheelPeriod slowest;
  for (const Part &part : partsOf(graph, repetitions, wheels)) {
    if (part.graph.channels.empty())
      continue;
    std::optional<WheelPeriod> period = periodOf(part, firingLimit);
    if (!period)
      return std::nullopt;
    if (period->period > slowest.period)
      slowest = *period;
  }
  return slowest;
}

} // namespace spindle
