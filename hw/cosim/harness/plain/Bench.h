// Drives a kernel through its handshake: runs back to back, resets in the middle, stalls.
#pragma once

#include "hw/cosim/harness/Exchange.h"
#include "hw/cosim/harness/Pins.h"

namespace spindle::hls {

/// Resets the kernel and makes the runs of the stimulus, one after the other. A violation of the
/// interface ends all.
Response runBench(const KernelPins &pins, const Stimulus &stimulus);

} // namespace spindle::hls
