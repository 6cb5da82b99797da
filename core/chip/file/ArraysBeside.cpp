#include "core/chip/file/ArraysBeside.h"

#include "core/support/files/File.h"
#include "core/support/files/FileHash.h"
#include "core/support/files/UnpackedLimit.h"

#include "fmt/ranges.h"

#include <filesystem>

namespace spindle {

std::string arraysPath(const std::string &jsonPath) {
  return std::filesystem::path(jsonPath).replace_extension(".h5").string();
}

llvm::Error writeArrays(const std::string &path, uint64_t values,
                        llvm::function_ref<llvm::Error(Hdf5Writer &)> write) {
  for (Hdf5Packing packing : {Hdf5Packing::Deflate, Hdf5Packing::None}) {
    SPINDLE_ASSIGN(Hdf5Writer file, Hdf5Writer::create(path, packing));
    SPINDLE_RETURN_IF_ERROR(write(file));
    SPINDLE_RETURN_IF_ERROR(file.close());
    std::error_code error;
    uint64_t bytes = std::filesystem::file_size(path, error);
    if (error)
      return inputError(path, "cannot find its size: " + error.message());
    if (values <= unpackedLimit(bytes))
      break;
  }
  return llvm::Error::success();
}

static std::string nameOf(const std::string &path) {
  return std::filesystem::path(path).filename().string();
}

llvm::Expected<ArraysOf> ArraysOf::written(const std::string &jsonPath) {
  ArraysOf arrays;
  arrays.name = nameOf(arraysPath(jsonPath));
  SPINDLE_ASSIGN(arrays.hash, hashFile(arraysPath(jsonPath)));
  return arrays;
}

Json ArraysOf::toJson() const { return {{"file", name}, {"hash", hash}}; }

void ArraysOf::readFrom(const Json &json) {
  name = textAt(json, "file");
  hash = textAt(json, "hash");
}

llvm::Expected<ArraysReader> ArraysOf::open(const std::string &jsonPath) const {
  std::string path = arraysPath(jsonPath);
  if (name != nameOf(path))
    return inputError(jsonPath, fmt::format("arrays.file is '{}', expected '{}', the file beside "
                                            "this one",
                                            name, nameOf(path)));
  if (!isThere(path))
    return inputError(path, fmt::format("is not there, and {} has its lists in it; keep both files "
                                        "together, or run the stage that writes them again",
                                        nameOf(jsonPath)));
  SPINDLE_ASSIGN(std::string now, hashFile(path));
  if (now != hash)
    return inputError(path, fmt::format("not what was written together with {}; run the stage that "
                                        "writes both again",
                                        nameOf(jsonPath)));
  SPINDLE_ASSIGN(Hdf5Reader file, Hdf5Reader::open(path));
  return ArraysReader(std::move(file));
}

llvm::Error ArraysReader::checkEntries(const char *name, uint64_t entries, const char *like) const {
  SPINDLE_ASSIGN(std::vector<uint64_t> extents, file.shape(name));
  if (extents == std::vector<uint64_t>{entries})
    return llvm::Error::success();
  return refuse(fmt::format("data set '{}' has the extents [{}], expected [{}], as many as {}; run "
                            "the stage that writes it again",
                            name, fmt::join(extents, ", "), entries, like));
}

} // namespace spindle
