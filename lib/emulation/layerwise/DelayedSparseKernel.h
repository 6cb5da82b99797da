// Sparse layers with a delay for each synapse, as a stage of a plan.
#pragma once

#include "dialects/snn/DelayedSparseOp.h"
#include "lib/emulation/layerwise/PlanBuilder.h"

namespace spindle::layerwise {

/// Sums of the synapses whose spikes arrive in each step.
Signal addDelayedSparse(PlanBuilder &b, snn::DelayedSparseOp op, const Signal &input);

} // namespace spindle::layerwise
