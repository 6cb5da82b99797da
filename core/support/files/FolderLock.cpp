#include "core/support/files/FolderLock.h"

#include "fmt/format.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace spindle {

llvm::Error makeFolder(const std::string &folder) {
  std::error_code status;
  std::filesystem::create_directories(folder, status);
  if (status)
    return inputError(folder, "cannot make this folder: " + status.message());
  return llvm::Error::success();
}

static llvm::Expected<int> openFolder(const std::string &folder) {
  int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return inputError(folder, fmt::format("cannot open this folder: {}", std::strerror(errno)));
  return descriptor;
}

llvm::Expected<std::optional<FolderLock>> FolderLock::tryTake(const std::string &folder) {
  SPINDLE_ASSIGN(int descriptor, openFolder(folder));
  FolderLock lock(descriptor);
  // File systems without such locks (some of networks) answer otherwise: there it is up to the
  // user.
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return std::nullopt;
  return std::optional<FolderLock>(std::move(lock));
}

llvm::Expected<FolderLock> FolderLock::take(const std::string &folder) {
  SPINDLE_ASSIGN(std::optional<FolderLock> lock, tryTake(folder));
  if (!lock)
    return inputError(folder, "another spindle works in this folder; wait for its end or choose "
                              "another folder");
  return std::move(*lock);
}

llvm::Expected<FolderLock> FolderLock::wait(const std::string &folder) {
  SPINDLE_ASSIGN(int descriptor, openFolder(folder));
  FolderLock lock(descriptor);
  while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
  }
  return lock;
}

FolderLock::FolderLock(FolderLock &&other) noexcept
    : descriptor(std::exchange(other.descriptor, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor >= 0)
    close(descriptor);
}

} // namespace spindle
