#include "core/support/files/TemporaryFile.h"

#include "fmt/format.h"

#include <filesystem>
#include <random>
#include <utility>

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

TemporaryFile::TemporaryFile(TemporaryFile &&other) noexcept
    : target(std::move(other.target)), name(std::exchange(other.name, "")) {}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  if (!name.empty())
    fs::remove(name, ignored);
}

llvm::Error TemporaryFile::keep() {
  std::error_code status;
  fs::rename(name, target, status);
  if (status)
    return inputError(target, "cannot write: " + status.message());
  name.clear();
  return llvm::Error::success();
}

} // namespace spindle
