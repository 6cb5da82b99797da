#include "hw/hls/schedule/Improve.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace spindle::hls {

namespace {

/// Passes over all operations; in practice nothing moves any more after two or three.
constexpr unsigned mostPasses = 8;

/// Cycles that are tried for one operation.
constexpr size_t mostCandidates = 256;

std::vector<unsigned> byStart(const Placement &placement, size_t count) {
  std::vector<unsigned> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](unsigned a, unsigned b) { return placement.start(a) < placement.start(b); });
  return order;
}

/// The values of a problem: who makes and who uses them.
class Values {
public:
  explicit Values(const Problem &scheduled)
      : problem(scheduled), uses(scheduled.operations.size()), inputs(scheduled.operations.size()) {
    for (unsigned d = 0; d < problem.dependences.size(); ++d) {
      const Dependence &dependence = problem.dependences[d];
      if (dependence.latency)
        continue;
      uses[dependence.from].push_back(d);
      inputs[dependence.to].push_back(dependence.from);
    }
    for (std::vector<unsigned> &list : inputs) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  /// Cycles from the result to the last use if `moved` started in `cycle`.
  int64_t lifetime(const Placement &placement, unsigned operation, unsigned moved,
                   int64_t cycle) const {
    auto startOf = [&](unsigned o) { return o == moved ? cycle : placement.start(o); };
    int64_t last = 0, result = startOf(operation) + latencyOf(problem, operation);
    for (unsigned d : uses[operation]) {
      const Dependence &use = problem.dependences[d];
      last =
          std::max(last, startOf(use.to) + int64_t(placement.interval()) * use.distance - result);
    }
    return last;
  }

  /// The lifetimes that the start of an operation decides, added up.
  int64_t around(const Placement &placement, unsigned operation, int64_t cycle) const {
    int64_t sum = lifetime(placement, operation, operation, cycle);
    for (unsigned from : inputs[operation])
      if (from != operation)
        sum += lifetime(placement, from, operation, cycle);
    return sum;
  }

private:
  const Problem &problem;
  std::vector<std::vector<unsigned>> uses;   // dependences by the value's maker
  std::vector<std::vector<unsigned>> inputs; // makers by user
};

} // namespace

void pullForward(const Problem &problem, Placement &placement, const Deadline &deadline) {
  bool moved = true;
  for (unsigned pass = 0; moved && pass < mostPasses; ++pass) {
    moved = false;
    for (unsigned o : byStart(placement, problem.operations.size())) {
      if (deadline.isOver())
        return;
      int64_t current = placement.start(o), cycle = placement.earliest(o);
      placement.remove(o);
      while (!placement.tryPlace(o, cycle))
        ++cycle;
      moved |= cycle < current;
    }
  }
}

void shortenLifetimes(const Problem &problem, Placement &placement, const Deadline &deadline) {
  size_t count = problem.operations.size();
  Values values(problem);
  int64_t depth = placement.depth();
  bool moved = true;
  for (unsigned pass = 0; moved && pass < mostPasses; ++pass) {
    moved = false;
    std::vector<unsigned> order = byStart(placement, count);
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (deadline.isOver())
        return;
      unsigned o = *it;
      int64_t current = placement.start(o), first = placement.earliest(o);
      int64_t last = std::min(placement.latest(o), depth - spanOf(problem, o));
      std::vector<std::pair<int64_t, int64_t>> candidates; // lifetimes, cycle
      for (int64_t cycle = last; cycle >= first && candidates.size() < mostCandidates; --cycle)
        candidates.emplace_back(values.around(placement, o, cycle), cycle);
      std::sort(candidates.begin(), candidates.end());
      int64_t now = values.around(placement, o, current);
      placement.remove(o);
      bool placed = false;
      for (auto [lifetimes, cycle] : candidates) {
        if (lifetimes >= now)
          break;
        placed = placement.tryPlace(o, cycle);
        if (placed)
          break;
      }
      moved |= placed;
      if (!placed)
        placement.tryPlace(o, current);
    }
  }
}

uint64_t lifetimesOf(const Problem &problem, const Schedule &schedule) {
  std::vector<uint64_t> last(problem.operations.size(), 0);
  for (const Dependence &use : problem.dependences) {
    if (use.latency || (schedule.interval == 0 && use.distance > 0))
      continue;
    uint64_t waits = schedule.start[use.to] + uint64_t(schedule.interval) * use.distance -
                     schedule.start[use.from] - latencyOf(problem, use);
    last[use.from] = std::max(last[use.from], waits);
  }
  return std::accumulate(last.begin(), last.end(), uint64_t(0));
}

} // namespace spindle::hls
