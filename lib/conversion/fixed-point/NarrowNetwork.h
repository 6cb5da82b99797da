// A network with the fewest bits of weights that keep its answers.
#pragma once

#include "lib/conversion/fixed-point/WeightSearch.h"
#include "lib/conversion/trials/NetworkTrials.h"

namespace spindle {

/// Searches widths of weights for `toFixedPoint` (see `searchWeightBits`). Judged by `samples`, in
/// their order: which of them the network in f32 answers right after all steps, and which with
/// these widths; the loss is that of a paired comparison (`PairedLoss`) with 1.645 standard
/// deviations added (95
/// %). Widths that cannot be said in fixed point lose everything. `network` stays as it is. Errors:
/// the network has no form in fixed point with any width.
llvm::Expected<WeightSearch> searchWeightBits(mlir::ModuleOp network, Samples samples,
                                              const FixedPointOptions &options,
                                              const FixedPointUse &use, NetworkTrials &trials);

} // namespace spindle
