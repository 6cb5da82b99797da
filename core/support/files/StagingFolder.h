// Where results wait until all of them are there.
#pragma once

#include "core/support/Error.h"

#include <string>

namespace spindle {

/// A new folder inside another one, `.spindle-unfinished-a1B2c3`, removed with all that is in it.
class StagingFolder {
public:
  /// The error says that the parent cannot be written.
  static llvm::Expected<StagingFolder> create(const std::string &parent);
  StagingFolder(StagingFolder &&other) noexcept;
  StagingFolder &operator=(StagingFolder &&other) = delete;
  ~StagingFolder();

  const std::string &path() const { return name; }
  /// The error with the folder that the results are for in the place of this one.
  llvm::Error inParent(llvm::Error error) const;

  /// Removes those that a killed process has left in `parent`, which the caller has locked.
  static void removeLeftOver(const std::string &parent);

private:
  StagingFolder(std::string above, std::string folder)
      : parent(std::move(above)), name(std::move(folder)) {}
  std::string parent, name; // empty when moved from
};

} // namespace spindle
