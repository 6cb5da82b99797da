// A loop rewritten so that its iterations overlap as a modulo schedule says.
#pragma once

#include "hw/hls/schedule/problem/Schedule.h"
#include "hw/hls/software-pipelining/LoopGraph.h"

namespace spindle::hls {

/// Stages of a schedule: initiation intervals from the first to the last start.
unsigned stagesOf(const Schedule &schedule);

/// Replaces a normalised loop by prologue, kernel and epilogue (Lam 1988; Curzel 2022 in affine):
/// one pass of the kernel holds stage s of iteration k - s. A value that a later stage or iteration
/// needs goes through as many additional iteration arguments as passes lie between. A loop whose
/// trip count varies is kept beside it, for the runs of fewer iterations than stages, which an
/// affine.if decides on; one that always has fewer stays as it is. Returns whether it was
/// rewritten. The schedule must be one that `verify` accepts for the problem of the graph.
bool overlapIterations(mlir::affine::AffineForOp loop, const LoopGraph &graph,
                       const Schedule &schedule);

} // namespace spindle::hls
