// Whole files, in and out.
#pragma once

#include "core/support/Error.h"

#include <cstdint>
#include <iosfwd>
#include <string>

namespace spindle {

/// What every file of ours begins with; a reader refuses other names and versions.
struct FileFormat {
  const char *name;
  int64_t version;
};

/// Whether there is a file, a folder or what a link leads to; not where it leads in a circle or
/// what is above it may not be looked into.
bool isThere(const std::string &path);

/// The error of what is there and no regular file: folders, pipes, which would be waited for, and
/// devices, which may never end.
llvm::Error checkIsFile(const std::string &path);

/// A file to be read from its beginning. Errors: it is no regular file, or cannot be opened.
llvm::Expected<std::ifstream> openFile(const std::string &path);

/// The bytes of a file.
llvm::Expected<std::string> readFile(const std::string &path);

/// The bytes of a file, unpacked when they start with the gzip magic number, as far as
/// UnpackedLimit.h allows.
llvm::Expected<std::string> readMaybeGzip(const std::string &path);

/// Writes to a temporary name beside `path`, then renames: readers see the old file or the new one.
/// What is no file, such as /dev/null or a pipe that somebody reads, is written into.
llvm::Error writeFile(const std::string &path, const std::string &bytes);

} // namespace spindle
