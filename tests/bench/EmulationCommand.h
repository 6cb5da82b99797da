// `spindle_bench emulation`: workloads × engines as a table on the terminal and as CSV.
#pragma once

#include "core/support/Error.h"

#include <vector>

namespace spindle::bench {

struct EmulationBenchOptions {
  std::vector<std::string> workloads; // names; none: all but those for tests
  bool peers = false;
  bool lanes = false;       // our engine by lanes, too
  int64_t runs = 5;         // the fastest one counts
  std::string csvPath;      // columns workload, engine, seconds, events_per_second, bound_seconds
  std::string exportFolder; // writes the files of the peers there and runs nothing
};

/// Errors: a workload that is none, a file that cannot be written, a peer that fails or whose
/// populations spike otherwise than ours.
llvm::Error benchEmulation(const EmulationBenchOptions &options);

} // namespace spindle::bench
