#include "hw/hls/schedule/ExactSchedule.h"

#include "hw/hls/schedule/Bounds.h"
#include "hw/hls/schedule/DepthSearch.h"
#include "hw/hls/schedule/Improve.h"
#include "hw/hls/schedule/IntervalSearch.h"
#include "hw/hls/schedule/Schedulers.h"

#include <algorithm>

namespace spindle::hls {

namespace {

SearchBudget budgetOf(const ExactOptions &options) {
  // A century is as good as no limit and does not overflow the clock.
  double seconds = std::clamp(options.seconds, 0.0, 3e9);
  auto duration = std::chrono::duration<double>(seconds);
  return {std::chrono::steady_clock::now() +
              std::chrono::duration_cast<std::chrono::steady_clock::duration>(duration),
          options.steps};
}

llvm::Expected<Schedule> improved(const Problem &problem, Placement placement) {
  pullForward(problem, placement);
  shortenLifetimes(problem, placement);
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
    SPINDLE_ASSIGN(exact.schedule, improved(problem, std::move(*found)));
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
    SPINDLE_ASSIGN(exact.schedule, improved(problem, std::move(*found)));
    depth = exact.schedule.depth(problem);
  }
  exact.isDepthProven = true;
  return llvm::Error::success();
}

} // namespace

llvm::Expected<ExactSchedule> scheduleExact(const Problem &problem, const ExactOptions &options) {
  ExactSchedule exact;
  SearchBudget budget = budgetOf(options);
  SPINDLE_ASSIGN(exact.schedule,
                 options.isPipelined ? scheduleModulo(problem) : scheduleList(problem));
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
