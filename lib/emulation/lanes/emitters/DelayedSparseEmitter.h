// Sums of synapses with delays of their own, by lanes.
#pragma once

#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "lib/emulation/lanes/emitters/Emitters.h"

namespace spindle::lanes {

/// Reads a ring of the inputs of as many steps as the longest delay, and this one.
void emitDelayedSparse(KernelBuilder &b, snn::DelayedSparseOp op, const Signals &signals);

} // namespace spindle::lanes
