// Sparse layers with a delay for each synapse, as a stage of a plan.
#pragma once

#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

/// Whether the sums of all steps to come can be numbered in 32 bits.
bool fitsRing(snn::DelayedSparseOp op);

/// Sums of the synapses whose spikes arrive in each step; of operations that fit.
Signal addDelayedSparse(PlanBuilder &b, snn::DelayedSparseOp op, const Signal &input);

} // namespace spindle::layers
