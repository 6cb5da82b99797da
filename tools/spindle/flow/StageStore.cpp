#include "tools/spindle/flow/StageStore.h"

#include "core/support/files/FileHash.h"
#include "core/support/formats/Json.h"

#include <filesystem>

namespace spindle {

namespace fs = std::filesystem;

/// A result has its files and their hashes; a part becomes a result by its name.
static constexpr const char *kResult = "result", *kPart = "part", *kFiles = "files",
                            *kHashes = "hashes.json";

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

/// Whether the result is there with all its files, and they hold what was put into them.
static bool isWhole(const fs::path &result) {
  std::error_code absent;
  if (!fs::exists(result / kHashes, absent))
    return false;
  llvm::Expected<Json> hashes = readJson(result / kHashes);
  if (!hashes) {
    llvm::consumeError(hashes.takeError());
    return false;
  }
  if (hashes->empty())
    return false;
  FolderHashes files(result / kFiles);
  for (const auto &[name, hash] : hashes->items()) {
    llvm::Expected<std::string> now = files.of(name);
    if (!now) {
      llvm::consumeError(now.takeError());
      return false;
    }
    if (now->empty() || Json(*now) != hash)
      return false;
  }
  return true;
}

StageStore::Place::Place(std::string where, FolderLock held)
    : path(std::move(where)), lock(std::move(held)), filled(isWhole(fs::path(path) / kResult)) {}

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

llvm::Error StageStore::Place::copyTo(const std::string &target) const {
  fs::path whole = fs::path(path) / kResult / kFiles;
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

llvm::Error StageStore::Place::fill(const std::string &source, const FileHashes &files) {
  fs::path part = fs::path(path) / kPart, result = fs::path(path) / kResult;
  std::error_code status;
  fs::remove_all(part, status); // of a process that was killed
  fs::create_directories(part / kFiles, status);
  Json hashes = Json::object();
  for (const auto &[name, hash] : files) {
    if (!status)
      status = linkFile(fs::path(source) / name, part / kFiles / name);
    hashes[name] = hash;
  }
  if (status)
    return cannotWrite(path, status);
  SPINDLE_RETURN_IF_ERROR(writeJson(part / kHashes, hashes));
  fs::remove_all(result, status);
  if (!status)
    fs::rename(part, result, status);
  filled = !status;
  return status ? cannotWrite(path, status) : llvm::Error::success();
}

} // namespace spindle
