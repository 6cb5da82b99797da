// Inputs of random programs.
#pragma once

#include "hw/program/Golden.h"

namespace spindle::hls {

/// Integers of any bits, small ones more often; scalar indices from -8 to 24; floats of all
/// magnitudes that the format has, special ones too, of NaNs the hardware's.
std::vector<KernelArray> randomInputs(const std::vector<GoldenType> &types, uint64_t seed);

} // namespace spindle::hls
