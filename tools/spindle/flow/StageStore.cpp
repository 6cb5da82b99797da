#include "tools/spindle/flow/StageStore.h"

#include "core/support/files/FileHash.h"

#include <filesystem>

namespace spindle {

namespace fs = std::filesystem;

static constexpr const char *kWhole = "files", *kPart = "part";

/// A second name of a file, or a copy where there are none.
static std::error_code linkFile(const fs::path &from, const fs::path &to) {
  std::error_code status;
  fs::create_directories(to.parent_path(), status);
  if (!status)
    fs::create_hard_link(from, to, status);
  if (status)
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, status);
  return status;
}

static llvm::Error cannotWrite(const fs::path &path, const std::error_code &status) {
  return inputError(path.string(), "cannot write: " + status.message());
}

llvm::Expected<StageStore::Place> StageStore::hold(const std::string &stage,
                                                   const StageOrigin &origin) const {
  Json key = {{"stage", stage},
              {"program", origin.program},
              {"settings", origin.settings},
              {"sources", origin.sources},
              {"inputs", origin.inputs}};
  std::string path = folder + "/" + stage + "-" + hashText(jsonText(key)).substr(0, 16);
  SPINDLE_RETURN_IF_ERROR(makeFolder(path));
  SPINDLE_ASSIGN(FolderLock lock, FolderLock::wait(path));
  return Place(std::move(path), std::move(lock));
}

bool StageStore::Place::isFilled() const {
  std::error_code absent;
  return fs::is_directory(fs::path(path) / kWhole, absent);
}

llvm::Error StageStore::Place::copyTo(const std::string &target) const {
  fs::path whole = fs::path(path) / kWhole;
  std::error_code status;
  for (fs::recursive_directory_iterator at(whole, status), end; !status && at != end;
       at.increment(status)) {
    if (!at->is_regular_file(status))
      continue;
    fs::path to = fs::path(target) / at->path().lexically_relative(whole);
    if (std::error_code failed = linkFile(at->path(), to))
      return cannotWrite(to, failed);
  }
  return status ? cannotWrite(whole, status) : llvm::Error::success();
}

llvm::Error StageStore::Place::fill(const std::string &source, const FileHashes &names) const {
  fs::path part = fs::path(path) / kPart;
  std::error_code status;
  fs::remove_all(part, status); // of a process that was killed
  fs::create_directory(part, status);
  for (const auto &[name, hash] : names)
    if (!status)
      status = linkFile(fs::path(source) / name, part / name);
  if (!status)
    fs::rename(part, fs::path(path) / kWhole, status);
  return status ? cannotWrite(path, status) : llvm::Error::success();
}

} // namespace spindle
