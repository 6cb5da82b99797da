// Where results wait until all of them are there.
#pragma once

#include "core/support/Error.h"
#include "core/support/files/Unfinished.h"

#include <string>

namespace spindle {

/// A new folder inside another one, `.spindle-unfinished-a1B2c3`, removed with all that is in it
/// when this goes or the user interrupts the process.
class StagingFolder {
public:
  /// The error says that the parent cannot be written.
  static llvm::Expected<StagingFolder> create(const std::string &parent);

  const std::string &path() const { return folder.path(); }
  /// The error with the folder that the results are for in place of this one.
  llvm::Error inParent(llvm::Error error) const;

  /// Removes those that a killed process has left in `parent`, which the caller has locked, and
  /// temporary files.
  static void removeLeftOver(const std::string &parent);

private:
  StagingFolder(std::string above, Unfinished made)
      : parent(std::move(above)), folder(std::move(made)) {}
  std::string parent;
  Unfinished folder;
};

} // namespace spindle
