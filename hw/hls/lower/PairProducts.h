// Two products that share a factor on one DSP block.
#pragma once

#include "dialects/hls/Hls.h"
#include "hw/hls/UnitLimits.h"

namespace spindle::hls {

/// Makes one `hls.multiply_pair` of two products of a pipeline that share a factor, where the
/// target has a unit for the ranges of the factors and DSP blocks would make the products. Products
/// that may wait for each other stay alone, and those whose units are limited: a limit counts
/// products. Linear in the products that share a factor at each depth. The kernel has no schedule
/// yet. How many pairs there are.
unsigned pairProducts(KernelOp kernel, const Target &target, const UnitLimits &limits);

} // namespace spindle::hls
