// `spindle_bench scale`: large networks from the import to the mapping (scale-table.py).
#pragma once

#include "core/support/Error.h"

#include <string>
#include <vector>

namespace spindle::bench {

struct ScaleBenchOptions {
  std::vector<std::string> networks;
  std::string folder = "out/bench-scale";
  std::string csvPath;
};

/// By the Python of SPINDLE_PYTHON, else /usr/bin/python3. Errors: a Python without NumPy, what the
/// script refuses, a stage that fails.
llvm::Error benchScale(const ScaleBenchOptions &options);

} // namespace spindle::bench
