// The schedulers: a problem in, a verified schedule out.
#pragma once

#include "hw/hls/schedule/bounds/Deadline.h"
#include "hw/hls/schedule/problem/Schedule.h"

namespace spindle::hls {

/// Every operation as soon as its inputs are there, not pipelined. Instances are taken in order; an
/// input error names the operation for which none is left, as this algorithm never waits for one.
llvm::Expected<Schedule> scheduleAsap(const Problem &problem);

/// Cycle by cycle, the operation with the longest way to the end first, not pipelined. Operations
/// wait for instances. Near-linear in operations and dependences, times the kinds of operations
/// (resources and cycles for which they are taken) that wait for the same resource.
llvm::Expected<Schedule> scheduleList(const Problem &problem);

/// Not pipelined, of the depth of list scheduling and with its order of operations on every
/// instance: then all conditions are differences between starts, and the least sum of cycles that
/// values wait in registers is found exactly (Cong & Zhang 2006).
llvm::Expected<Schedule> scheduleSdc(const Problem &problem);

struct ModuloOptions {
  unsigned smallestInterval = 1; // none smaller is tried
  /// Placements per operation before an interval is given up (Rau 1994 takes 6).
  unsigned placementsPerOperation = 10;
  /// Steps of each of the short exact searches: for an interval that this gave up, for smaller
  /// depths.
  unsigned searchSteps = 2000;
  /// After which the best that is known is taken, at the latest that without overlap.
  Deadline deadline = {};
};

/// Iterative modulo scheduling (Rau 1994) from the bounds upwards: operations with the longest way
/// to the end first; one that finds no place drives others out. Where that fails, a short exact
/// search; another one for the depth, then shorter lifetimes. At the latest the interval in which
/// iterations do not overlap succeeds.
llvm::Expected<Schedule> scheduleModulo(const Problem &problem, const ModuloOptions &options = {});

} // namespace spindle::hls
