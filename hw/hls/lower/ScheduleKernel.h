// Start cycles, units and ports for every operation of a kernel.
#pragma once

#include "hw/hls/lower/PipelineProblem.h"

namespace spindle::hls {

struct ScheduleOptions {
  UnitLimits units;       // instances that may be used, by unit name
  bool exact = false;     // smallest interval, then depth, with a proof of both
  double seconds = 10;    // for the exact search of one pipeline; then the heuristic's is taken
  bool concurrent = true; // independent tasks run at the same time where ports and units suffice
  bool pairs = false;     // two products that share a factor take one DSP block (PairProducts.h)
};

/// Every pipeline gets the smallest initiation interval its dependences, ports and units allow, and
/// no more units than that interval needs. Units are shared by all pipelines that never run at the
/// same time. Tasks that would need the same port, or more units than allowed, are put one after
/// the other. What the exact search has proven stands at the pipelines. The kernel is verified.
llvm::Error scheduleKernel(KernelOp kernel, const Target &target, const ScheduleOptions &options);

} // namespace spindle::hls
