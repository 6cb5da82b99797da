// What `synth` tells of a schedule.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "hw/hls/lower/PipelineProblem.h"

namespace spindle {

/// Writes schedule.json and report.html; `limits` as the kernel was scheduled with.
llvm::Error writeScheduleFiles(const std::string &folder, hls::KernelOp kernel,
                               const hls::Target &target, const hls::UnitLimits &limits,
                               const hls::KernelInterface &interface);

} // namespace spindle
