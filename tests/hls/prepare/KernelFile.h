// Kernels of tests in files: several in one, divided by `// -----`, each with comments that say how
// it is prepared and what is expected.
#pragma once

#include "hw/hls/prepare/Prepare.h"

#include <string>
#include <vector>

namespace spindle::hls {

/// One kernel of a file. Its comments: `// top: NAME`, `// bind: 0=20`, `// expect: TEXT` (in the
/// prepared module, may stand several times), `// absent: TEXT`, `// error: LINE:COLUMN: error:
/// TEXT`.
struct KernelCase {
  std::string text, error;
  PrepareOptions options;
  std::vector<std::string> expected, absent;
  size_t line = 1; // of its start in the file
};

std::vector<KernelCase> readKernelCases(const std::string &path);

/// The .mlir files of a folder, sorted.
std::vector<std::string> kernelFiles(const std::string &folder);

} // namespace spindle::hls
