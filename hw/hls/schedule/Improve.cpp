#include "hw/hls/schedule/Improve.h"

#include <algorithm>
#include <numeric>

namespace spindle::hls {

namespace {

/// Passes over all operations; in practice nothing moves any more after two or three.
constexpr unsigned mostPasses = 8;

/// Cycles that are tried for one operation.
constexpr int64_t mostCandidates = 256;

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

  /// Cycles from a result to its last use, where one operation may start in any cycle:
  /// max(fixed, slope * cycle + offset).
  struct Lifetime {
    int64_t fixed = 0, slope = 0, offset = 0;

    int64_t at(int64_t cycle) const { return std::max(fixed, slope * cycle + offset); }
  };

  /// Those that the start of an operation decides.
  std::vector<Lifetime> around(const Placement &placement, unsigned moved) const {
    std::vector<Lifetime> lifetimes{ofItself(placement, moved)};
    for (unsigned from : inputs[moved])
      if (from != moved)
        lifetimes.push_back(ofInput(placement, from, moved));
    return lifetimes;
  }

private:
  int64_t wait(const Placement &placement, const Dependence &use) const {
    return int64_t(placement.interval()) * use.distance - latencyOf(problem, use.from);
  }

  Lifetime ofItself(const Placement &placement, unsigned moved) const {
    Lifetime lifetime{0, -1, INT64_MIN / 4};
    for (unsigned d : uses[moved]) {
      const Dependence &use = problem.dependences[d];
      int64_t cycles = wait(placement, use);
      if (use.to == moved)
        lifetime.fixed = std::max(lifetime.fixed, cycles);
      else
        lifetime.offset = std::max(lifetime.offset, placement.start(use.to) + cycles);
    }
    return lifetime;
  }

  Lifetime ofInput(const Placement &placement, unsigned from, unsigned moved) const {
    Lifetime lifetime{0, 1, INT64_MIN / 4};
    for (unsigned d : uses[from]) {
      const Dependence &use = problem.dependences[d];
      int64_t cycles = wait(placement, use) - placement.start(from);
      if (use.to == moved)
        lifetime.offset = std::max(lifetime.offset, cycles);
      else
        lifetime.fixed = std::max(lifetime.fixed, placement.start(use.to) + cycles);
    }
    return lifetime;
  }

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
      int64_t current = placement.start(o), first = placement.earliest(o);
      placement.remove(o);
      placement.tryPlaceFrom(o, first, current + 1);
      moved |= placement.start(o) < current;
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
      std::vector<Values::Lifetime> lifetimes = values.around(placement, o);
      auto sumAt = [&](int64_t cycle) {
        int64_t sum = 0;
        for (const Values::Lifetime &lifetime : lifetimes)
          sum += lifetime.at(cycle);
        return sum;
      };
      std::vector<std::pair<int64_t, int64_t>> shorter; // sum of lifetimes, cycle
      first = std::max(first, last - mostCandidates + 1);
      for (int64_t cycle = last, now = sumAt(current); cycle >= first; --cycle)
        if (int64_t sum = sumAt(cycle); sum < now)
          shorter.emplace_back(sum, cycle);
      std::sort(shorter.begin(), shorter.end());
      placement.remove(o);
      bool placed = false;
      for (size_t n = 0; n < shorter.size() && !placed; ++n)
        placed = placement.tryPlace(o, shorter[n].second);
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
