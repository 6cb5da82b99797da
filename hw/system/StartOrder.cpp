#include "hw/system/StartOrder.h"

#include <algorithm>

namespace spindle::hls {

namespace {

using Orders = std::vector<TaskOrder>;

/// Cycles from the start of one task to that of another at least; -1 where it never waits.
using Separations = std::vector<std::vector<int64_t>>;

class StartTimes {
public:
  StartTimes(size_t tasks, const Orders &orders, const TaskGraph &graph,
             const CircuitCycles &circuitCycles)
      : count(tasks), order(orders) {
    for (size_t task = 0; task < count; ++task) {
      uint32_t circuit = graph.tasks[task].circuit;
      cycles.push_back(circuit < circuitCycles.size() ? circuitCycles[circuit] : std::nullopt);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const TaskOrder &a, const TaskOrder &b) { return a.from < b.from; });
  }

  /// A task waits at least for so many cycles after the start of the one before it; a kernel takes
  /// one cycle at least.
  int64_t waitOf(const TaskOrder &each) const {
    return int64_t(each.delay.value_or(cycles[each.from].value_or(1) + 1));
  }
  std::optional<uint64_t> cyclesOf(size_t task) const { return cycles[task]; }

  /// By distance, up to `most`: over chains of orders of that distance at most, the longest.
  std::vector<Separations> separations(uint32_t most) const {
    std::vector<Separations> all;
    for (uint32_t distance = 0; distance <= most; ++distance) {
      Separations now = distance ? all.back() : Separations(count, std::vector<int64_t>(count, -1));
      for (size_t from = 0; from < count; ++from) {
        now[from][from] = std::max<int64_t>(now[from][from], 0);
        auto reach = [&](const TaskOrder &by, int64_t before) {
          if (before >= 0)
            now[from][by.to] = std::max(now[from][by.to], before + waitOf(by));
        };
        for (const TaskOrder &each : order)
          if (each.distance > 0 && each.distance <= distance)
            reach(each, all[distance - each.distance][from][each.from]);
        for (uint32_t task = 0; task < count && distance > 0; ++task) // an input after the last one
          reach({task, task, 1, std::nullopt}, all[distance - 1][from][task]);
        for (const TaskOrder &each : order) // of one input, in the order of the program
          if (each.distance == 0)
            reach(each, now[from][each.from]);
      }
      all.push_back(std::move(now));
    }
    return all;
  }

private:
  size_t count;
  Orders order; // by `from`
  std::vector<std::optional<uint64_t>> cycles;
};

/// The largest number of buffers that an array has.
constexpr uint32_t kMostDistance = 2;

} // namespace

Distances leastDistances(const TaskGraph &graph, const CircuitCycles &cycles) {
  size_t count = graph.tasks.size();
  Distances starts(count, std::vector<uint64_t>(count, kNeverWaits)); // after its start
  for (size_t n = 0; n < count; ++n)
    starts[n][n] = 0;
  for (const TaskOrder &order : graph.order) {
    uint64_t &known = starts[order.from][order.to];
    known = std::min<uint64_t>(known, order.distance);
  }
  for (size_t middle = 0; middle < count; ++middle)
    for (size_t from = 0; from < count; ++from)
      for (size_t to = 0; to < count; ++to)
        starts[from][to] = std::min(starts[from][to], starts[from][middle] + starts[middle][to]);
  Distances least(count, std::vector<uint64_t>(count, kNeverWaits));
  auto endsBefore = [&](const TaskOrder &order) {
    for (size_t to = 0; to < count; ++to)
      least[order.from][to] =
          std::min(least[order.from][to], order.distance + starts[order.to][to]);
  };
  for (uint32_t task = 0; task < count; ++task)
    endsBefore({task, task, 1, std::nullopt}); // its next input
  for (const TaskOrder &order : graph.order)
    if (!order.delay)
      endsBefore(order);
  StartTimes times(count, graph.order, graph, cycles);
  std::vector<Separations> separations = times.separations(kMostDistance);
  for (size_t from = 0; from < count; ++from)
    for (size_t to = 0; to < count; ++to)
      for (uint32_t distance = 0; distance <= kMostDistance; ++distance)
        if (std::optional<uint64_t> known = times.cyclesOf(from);
            known && separations[distance][from][to] > int64_t(*known))
          least[from][to] = std::min<uint64_t>(least[from][to], distance);
  return least;
}

std::vector<TaskOrder> withoutImplied(const std::vector<TaskOrder> &order, const TaskGraph &graph,
                                      const CircuitCycles &cycles) {
  size_t count = graph.tasks.size();
  StartTimes times(count, order, graph, cycles);
  Separations longest = times.separations(0).front();
  // Whether a task begins after the end of another one, however long that takes.
  std::vector<std::vector<bool>> follows(count, std::vector<bool>(count));
  for (const TaskOrder &each : order)
    if (each.distance == 0 && !each.delay)
      for (size_t to = 0; to < count; ++to)
        if (longest[each.to][to] >= 0)
          follows[each.from][to] = true;
  std::vector<TaskOrder> kept;
  std::copy_if(order.begin(), order.end(), std::back_inserter(kept), [&](const TaskOrder &each) {
    if (each.distance > 0)
      return true;
    bool needsEnd = !each.delay && !times.cyclesOf(each.from);
    for (uint32_t middle = each.from + 1; middle < each.to; ++middle) {
      int64_t first = longest[each.from][middle], second = longest[middle][each.to];
      if (first < 0 || second < 0)
        continue;
      if (follows[each.from][middle] || (!needsEnd && first + second >= times.waitOf(each)))
        return false;
    }
    return true;
  });
  return kept;
}

} // namespace spindle::hls
