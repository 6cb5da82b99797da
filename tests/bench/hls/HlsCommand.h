// `spindle_bench hls`: kernels through synthesis and co-simulation beside published cycles.
#pragma once

#include "core/support/Error.h"

#include <string>
#include <vector>

namespace spindle::bench {

struct HlsBenchOptions {
  std::vector<std::string> sets, kernels; // names; none: all
  std::string folder = "out/bench-hls";   // one folder per set and kernel is left there
  bool area = false;                      // LUT, FF, DSP, BRAM, too; takes long
  std::string csvPath;
};

/// Errors: a set or a kernel that is none, a file that cannot be written; after the table, kernels
/// that failed.
llvm::Error benchHls(const HlsBenchOptions &options);

} // namespace spindle::bench
