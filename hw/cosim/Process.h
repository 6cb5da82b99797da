// Programs that the co-simulation calls: Verilator, make, the test bench.
#pragma once

#include "core/support/Error.h"

#include <string>
#include <vector>

namespace spindle::hls {

/// The path of a program; the error names the Debian package that has it.
llvm::Expected<std::string> findProgram(const std::string &name, const std::string &package);

/// Runs `words` in `folder`; what they print goes to the file `log`. Where they fail, the error
/// holds the first lines of the log that speak of errors.
llvm::Error runProgram(const std::vector<std::string> &words, const std::string &folder,
                       const std::string &log);

} // namespace spindle::hls
