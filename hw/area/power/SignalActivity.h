// How often the signals of a simulated circuit change.
#pragma once

#include "core/support/Error.h"

#include <cstdint>
#include <map>
#include <string>

namespace spindle::hls {

/// Of one bit.
struct Activity {
  uint64_t changes = 0; // from one clock cycle to the next
  uint64_t high = 0;    // cycles in which it is 1
  bool operator==(const Activity &) const = default;
};

struct SignalActivity {
  uint64_t cycles = 0; // that were seen
  /// By path and bit: `top.part.sum[3]`; of a signal of one bit `top.part.carry`.
  std::map<std::string, Activity> signals;
};

/// From a waveform (VCD, IEEE 1364) whose even moments are the settled values of a cycle and whose
/// odd ones are those behind the clock edge, which are not looked at: what a signal does between
/// two edges is one change at most. Errors: a file that is none.
llvm::Expected<SignalActivity> readActivity(const std::string &path);

} // namespace spindle::hls
