// A file under a name of its own, which stands in for a result until it is whole.
#pragma once

#include "core/support/Error.h"
#include "core/support/files/Unfinished.h"

#include <string>

namespace spindle {

/// A name beside `path` that nobody can guess and that tells whose it is:
/// `.30-spikes.h5.k3q9x0w1c7.part`. Whoever makes the file does so exclusively (O_EXCL), so that a
/// link which waits there is an error and not a way out of the folder.
std::string temporaryName(const std::string &path);

/// Whether a file name looks as `temporaryName` makes them.
bool isTemporaryName(const std::string &name);

/// Removes the file when it goes, unless it was kept.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &path) : target(path), part(temporaryName(path)) {}

  const std::string &path() const { return part.path(); }
  /// Gives the file its real name, in place of what had it.
  llvm::Error keep();

private:
  std::string target;
  Unfinished part;
};

} // namespace spindle
