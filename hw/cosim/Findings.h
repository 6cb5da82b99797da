// What a co-simulation found, in words.
#pragma once

#include "hw/cosim/Plan.h"

namespace spindle::hls {

/// A problem, and the cycle of the clock where it shows.
struct Finding {
  std::string text;
  uint64_t cycle = 0;
};

/// Compares every run that came to its end; also fills the numbers of the result.
std::vector<Finding> compareRuns(const Circuit &circuit, const Plan &plan, const Response &response,
                                 const CosimOptions &options, CosimResult &result);

} // namespace spindle::hls
