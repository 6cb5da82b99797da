#include "hw/system/PortPlan.h"

#include <algorithm>
#include <utility>

namespace spindle::hls {

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
      : graph(tasks), circuits(used), least(leastDistances(tasks, used.cycles)) {}

  PortPlan plan() {
    made.ports = circuits.ports;
    made.excludes.resize(graph.tasks.size());
    made.copies.assign(graph.arrays.size(), 1);
    for (uint32_t task = 0; task < graph.tasks.size(); ++task) {
      made.turns.emplace_back();
      made.copyOf.emplace_back(graph.tasks[task].operands.size(), 0);
      for (uint32_t operand = 0; operand < graph.tasks[task].operands.size(); ++operand) {
        made.turns.back().push_back(0);
        takeBestTurn(task, operand);
      }
    }
    for (const TaskOrder &order : graph.order)
      if (order.delay && order.distance == 0)
        addCopies(order.from, order.to);
    for (uint32_t task = 0; task < graph.tasks.size(); ++task)
      for (uint32_t other = 0; other < graph.tasks.size(); ++other)
        if (task != other && excludes(task, other))
          made.excludes[task].push_back(other);
    return made;
  }

private:
  const TaskOperand &operandOf(uint32_t task, size_t operand) const {
    return graph.tasks[task].operands[operand];
  }

  /// The ports of a copy of its array that an operand takes.
  std::set<uint32_t> portsOf(uint32_t task, size_t operand, uint32_t copy) const {
    uint32_t circuit = graph.tasks[task].circuit;
    bool isAll = made.copyOf[task][operand] == copy || circuits.written.empty();
    if (made.copyOf[task][operand] != copy && !operandOf(task, operand).isWritten)
      return {};
    std::set<uint32_t> ports;
    for (uint32_t port :
         isAll ? circuits.used[circuit][operand] : circuits.written[circuit][operand])
      ports.insert((port + made.turns[task][operand]) % circuits.ports);
    return ports;
  }

  /// Whether two operands need one port of the same memory at the same time.
  bool clash(uint32_t task, size_t operand, uint32_t other, size_t otherOperand) const {
    const TaskOperand &a = operandOf(task, operand), &b = operandOf(other, otherOperand);
    if (a.kind != TaskOperand::Kind::Array || b.kind != TaskOperand::Kind::Array ||
        a.index != b.index || !mayMeet(graph, least, task, other, graph.arrays[a.index].buffers))
      return false;
    for (uint32_t copy = 0; copy < made.copies[a.index]; ++copy) {
      std::set<uint32_t> theirs = portsOf(other, otherOperand, copy);
      for (uint32_t port : portsOf(task, operand, copy))
        if (theirs.count(port))
          return true;
    }
    return false;
  }

  /// Of the tasks that have their turns; returns how many it clashes with.
  uint32_t takeBestTurn(uint32_t task, uint32_t operand) {
    uint32_t best = 0, fewest = ~uint32_t(0);
    for (uint32_t turn = 0; turn < circuits.ports; ++turn) {
      made.turns[task][operand] = turn;
      uint32_t clashes = 0;
      for (uint32_t other = 0; other < made.turns.size(); ++other)
        for (uint32_t n = 0; other != task && n < made.turns[other].size(); ++n)
          clashes += clash(task, operand, other, n);
      if (clashes < fewest) {
        best = turn;
        fewest = clashes;
      }
    }
    made.turns[task][operand] = best;
    return fewest;
  }

  bool clash(uint32_t task, size_t operand, uint32_t other) const {
    for (uint32_t n = 0; n < made.turns[other].size(); ++n)
      if (clash(task, operand, other, n))
        return true;
    return false;
  }

  bool mayBeCopied(uint32_t array) const {
    return circuits.mayBeCopied.empty() ? !graph.arrays[array].argument
                                        : circuits.mayBeCopied[array];
  }

  /// A copy of each array that keeps `reader`, which only reads it, from beginning
  /// beside `writer`; unless that leaves it as it was.
  void addCopies(uint32_t writer, uint32_t reader) {
    for (uint32_t operand = 0; operand < made.turns[reader].size(); ++operand) {
      const TaskOperand &read = operandOf(reader, operand);
      if (read.kind != TaskOperand::Kind::Array || read.isWritten || !mayBeCopied(read.index) ||
          !clash(reader, operand, writer))
        continue;
      uint32_t copies = std::exchange(made.copies[read.index], 2),
               turn = made.turns[reader][operand];
      made.copyOf[reader][operand] = 1;
      takeBestTurn(reader, operand);
      if (!clash(reader, operand, writer))
        continue;
      made.copies[read.index] = copies;
      made.copyOf[reader][operand] = 0;
      made.turns[reader][operand] = turn;
    }
  }

  bool excludes(uint32_t task, uint32_t other) const {
    if (graph.tasks[task].circuit == graph.tasks[other].circuit &&
        mayMeet(graph, least, task, other, 1))
      return true;
    for (uint32_t operand = 0; operand < made.turns[task].size(); ++operand)
      if (clash(task, operand, other))
        return true;
    return false;
  }

  PortPlan made;
  const TaskGraph &graph;
  const CircuitPorts &circuits;
  Distances least;
};

} // namespace

PortPlan planPorts(const TaskGraph &graph, const CircuitPorts &circuits) {
  return Planner(graph, circuits).plan();
}

PortPlan planPortsAndDelays(TaskGraph &graph, const CircuitPorts &circuits) {
  while (true) {
    PortPlan plan = planPorts(graph, circuits);
    bool isChanged = false;
    for (TaskOrder &order : graph.order) {
      const std::vector<uint32_t> &excluded = plan.excludes[order.from];
      if (order.delay && std::binary_search(excluded.begin(), excluded.end(), order.to)) {
        order.delay.reset();
        isChanged = true;
      }
    }
    if (!isChanged)
      return plan;
  }
}

} // namespace spindle::hls
