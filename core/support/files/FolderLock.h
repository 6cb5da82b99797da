// One process at a time works in a folder.
#pragma once

#include "core/support/Error.h"

#include <optional>
#include <string>

namespace spindle {

/// Holds a folder until it goes, or the process does. The system keeps the lock (flock), so none is
/// left behind by a crash, and no file is made for it.
class FolderLock {
public:
  /// Errors: the folder cannot be opened, or another process holds it.
  static llvm::Expected<FolderLock> take(const std::string &folder);
  /// The same, or nothing where another process holds it.
  static llvm::Expected<std::optional<FolderLock>> tryTake(const std::string &folder);
  /// The same, once nobody else holds it.
  static llvm::Expected<FolderLock> wait(const std::string &folder);
  FolderLock(FolderLock &&other) noexcept;
  FolderLock &operator=(FolderLock &&other) = delete;
  ~FolderLock();

private:
  explicit FolderLock(int opened) : descriptor(opened) {}
  int descriptor;
};

/// Makes the folder, with those above it, where it is not there. The error names it.
llvm::Error makeFolder(const std::string &folder);

} // namespace spindle
