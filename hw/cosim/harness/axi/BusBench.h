// Drives a kernel through its registers: addresses, scalars, start, done by polling or interrupt.
#pragma once

#include "hw/cosim/harness/Exchange.h"
#include "hw/cosim/harness/axi/BusPins.h"

namespace spindle::hls {

/// Resets the kernel and makes the runs of the stimulus, one after the other; every channel stalls
/// in `stallPercent` of the cycles. Arrays that are only read and are what they were in the run
/// before are kept in every other run. Cycles count from the start's acceptance to done. Memories
/// are the elements in row-major order. A violation of a protocol ends all.
Response runBench(const BusPins &pins, const Stimulus &stimulus);

} // namespace spindle::hls
