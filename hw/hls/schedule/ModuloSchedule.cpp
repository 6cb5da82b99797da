#include "hw/hls/schedule/Improve.h"
#include "hw/hls/schedule/Schedulers.h"
#include "hw/hls/schedule/bounds/Bounds.h"
#include "hw/hls/schedule/exact/DepthSearch.h"
#include "hw/hls/schedule/exact/IntervalSearch.h"

#include "fmt/format.h"

#include <set>

namespace spindle::hls {

namespace {

/// One interval of iterative modulo scheduling.
class IterativeModulo {
public:
  IterativeModulo(const Problem &scheduled, const Precedences &constraints, unsigned interval)
      : result(scheduled, constraints, interval), problem(scheduled), precedences(constraints),
        toEnd(longestPathsToEnd(constraints, interval).length),
        lastStart(scheduled.operations.size(), -1) {
    for (unsigned o = 0; o < problem.operations.size(); ++o)
      enqueue(o);
  }

  /// False if placements or time were used up before all operations had their place.
  bool run(uint64_t placements, const Deadline &deadline) {
    for (; !waiting.empty() && placements > 0 && !deadline.isOver(); --placements) {
      unsigned operation = waiting.begin()->second;
      waiting.erase(waiting.begin());
      place(operation);
      driveOutViolated(operation);
    }
    return waiting.empty();
  }

  Placement result;

private:
  void enqueue(unsigned operation) { waiting.emplace(-toEnd[operation], operation); }

  void place(unsigned operation) {
    int64_t first = result.earliest(operation);
    if (!result.tryPlaceFrom(operation, first, first + result.interval())) {
      // A later cycle than last time, so that two operations do not drive each other out for ever.
      int64_t cycle = std::max(first, lastStart[operation] + 1);
      for (unsigned driven : result.force(operation, cycle, toEnd))
        enqueue(driven);
    }
    lastStart[operation] = result.start(operation);
  }

  void driveOutViolated(unsigned operation) {
    for (unsigned p : precedences.outgoing[operation]) {
      const Precedence &precedence = precedences.all[p];
      if (!result.isPlaced(precedence.to) || precedence.to == operation)
        continue;
      if (result.start(precedence.to) <
          result.start(operation) + lengthOf(precedence, result.interval())) {
        result.remove(precedence.to);
        enqueue(precedence.to);
      }
    }
  }

  const Problem &problem;
  const Precedences &precedences;
  std::vector<int64_t> toEnd;
  std::vector<int64_t> lastStart;
  std::set<std::pair<int64_t, unsigned>> waiting; // by -toEnd
};

/// Shorter by short searches: first as short as the longest path, then halfway back to what is
/// known.
void shortenDepth(const Problem &problem, const Precedences &precedences, SearchBudget allowed,
                  Placement &placement) {
  int64_t least = 0, depth = placement.depth();
  for (int64_t length : longestPathsToEnd(precedences, placement.interval()).length)
    least = std::max(least, length);
  for (; least < depth; least += (depth - least + 1) / 2) {
    std::optional<Placement> found;
    SearchBudget budget = allowed;
    if (budget.deadline.isOver() ||
        searchDepth(problem, precedences, placement.interval(), static_cast<unsigned>(least),
                    budget, found) != SearchOutcome::Found)
      continue;
    placement = std::move(*found);
    return;
  }
}

/// Iterations one after the other. An interval of one more than the depth also leaves the chains of
/// delays between two iterations apart.
llvm::Expected<Schedule> withoutOverlap(const Problem &problem, const Precedences &precedences,
                                        unsigned smallest) {
  SPINDLE_ASSIGN(Schedule list, scheduleList(problem));
  unsigned depth = list.depth(problem);
  for (unsigned o = 0; o < list.start.size(); ++o)
    if (!problem.operations[o].uses.empty())
      depth = std::max(depth, list.start[o] + problem.operations[o].busy);
  list.interval = std::max({smallest, depth + 1, boundsOf(problem, precedences).interval()});
  list.offsetNs = chainOffsets(problem, list.start, list.interval);
  SPINDLE_RETURN_IF_ERROR(verify(problem, list));
  return list;
}

} // namespace

llvm::Expected<Schedule> scheduleModulo(const Problem &problem, const ModuloOptions &options) {
  SPINDLE_RETURN_IF_ERROR(verify(problem));
  Precedences precedences = precedencesOf(problem);
  unsigned first =
      std::max({1u, options.smallestInterval, boundsOf(problem, precedences).interval()});
  SPINDLE_ASSIGN(Schedule serial, withoutOverlap(problem, precedences, first));
  const SearchBudget allowed{options.deadline, options.searchSteps};
  uint64_t placements = uint64_t(options.placementsPerOperation) * problem.operations.size();
  // Steps grow with the interval, so that the search stays short where the bounds say little.
  for (unsigned interval = first; interval < serial.interval && !options.deadline.isOver();
       interval += 1 + interval / 64) {
    IterativeModulo modulo(problem, precedences, interval);
    std::optional<Placement> result;
    SearchBudget budget = allowed;
    if (modulo.run(placements, options.deadline))
      result.emplace(std::move(modulo.result));
    else if (searchInterval(problem, precedences, interval, budget, result) != SearchOutcome::Found)
      continue;
    pullForward(problem, *result, options.deadline);
    shortenDepth(problem, precedences, allowed, *result);
    shortenLifetimes(problem, *result, options.deadline);
    return result->finish();
  }
  Placement result(problem, precedences, serial);
  shortenDepth(problem, precedences, allowed, result);
  shortenLifetimes(problem, result, options.deadline);
  return result.finish();
}

} // namespace spindle::hls
