// When the tasks of a system run.
#pragma once

#include "core/kernel/TaskGraph.h"
#include "hw/system/PortPlan.h"

namespace spindle::hls {

struct SystemTimes {
  uint64_t cycles = 0;         // from the start of the system to its done
  std::vector<TaskSpan> spans; // by start, then by task
};

/// Runs the managers of the tasks, event by event: a task starts where those it waits for are done,
/// or so many cycles under way as the order says, no task is at work that it excludes, and none of
/// these could start in this cycle, too, with an earlier input, or the same one and earlier in the
/// program. A task that ends in a cycle counts as done from the next one on. `circuitCycles` by
/// circuit.
SystemTimes predictSystem(const TaskGraph &graph, const PortPlan &plan,
                          const std::vector<uint64_t> &circuitCycles);

} // namespace spindle::hls
