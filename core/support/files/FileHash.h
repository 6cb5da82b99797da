// What tells one state of a file from another.
#pragma once

#include "core/support/Error.h"

#include <string>

namespace spindle {

/// BLAKE3 of a file's bytes, 64 hexadecimal digits. The file is read in pieces.
llvm::Expected<std::string> hashFile(const std::string &path);

/// The same of a text.
std::string hashText(const std::string &text);

} // namespace spindle
