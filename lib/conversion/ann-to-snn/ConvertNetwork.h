// The policy of a conversion: which samples it is fitted to, which judge it, what is searched.
#pragma once

#include "lib/conversion/ann-to-snn/AnnToSnn.h"
#include "lib/conversion/trials/NetworkTrials.h"

namespace spindle {

/// Converts by the method of `options`, fitted to `calibration`. With `auto` the first half of the
/// samples is what conversions are fitted to and the second what judges them; a narrow network
/// whose percentile is not given is calibrated from several. Errors: `place`, the flow file, with
/// fewer than two samples under `auto`; those of the method.
llvm::Expected<SpikingNetwork> convertNetwork(mlir::ModuleOp ann, Samples calibration,
                                              const ConversionOptions &options,
                                              NetworkTrials &trials, const std::string &place);

} // namespace spindle
