#include "core/support/files/TemporaryFile.h"

#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"

#include <filesystem>
#include <random>

namespace spindle {

namespace fs = std::filesystem;

static const char kCharacters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
static constexpr size_t kOwn = 10; // characters that nobody can guess

std::string temporaryName(const std::string &path) {
  std::random_device random; // of the system: not to be guessed, and different in every process
  std::string own;
  for (size_t i = 0; i < kOwn; ++i)
    own += kCharacters[random() % (sizeof(kCharacters) - 1)];
  fs::path whole(path);
  return (whole.parent_path() /
          fmt::format(".{}.{}.part", whole.filename().string().substr(0, 200), own))
      .string();
}

bool isTemporaryName(const std::string &name) {
  llvm::StringRef rest = name;
  if (!rest.consume_front(".") || !rest.consume_back(".part"))
    return false;
  auto [whole, own] = rest.rsplit('.');
  return !whole.empty() && own.size() == kOwn &&
         own.find_first_not_of(kCharacters) == llvm::StringRef::npos;
}

llvm::Error TemporaryFile::keep() {
  if (std::error_code status = part.keepAs(target))
    return inputError(target, "cannot write: " + status.message());
  return llvm::Error::success();
}

} // namespace spindle
