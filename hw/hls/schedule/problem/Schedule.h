// The answer: start cycles, places inside the cycle, instances.
#pragma once

#include "hw/hls/schedule/problem/Problem.h"

namespace spindle::hls {

struct Schedule {
  unsigned interval = 0;                       // initiation interval; 0: not pipelined
  std::vector<unsigned> start;                 // cycle of every operation
  std::vector<double> offsetNs;                // inside its cycle, when the inputs are there
  std::vector<std::vector<unsigned>> instance; // per use

  /// Cycles of one iteration, from its first cycle to the last result. Without pipelining the next
  /// iteration starts this many cycles later.
  unsigned depth(const Problem &problem) const;

  bool operator==(const Schedule &) const = default;
};

/// Delays up to this much too long count as rounding.
constexpr double delayToleranceNs = 1e-6;

/// When the inputs of every operation are there, within its cycle: longest chains of delays through
/// dependences that carry a value and whose ends meet in one cycle. Values of an earlier cycle come
/// from registers, at 0. Without pipelining, values between iterations come from registers, too.
std::vector<double> chainOffsets(const Problem &problem, const std::vector<unsigned> &start,
                                 unsigned interval);

/// The first fault of a schedule for a valid problem, or nothing: sizes, dependences, chains of
/// delays within the clock period, offsets not too early, instances in range and never taken twice.
/// A reservation is periodic: an operation occupies its instance in (start + i) mod interval, i <
/// busy.
std::optional<std::string> faultOf(const Problem &problem, const Schedule &schedule);

/// The same as a check error at `schedule of 'name'`.
llvm::Error verify(const Problem &problem, const Schedule &schedule);

} // namespace spindle::hls
