#include "core/support/files/StagingFolder.h"

#include "core/support/files/TemporaryFile.h"

#include "fmt/format.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace spindle {

namespace fs = std::filesystem;

static constexpr llvm::StringLiteral kStagingPrefix = ".spindle-unfinished-";

llvm::Expected<StagingFolder> StagingFolder::create(const std::string &parent) {
  Uninterrupted making;
  std::string name = fmt::format("{}/{}XXXXXX", parent, kStagingPrefix.str());
  if (!mkdtemp(name.data()))
    return inputError(parent, fmt::format("cannot write into this folder: {}; choose another one",
                                          std::strerror(errno)));
  return StagingFolder(parent, Unfinished(name));
}

llvm::Error StagingFolder::inParent(llvm::Error error) const {
  return llvm::handleErrors(std::move(error), [&](std::unique_ptr<SpindleError> each) {
    for (std::string *text : {&each->place, &each->message})
      for (size_t at; (at = text->find(path())) != std::string::npos;)
        text->replace(at, path().size(), parent);
    return llvm::Error(std::move(each));
  });
}

void StagingFolder::removeLeftOver(const std::string &parent) {
  std::error_code ignored;
  for (const fs::directory_entry &entry : fs::directory_iterator(parent, ignored)) {
    std::string name = entry.path().filename().string();
    if (name.size() == kStagingPrefix.size() + 6 &&
        llvm::StringRef(name).starts_with(kStagingPrefix) &&
        fs::is_directory(entry.symlink_status(ignored)))
      fs::remove_all(entry.path(), ignored);
    else if (isTemporaryName(name) && fs::is_regular_file(entry.symlink_status(ignored)))
      fs::remove(entry.path(), ignored);
  }
}

} // namespace spindle
