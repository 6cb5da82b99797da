// The body of a pipeline as a scheduling problem.
#pragma once

#include "dialects/hls/Hls.h"
#include "hw/hls/UnitLimits.h"
#include "hw/hls/lower/IndexRanges.h"
#include "hw/hls/schedule/problem/Schedule.h"

#include <map>

namespace spindle::hls {

struct PipelineProblem {
  Problem problem; // after those of the program, two operations more where data end the pipeline
  std::vector<mlir::Operation *> operations;     // by operation of the problem
  std::vector<const FunctionalUnit *> units;     // by operation; null where none is needed
  std::map<std::string, unsigned> unitResources; // unit name → resource
};

/// Constants are left out. Errors are the user's: an operation for which the target has no unit.
llvm::Expected<PipelineProblem> problemOf(PipelineOp pipeline, const Target &target,
                                          const IndexRanges &ranges, const UnitLimits &limits);

/// The unit an operation needs: null for combinational ones; an error where the target has none.
llvm::Expected<const FunctionalUnit *> unitNeededBy(mlir::Operation *op, const Target &target,
                                                    const IndexRanges &ranges);

} // namespace spindle::hls
