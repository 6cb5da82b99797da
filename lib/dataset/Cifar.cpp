// The binary layout of CIFAR-10: per image one byte for the class, then 32 × 32 bytes of red, of
// green, of blue.
#include "core/support/files/Archive.h"
#include "core/support/files/ByteStream.h"
#include "core/support/files/File.h"
#include "lib/dataset/Formats.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <filesystem>

namespace spindle {

static constexpr size_t imageBytes = 3 * 32 * 32, recordBytes = 1 + imageBytes;

/// Whether a file of an archive is `name`, with or without the folders before it.
static bool isNamed(llvm::StringRef member, const std::string &name) {
  return member == name || member.ends_with("/" + name);
}

static llvm::Error checkOne(const std::string &archive, const std::string &name, size_t found) {
  if (found == 1)
    return llvm::Error::success();
  return inputError(
      archive, fmt::format("holds {} files '{}', expected one; name it by images", found, name));
}

static llvm::Error checkBytes(const std::string &file, uint64_t bytes) {
  if (bytes != 0 && bytes % recordBytes == 0)
    return llvm::Error::success();
  return inputError(file, fmt::format("holds {} bytes, expected a multiple of {} (a class and a 32 "
                                      "by 32 image of three channels each)",
                                      bytes, recordBytes));
}

static llvm::Expected<std::string> readInside(const std::string &archive, const std::string &name) {
  SPINDLE_ASSIGN(
      std::vector<ArchiveMember> members,
      readArchive(archive, [&](llvm::StringRef member) { return isNamed(member, name); }));
  SPINDLE_RETURN_IF_ERROR(checkOne(archive, name, members.size()));
  return std::move(members[0].bytes);
}

/// The size that an archive states of its file.
static llvm::Expected<uint64_t> sizeInside(const std::string &archive, const std::string &name) {
  SPINDLE_ASSIGN(std::vector<ArchiveEntry> entries, listArchive(archive));
  llvm::erase_if(entries, [&](const ArchiveEntry &entry) { return !isNamed(entry.name, name); });
  SPINDLE_RETURN_IF_ERROR(checkOne(archive, name, entries.size()));
  return entries[0].size;
}

/// Packed files alone do not say what they hold.
llvm::Expected<Inspected> inspectCifar(const DatasetOptions &, const SampleSource &source,
                                       const PathResolver &paths) {
  bool isPlain = source.archive.empty();
  SPINDLE_ASSIGN(std::string file,
                 paths.find(isPlain ? source.images : source.archive, source.place));
  Inspected found{{file}, std::nullopt, {3, 32, 32}};
  uint64_t bytes = 0;
  if (isPlain) {
    SPINDLE_ASSIGN(ByteStream stream, ByteStream::open(file));
    char first;
    SPINDLE_ASSIGN(size_t read, stream.read(&first, 1));
    if (read == 1 && stream.isPacked())
      return found;
    std::error_code status;
    bytes = read == 0 ? 0 : std::filesystem::file_size(file, status);
  } else {
    SPINDLE_ASSIGN(bytes, sizeInside(file, source.images));
  }
  SPINDLE_RETURN_IF_ERROR(checkBytes(file, bytes));
  found.available = bytes / recordBytes;
  return found;
}

llvm::Expected<Samples> readCifar(const DatasetOptions &, const SampleSource &source,
                                  const PathResolver &paths) {
  bool isPlain = source.archive.empty();
  SPINDLE_ASSIGN(std::string file,
                 paths.find(isPlain ? source.images : source.archive, source.place));
  SPINDLE_ASSIGN(std::string bytes,
                 isPlain ? readMaybeGzip(file) : readInside(file, source.images));
  SPINDLE_RETURN_IF_ERROR(checkBytes(file, bytes.size()));
  Samples samples;
  samples.shape = {3, 32, 32};
  size_t count = wanted(source, bytes.size() / recordBytes);
  for (size_t i = 0; i < count; ++i) {
    auto record = reinterpret_cast<const uint8_t *>(bytes.data() + i * recordBytes);
    if (record[0] > 9)
      return inputError(file,
                        fmt::format("image {} has the class {}, expected 0 to 9", i, record[0]));
    samples.labels.push_back(record[0]);
    samples.values.insert(samples.values.end(), record + 1, record + recordBytes);
  }
  return samples;
}

} // namespace spindle
