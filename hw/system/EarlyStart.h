// How long before the end of a task another one may begin that shares arrays with it.
#pragma once

#include "dialects/hls/Hls.h"
#include "hw/system/AccessTimes.h"
#include "hw/system/StartOrder.h"

namespace spindle::hls {

/// Two operands that are one array.
struct SharedOperand {
  uint32_t first = 0, second = 0;
};

/// The least number of cycles between the starts of two kernels for which every access of the
/// second one to a word comes after those of the first one that it must not overtake: a read after
/// the writes, a write after reads and writes. At least 1.
uint64_t leastDelay(const AccessTimes &first, const AccessTimes &second,
                    const std::vector<SharedOperand> &shared);

/// The order of a system whose tasks begin as soon as the schedules of their kernels allow:
/// `conflicts` with a delay where one is proven and shorter than the first task, for all inputs;
/// else after its end. Kernels by circuit. Takes time in proportion to the iterations of the
/// kernels, of those that are told the number of the input for every input anew, up to a limit:
/// tasks that would take more wait for the end.
std::vector<TaskOrder> orderByWords(const TaskGraph &graph,
                                    const std::vector<TaskConflict> &conflicts,
                                    const std::vector<KernelOp> &kernels,
                                    const CircuitCycles &cycles);

} // namespace spindle::hls
