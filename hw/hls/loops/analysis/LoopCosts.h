// What passes know about the hardware when they weigh one order of iterations against another.
#pragma once

#include "hw/hls/UnitLimits.h"

#include <memory>

namespace spindle::hls {

struct LoopCosts {
  Target target;
  UnitLimits units;
};

/// Of the passes of one pipeline: a target has many strings.
using SharedCosts = std::shared_ptr<const LoopCosts>;

/// Where no file says others: add and multiply in f32 and f64 6 cycles, divide and square root 30,
/// memory as in block RAM.
LoopCosts defaultCosts();

/// Costs by the options that the passes share: the path of a target (empty: the default) and limits
/// such as `mulf_f64=2`.
llvm::Expected<LoopCosts> readCosts(const std::string &target,
                                    const std::vector<std::string> &limits);

} // namespace spindle::hls
