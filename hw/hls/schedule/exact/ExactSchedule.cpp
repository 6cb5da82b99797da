#include "hw/hls/schedule/exact/ExactSchedule.h"

#include "hw/hls/schedule/Improve.h"
#include "hw/hls/schedule/Schedulers.h"
#include "hw/hls/schedule/bounds/Bounds.h"
#include "hw/hls/schedule/exact/DepthSearch.h"
#include "hw/hls/schedule/exact/IntervalSearch.h"

#include <algorithm>

namespace spindle::hls {

namespace {

llvm::Expected<Schedule> improved(const Problem &problem, Placement placement,
                                  const Deadline &deadline) {
  pullForward(problem, placement, deadline);
  shortenLifetimes(problem, placement, deadline);
  return placement.finish();
}

/// From the bound upwards, until an interval has a schedule or the search gives up.
llvm::Error lowerInterval(const Problem &problem, const Precedences &precedences,
                          SearchBudget &budget, ExactSchedule &exact) {
  exact.lowerBound = boundsOf(problem, precedences).interval();
  while (exact.lowerBound < exact.schedule.interval) {
    std::optional<Placement> found;
    SearchOutcome outcome = searchInterval(problem, precedences, exact.lowerBound, budget, found);
    if (outcome == SearchOutcome::GaveUp)
      return llvm::Error::success();
    if (outcome == SearchOutcome::None) {
      ++exact.lowerBound;
      continue;
    }
    SPINDLE_ASSIGN(exact.schedule, improved(problem, std::move(*found), budget.deadline));
  }
  exact.isProven = true;
  return llvm::Error::success();
}

/// From the depth of the schedule downwards, until one is shown to be too small.
llvm::Error lowerDepth(const Problem &problem, const Precedences &precedences, SearchBudget &budget,
                       ExactSchedule &exact) {
  unsigned interval = exact.schedule.interval;
  for (int64_t length : longestPathsToEnd(precedences, interval).length)
    exact.depthBound = std::max(exact.depthBound, static_cast<unsigned>(length));
  unsigned depth = exact.schedule.depth(problem);
  while (depth > exact.depthBound) {
    std::optional<Placement> found;
    SearchOutcome outcome = searchDepth(problem, precedences, interval, depth - 1, budget, found);
    if (outcome == SearchOutcome::GaveUp)
      return llvm::Error::success();
    if (outcome == SearchOutcome::None) {
      exact.depthBound = depth;
      break;
    }
    SPINDLE_ASSIGN(exact.schedule, improved(problem, std::move(*found), budget.deadline));
    depth = exact.schedule.depth(problem);
  }
  exact.isDepthProven = true;
  return llvm::Error::success();
}

} // namespace

llvm::Expected<ExactSchedule> scheduleExact(const Problem &problem, const ExactOptions &options) {
  ExactSchedule exact;
  SearchBudget budget{Deadline::in(options.seconds), options.steps};
  ModuloOptions modulo;
  if (options.limitsHeuristic)
    modulo.deadline = budget.deadline;
  SPINDLE_ASSIGN(exact.schedule,
                 options.isPipelined ? scheduleModulo(problem, modulo) : scheduleList(problem));
  Precedences precedences = precedencesOf(problem);
  exact.isProven = !options.isPipelined;
  if (options.isPipelined) {
    SPINDLE_RETURN_IF_ERROR(lowerInterval(problem, precedences, budget, exact));
  }
  if (options.minimizesDepth) {
    SPINDLE_RETURN_IF_ERROR(lowerDepth(problem, precedences, budget, exact));
  }
  return exact;
}

} // namespace spindle::hls
