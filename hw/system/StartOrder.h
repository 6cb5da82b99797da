// Which tasks of a system begin after which others, also by way of tasks between them.
#pragma once

#include "core/kernel/TaskGraph.h"

namespace spindle::hls {

/// By circuit; none where they depend on data.
using CircuitCycles = std::vector<std::optional<uint64_t>>;

/// By task and task. Never: kNeverWaits.
using Distances = std::vector<std::vector<uint64_t>>;
constexpr uint64_t kNeverWaits = ~uint64_t(0) / 4;

/// Input n of the second task begins after input n - distance of the first one is done. Where tasks
/// begin so many cycles after others, `cycles` say whether these are done by then; without them
/// only orders that wait for an end count. Cubic in the tasks.
Distances leastDistances(const TaskGraph &graph, const CircuitCycles &cycles = {});

/// Leaves out what others of the same input ask for, too: by way of one task in between, where no
/// cycles are missing.
std::vector<TaskOrder> withoutImplied(const std::vector<TaskOrder> &order, const TaskGraph &graph,
                                      const CircuitCycles &cycles);

} // namespace spindle::hls
