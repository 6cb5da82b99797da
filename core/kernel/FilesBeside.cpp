#include "core/kernel/FilesBeside.h"

#include "core/support/TextPlace.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <filesystem>

namespace spindle {

namespace fs = std::filesystem;

static bool isPlainName(llvm::StringRef name) {
  auto isPlain = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-'; };
  llvm::SmallVector<llvm::StringRef> parts;
  name.split(parts, '/');
  return llvm::all_of(parts, [&](llvm::StringRef part) {
    return !part.empty() && part != "." && part != ".." && part[0] != '-' &&
           llvm::all_of(part, isPlain);
  });
}

/// Whether the file, where it is there, lies below the folder when all links are followed.
static bool staysBelow(const fs::path &folder, const std::string &name) {
  std::error_code status;
  fs::path root = fs::weakly_canonical(folder, status);
  fs::path file = status ? fs::path() : fs::weakly_canonical(folder / name, status);
  return !status &&
         std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first == root.end();
}

llvm::Error checkFilesBeside(const std::string &path, const std::vector<std::string> &names,
                             const std::vector<std::string> &endings) {
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty())
    folder = ".";
  for (const std::string &name : names) {
    if (!isPlainName(name))
      return inputError(path, fmt::format("names the file '{}', expected one in its folder, in "
                                          "letters, digits and _ . - /",
                                          excerpt(name)));
    bool isKind = llvm::any_of(
        endings, [&](const std::string &end) { return llvm::StringRef(name).ends_with(end); });
    if (!endings.empty() && !isKind)
      return inputError(path, fmt::format("names the file '{}', expected one that ends in {}", name,
                                          fmt::join(endings, " or ")));
    if (!staysBelow(folder, name))
      return inputError(path, fmt::format("names the file '{}', a link out of its folder: put the "
                                          "file itself there",
                                          name));
  }
  return llvm::Error::success();
}

} // namespace spindle
