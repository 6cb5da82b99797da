// A scheduled kernel as the plain data that reports are made of.
#pragma once

#include "core/kernel/KernelSchedule.h"
#include "hw/hls/lower/PipelineProblem.h"

namespace spindle::hls {

/// `limits` as the kernel was scheduled with: bounds are those of the units that were allowed, not
/// of the fewer ones that were taken.
llvm::Expected<KernelSchedule> describeSchedule(KernelOp kernel, const Target &target,
                                                const UnitLimits &limits);

} // namespace spindle::hls
