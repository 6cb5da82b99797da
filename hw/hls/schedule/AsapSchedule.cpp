#include "hw/hls/schedule/Placement.h"
#include "hw/hls/schedule/Schedulers.h"

#include "fmt/format.h"

namespace spindle::hls {

llvm::Expected<Schedule> scheduleAsap(const Problem &problem) {
  SPINDLE_RETURN_IF_ERROR(verify(problem));
  Precedences precedences = precedencesOf(problem);
  Placement placement(problem, precedences, 0);
  // start(o) = max over o's predecessors p of start(p) + latency(p)
  for (unsigned o : precedences.order)
    if (!placement.tryPlace(o, placement.earliest(o)))
      return inputError(
          fmt::format("scheduling problem '{}'", problem.name),
          fmt::format("no instance is free for operation '{}' in cycle {}, and scheduling as "
                      "soon as possible does not wait: use list scheduling",
                      problem.operations[o].name, placement.earliest(o)));
  return placement.finish();
}

} // namespace spindle::hls
