// Files that a file from elsewhere names: beside it, and nowhere else.
#pragma once

#include "core/support/Error.h"

#include <string>
#include <vector>

namespace spindle {

/// Errors at `path`, the file that names them: names with other characters than letters, digits and
/// `_ . - /`, of which tools make commands and options; absolute ones; ones with `..`; links that
/// lead out of the folder. `endings` are those allowed, any where there are none.
llvm::Error checkFilesBeside(const std::string &path, const std::vector<std::string> &names,
                             const std::vector<std::string> &endings = {});

/// Those of SystemVerilog sources.
inline const std::vector<std::string> kVerilogEndings = {".sv", ".v"};

} // namespace spindle
