// Tasks that share circuits where that costs no time.
#pragma once

#include "hw/system/StartOrder.h"

namespace spindle::hls {

/// Of a graph whose tasks have circuits of their own: puts tasks of one kernel that never run at
/// the same time anyway, as their order and `cycles` say, on as few circuits as possible. Circuits
/// are numbered by their first task.
void shareCircuits(TaskGraph &graph, const CircuitCycles &cycles);

} // namespace spindle::hls
