#include "hw/hls/schedule/Algorithms.h"

#include "hw/hls/schedule/Improve.h"
#include "hw/hls/schedule/Schedulers.h"
#include "hw/hls/schedule/bounds/Bounds.h"
#include "hw/hls/schedule/problem/ReservationText.h"

#include "fmt/format.h"

namespace spindle::hls {

namespace {

/// In the order of ScheduleAlgorithm; those after it have options.
constexpr llvm::Expected<Schedule> (*heuristics[])(const Problem &) = {scheduleAsap, scheduleList,
                                                                       scheduleSdc};

llvm::Expected<Schedule> heuristicBy(ScheduleAlgorithm algorithm, const Problem &problem,
                                     const ExactOptions &options) {
  if (algorithm != ScheduleAlgorithm::Modulo)
    return heuristics[static_cast<size_t>(algorithm)](problem);
  ModuloOptions modulo;
  if (options.limitsHeuristic)
    modulo.deadline = Deadline::in(options.seconds);
  return scheduleModulo(problem, modulo);
}

} // namespace

llvm::Expected<ExactSchedule> scheduleBy(ScheduleAlgorithm algorithm, const Problem &problem,
                                         const ExactOptions &options) {
  if (algorithm == ScheduleAlgorithm::Exact)
    return scheduleExact(problem, options);
  ExactSchedule result;
  SPINDLE_ASSIGN(result.schedule, heuristicBy(algorithm, problem, options));
  Precedences precedences = precedencesOf(problem);
  unsigned interval = result.schedule.interval;
  result.lowerBound = interval ? boundsOf(problem, precedences).interval() : 0;
  result.isProven = interval == result.lowerBound;
  for (int64_t length : longestPathsToEnd(precedences, interval).length)
    result.depthBound = std::max(result.depthBound, static_cast<unsigned>(length));
  result.isDepthProven = result.schedule.depth(problem) == result.depthBound;
  return result;
}

std::string scheduleText(const Problem &problem, const ExactSchedule &result) {
  const Schedule &schedule = result.schedule;
  std::string text;
  auto bound = [](bool isProven, unsigned least) {
    return isProven ? std::string("proven minimal") : fmt::format("at least {}", least);
  };
  if (schedule.interval) {
    Bounds bounds = boundsOf(problem);
    text += fmt::format("interval  {} ({})\n", schedule.interval,
                        bound(result.isProven, result.lowerBound));
    text += fmt::format("bounds    {}\n          {}\n", recurrenceText(problem, bounds),
                        resourceText(problem, bounds));
  } else {
    text += "interval  none, not pipelined\n";
  }
  text += fmt::format("depth     {} ({})\n", schedule.depth(problem),
                      bound(result.isDepthProven, result.depthBound));
  text +=
      fmt::format("registers {} cycles in which values wait\n\n", lifetimesOf(problem, schedule));
  return text + reservationText(problem, schedule);
}

} // namespace spindle::hls
