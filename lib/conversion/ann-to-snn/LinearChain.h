// The synapse operations between two populations, and how scales reach their weights.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/support/Error.h"

#include <vector>

namespace spindle {

/// Rescales a chain in place so that it maps values in units of `inputScale` to values in units of
/// `outputScale`, both one per element. The first weighted operation takes the input's, the last
/// the output's. Fails when no operation of the chain has weights, or when elements that share a
/// weight differ in scale.
llvm::Error rescaleChain(llvm::ArrayRef<snn::SynapseOp> chain, std::vector<float> inputScale,
                         std::vector<float> outputScale);

} // namespace spindle
