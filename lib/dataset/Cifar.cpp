// The binary layout of CIFAR-10: per image one byte for the class, then 32 × 32 bytes of red, of
// green, of blue.
#include "lib/dataset/Formats.h"
#include "lib/support/Archive.h"
#include "lib/support/File.h"

#include "fmt/format.h"

namespace spindle {

static constexpr size_t imageBytes = 3 * 32 * 32, recordBytes = 1 + imageBytes;

/// `name` of an archive, with or without the folders before it.
static llvm::Expected<std::string> readInside(const std::string &archive, const std::string &name) {
  SPINDLE_ASSIGN(std::vector<ArchiveMember> members,
                 readArchive(archive, [&](llvm::StringRef member) {
                   return member == name || member.ends_with("/" + name);
                 }));
  if (members.size() != 1)
    return inputError(archive, fmt::format("holds {} files '{}', expected one; name it by images",
                                           members.size(), name));
  return std::move(members[0].bytes);
}

llvm::Expected<Samples> readCifar(const DatasetOptions &, const SampleSource &source,
                                  const PathResolver &paths) {
  bool isPlain = source.archive.empty();
  SPINDLE_ASSIGN(std::string file,
                 paths.find(isPlain ? source.images : source.archive, source.place));
  SPINDLE_ASSIGN(std::string bytes,
                 isPlain ? readMaybeGzip(file) : readInside(file, source.images));
  if (bytes.empty() || bytes.size() % recordBytes != 0)
    return inputError(file,
                      fmt::format("holds {} bytes, expected a multiple of {} (a class and a 32 by "
                                  "32 image of three channels each)",
                                  bytes.size(), recordBytes));
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
