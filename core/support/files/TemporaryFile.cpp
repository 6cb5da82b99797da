#include "core/support/files/TemporaryFile.h"

#include "fmt/format.h"

#include <filesystem>
#include <random>

namespace spindle {

namespace fs = std::filesystem;

std::string temporaryName(const std::string &path) {
  static const char kCharacters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::random_device random; // of the system: not to be guessed, and different in every process
  std::string own;
  for (size_t i = 0; i < 10; ++i)
    own += kCharacters[random() % (sizeof(kCharacters) - 1)];
  fs::path whole(path);
  return (whole.parent_path() /
          fmt::format(".{}.{}.part", whole.filename().string().substr(0, 200), own))
      .string();
}

llvm::Error TemporaryFile::keep() {
  if (std::error_code status = part.keepAs(target))
    return inputError(target, "cannot write: " + status.message());
  return llvm::Error::success();
}

} // namespace spindle
