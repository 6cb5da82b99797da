#include "hw/system/PortPlan.h"

#include <algorithm>

namespace spindle::hls {

Distances leastDistances(const TaskGraph &graph) {
  size_t count = graph.tasks.size();
  Distances least(count, std::vector<uint64_t>(count, kNeverWaits));
  for (size_t n = 0; n < count; ++n)
    least[n][n] = 1; // an input of a task begins after the one before
  for (const TaskOrder &order : graph.order) {
    uint64_t &known = least[order.from][order.to];
    known = std::min<uint64_t>(known, order.distance);
  }
  for (size_t middle = 0; middle < count; ++middle)
    for (size_t from = 0; from < count; ++from)
      for (size_t to = 0; to < count; ++to)
        least[from][to] = std::min(least[from][to], least[from][middle] + least[middle][to]);
  for (std::vector<uint64_t> &row : least)
    for (uint64_t &each : row)
      each = std::min(each, kNeverWaits);
  return least;
}

/// Where a is at input m and b at input n, both at work: n - m < least[a][b], since b at n begins
/// after a at n - least[a][b], and m - n < least[b][a].
bool mayMeet(const TaskGraph &graph, const Distances &least, uint32_t a, uint32_t b,
             uint64_t apart) {
  uint64_t ab = least[a][b], ba = least[b][a];
  if (ab > 0 && ba > 0)
    return true; // at the same input
  uint64_t furthest = std::max(ab, ba);
  return furthest > apart && graph.inputs > apart;
}

namespace {

class Planner {
public:
  Planner(const TaskGraph &tasks, const CircuitPorts &used)
      : graph(tasks), circuits(used), least(leastDistances(tasks)) {}

  PortPlan plan() {
    PortPlan made;
    made.ports = circuits.ports;
    made.excludes.resize(graph.tasks.size());
    for (uint32_t task = 0; task < graph.tasks.size(); ++task) {
      made.turns.emplace_back();
      for (uint32_t operand = 0; operand < graph.tasks[task].operands.size(); ++operand)
        made.turns.back().push_back(bestTurn(made, task, operand));
    }
    for (uint32_t task = 0; task < graph.tasks.size(); ++task)
      for (uint32_t other = 0; other < graph.tasks.size(); ++other)
        if (task != other && excludes(made, task, other))
          made.excludes[task].push_back(other);
    return made;
  }

private:
  const std::set<uint32_t> &usedBy(uint32_t task, size_t operand) const {
    return circuits.used[graph.tasks[task].circuit][operand];
  }

  /// Whether two operands need one port of the same memory at the same time.
  bool clash(uint32_t task, size_t operand, uint32_t turn, uint32_t other, size_t otherOperand,
             uint32_t otherTurn) const {
    const TaskOperand &a = graph.tasks[task].operands[operand],
                      &b = graph.tasks[other].operands[otherOperand];
    if (a.kind != TaskOperand::Kind::Array || b.kind != TaskOperand::Kind::Array ||
        a.index != b.index || !mayMeet(graph, least, task, other, graph.arrays[a.index].buffers))
      return false;
    return std::any_of(
        usedBy(task, operand).begin(), usedBy(task, operand).end(), [&](uint32_t port) {
          uint32_t here = (port + turn) % circuits.ports;
          uint32_t there = (here + circuits.ports - otherTurn % circuits.ports) % circuits.ports;
          return usedBy(other, otherOperand).count(there) > 0;
        });
  }

  uint32_t bestTurn(const PortPlan &made, uint32_t task, uint32_t operand) const {
    uint32_t best = 0, fewest = ~uint32_t(0);
    for (uint32_t turn = 0; turn < circuits.ports; ++turn) {
      uint32_t clashes = 0;
      for (uint32_t other = 0; other < task; ++other)
        for (uint32_t n = 0; n < graph.tasks[other].operands.size(); ++n)
          clashes += clash(task, operand, turn, other, n, made.turns[other][n]);
      if (clashes < fewest) {
        best = turn;
        fewest = clashes;
      }
    }
    return best;
  }

  bool excludes(const PortPlan &made, uint32_t task, uint32_t other) const {
    if (graph.tasks[task].circuit == graph.tasks[other].circuit &&
        mayMeet(graph, least, task, other, 1))
      return true;
    for (uint32_t a = 0; a < graph.tasks[task].operands.size(); ++a)
      for (uint32_t b = 0; b < graph.tasks[other].operands.size(); ++b)
        if (clash(task, a, made.turns[task][a], other, b, made.turns[other][b]))
          return true;
    return false;
  }

  const TaskGraph &graph;
  const CircuitPorts &circuits;
  Distances least;
};

} // namespace

PortPlan planPorts(const TaskGraph &graph, const CircuitPorts &circuits) {
  return Planner(graph, circuits).plan();
}

} // namespace spindle::hls
