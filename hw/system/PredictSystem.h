// When the tasks of a system run.
#pragma once

#include "core/kernel/TaskGraph.h"
#include "hw/system/PortPlan.h"

namespace spindle::hls {

/// One input of a task: from the cycle that sees its start to the one that sees its end, counted
/// from the start of the system.
struct TaskSpan {
  uint32_t task = 0;
  uint64_t input = 0;
  uint64_t start = 0, end = 0;
  bool operator==(const TaskSpan &) const = default;
};

struct SystemTimes {
  uint64_t cycles = 0;         // from the start of the system to its done
  std::vector<TaskSpan> spans; // by start, then by task
};

/// Runs the managers of the tasks, event by event: a task starts where those it waits for are done,
/// no task is at work that it excludes, and none of these that comes before it in the program could
/// start in this cycle, too. A task that ends in a cycle counts as done from the next one on.
/// `circuitCycles` by circuit.
SystemTimes predictSystem(const TaskGraph &graph, const PortPlan &plan,
                          const std::vector<uint64_t> &circuitCycles);

} // namespace spindle::hls
