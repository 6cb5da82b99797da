// `hardware.as: auto` in the stage convert: which layers spike, by trial conversions. It measures
// circuits, so it is part of the hardware side.
#pragma once

#include "lib/conversion/fixed-point/FixedPointNetwork.h"
#include "lib/conversion/snn-to-loops/tensor/HybridSearch.h"
#include "lib/conversion/trials/NetworkTrials.h"
#include "tools/spindle/flow/Stage.h"

namespace spindle {

/// Networks are fitted to the first half of the calibration samples and judged, beside the ANN, by
/// the second. Errors: sections that the search needs, or that say what it looks for; none found.
llvm::Expected<Hybrid> chooseKinds(const StageRun &run, mlir::ModuleOp ann,
                                   const Samples &calibration, const FixedPointUse &use,
                                   NetworkTrials &trials);

} // namespace spindle
