#include "hw/system/EarlyStart.h"

#include <algorithm>

namespace spindle::hls {

uint64_t leastDelay(const AccessTimes &first, const AccessTimes &second,
                    const std::vector<SharedOperand> &shared) {
  int64_t delay = 1;
  auto keepApart = [&](int64_t last, int64_t next) {
    if (last >= 0 && next != INT64_MAX)
      delay = std::max(delay, last - next + 1);
  };
  for (const SharedOperand &array : shared) {
    auto before = first.words.find(array.first), after = second.words.find(array.second);
    if (before == first.words.end() || after == second.words.end())
      continue;
    for (size_t word = 0; word < before->second.size(); ++word) {
      const WordTimes &a = before->second[word], &b = after->second[word];
      keepApart(a.lastWrite, b.firstRead);
      keepApart(a.lastWrite, b.firstWrite);
      keepApart(a.lastRead, b.firstWrite);
    }
  }
  return uint64_t(delay);
}

namespace {

/// Steps of `accessTimes` for one kernel of a pair, over all inputs: half a second.
constexpr uint64_t kMostSteps = 20'000'000;

class Delays {
public:
  Delays(const TaskGraph &tasks, const std::vector<KernelOp> &ofCircuits)
      : graph(tasks), kernels(ofCircuits), known(ofCircuits.size()) {}

  /// Of an input and the one `distance` inputs before; none where nothing is proven.
  std::optional<uint64_t> delayOf(uint32_t from, uint32_t to, uint32_t distance,
                                  const std::vector<SharedOperand> &shared) {
    bool isAlike = !takesInput(from) && !takesInput(to);
    uint64_t most = 1;
    for (uint64_t input = distance; input < graph.inputs; ++input) {
      const AccessTimes *first = timesOf(from, input - distance), *second = timesOf(to, input);
      if (!first || !second)
        return std::nullopt;
      most = std::max(most, leastDelay(*first, *second, shared));
      if (isAlike)
        break;
    }
    return most;
  }

private:
  bool takesInput(uint32_t task) const {
    const std::vector<TaskOperand> &operands = graph.tasks[task].operands;
    return std::any_of(operands.begin(), operands.end(), [](const TaskOperand &operand) {
      return operand.kind == TaskOperand::Kind::Input;
    });
  }

  /// Valid up to the next call for another input of the same circuit.
  const AccessTimes *timesOf(uint32_t task, uint64_t input) {
    OfCircuit &entry = known[graph.tasks[task].circuit];
    std::optional<uint64_t> now = takesInput(task) ? std::optional(input) : std::nullopt;
    if (!entry.isThere || entry.input != now) {
      std::map<uint32_t, int64_t> scalars;
      for (uint32_t n = 0; now && n < graph.tasks[task].operands.size(); ++n)
        if (graph.tasks[task].operands[n].kind == TaskOperand::Kind::Input)
          scalars[n] = graph.firstInput + int64_t(input);
      entry.times = accessTimes(kernels[graph.tasks[task].circuit], scalars,
                                now ? kMostSteps / graph.inputs : kMostSteps);
      entry.isThere = true;
      entry.input = now;
    }
    return entry.times ? &*entry.times : nullptr;
  }

  struct OfCircuit {
    bool isThere = false;
    std::optional<uint64_t> input;
    std::optional<AccessTimes> times;
  };
  const TaskGraph &graph;
  const std::vector<KernelOp> &kernels;
  std::vector<OfCircuit> known;
};

uint32_t operandOf(const Task &task, uint32_t array) {
  for (uint32_t n = 0; n < task.operands.size(); ++n)
    if (task.operands[n].kind == TaskOperand::Kind::Array && task.operands[n].index == array)
      return n;
  return ~0u;
}

} // namespace

std::vector<TaskOrder> orderByWords(const TaskGraph &graph,
                                    const std::vector<TaskConflict> &conflicts,
                                    const std::vector<KernelOp> &kernels,
                                    const CircuitCycles &cycles) {
  Delays delays(graph, kernels);
  std::vector<TaskOrder> order;
  for (auto first = conflicts.begin(); first != conflicts.end();) {
    // One order for a pair of tasks: of different inputs, at the smaller distance.
    TaskOrder made{first->from, first->to, first->distance, std::nullopt};
    std::vector<SharedOperand> shared;
    auto next = first;
    for (; next != conflicts.end() && next->from == made.from && next->to == made.to; ++next) {
      made.distance = std::min(made.distance, next->distance);
      shared.push_back({operandOf(graph.tasks[made.from], next->array),
                        operandOf(graph.tasks[made.to], next->array)});
    }
    first = next;
    std::optional<uint64_t> known = cycles[graph.tasks[made.from].circuit];
    if (known && cycles[graph.tasks[made.to].circuit] &&
        graph.tasks[made.from].circuit != graph.tasks[made.to].circuit)
      made.delay = delays.delayOf(made.from, made.to, made.distance, shared);
    if (made.delay && *made.delay > *known)
      made.delay.reset();
    order.push_back(made);
  }
  return withoutImplied(order, graph, cycles);
}

} // namespace spindle::hls
