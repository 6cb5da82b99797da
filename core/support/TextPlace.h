// Where something stands in a text file, and whether it is text at all.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace spindle {

/// `path:line:column` of the byte at `offset`, both counted from one.
std::string textPlace(const std::string &path, llvm::StringRef text, size_t offset);

/// The offset of the first byte that is not part of a character in UTF-8; npos where all are.
size_t findNotUtf8(llvm::StringRef text);

/// `text` in one line of at most `most` bytes for an error message: control characters and what is
/// not UTF-8 are replaced, and what is cut off is an ellipsis.
std::string excerpt(llvm::StringRef text, size_t most = 80);

} // namespace spindle
