#include "lib/dataset/IdxFile.h"

#include "core/support/files/UnpackedLimit.h"

#include "fmt/format.h"

#include <algorithm>
#include <filesystem>

namespace spindle {

static constexpr uint64_t kLargestExtent = 1 << 14; // products of damaged extents fit 64 bits

static uint32_t bigEndian(const char *bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

llvm::Expected<IdxFile> IdxFile::open(const std::string &path, uint32_t magic) {
  SPINDLE_ASSIGN(ByteStream stream, ByteStream::open(path));
  const char *what = magic == kImages ? "images" : "labels";
  size_t rank = magic & 0xff, header = 4 + 4 * rank;
  std::vector<char> bytes(header);
  SPINDLE_ASSIGN(size_t found, stream.read(bytes.data(), header));
  if (found < header)
    return inputError(path,
                      fmt::format("holds {} bytes, too short for an IDX file of {}", found, what));
  if (uint32_t number = bigEndian(bytes.data()); number != magic)
    return inputError(path, fmt::format("magic number 0x{:08x}, expected 0x{:08x} ({} of unsigned "
                                        "bytes in the IDX format)",
                                        number, magic, what));
  IdxFile file(std::move(stream), header);
  for (size_t d = 0; d < rank; ++d) {
    file.extents.push_back(bigEndian(bytes.data() + 4 + 4 * d));
    if (d > 0 && (file.extents[d] == 0 || file.extents[d] > kLargestExtent))
      return inputError(path, fmt::format("images of {} pixels a side, expected 1 to {}",
                                          file.extents[d], kLargestExtent));
  }
  SPINDLE_RETURN_IF_ERROR(file.checkFileSize());
  return file;
}

llvm::Error IdxFile::damaged(const std::string &present) const {
  return inputError(fileName(), fmt::format("holds {} bytes of {}, its header says {}: it is cut "
                                            "off or damaged",
                                            present, what(), elements()));
}

llvm::Error IdxFile::checkFileSize() const {
  std::error_code status;
  uint64_t size = std::filesystem::file_size(fileName(), status);
  if (status) // no regular file
    return llvm::Error::success();
  if (!stream.isPacked())
    return size - start == elements() ? llvm::Error::success()
                                      : damaged(std::to_string(size - start));
  if (elements() <= unpackedLimit(size))
    return llvm::Error::success();
  return inputError(fileName(), fmt::format("its header says {} bytes of {}, expected at most {} "
                                            "in a packed file of {} bytes; unpack it (gunzip)",
                                            elements(), what(), unpackedLimit(size), size));
}

llvm::Error IdxFile::checkAll() {
  std::vector<char> bytes(1 << 16);
  uint64_t rest = elements() + 1; // one more, which must not be there
  while (rest > 0) {
    uint64_t wanted = std::min<uint64_t>(rest, bytes.size());
    SPINDLE_ASSIGN(size_t found, stream.read(bytes.data(), wanted));
    rest -= found;
    if (found < wanted)
      break;
  }
  if (rest == 0)
    return damaged("more");
  if (rest > 1)
    return damaged(std::to_string(elements() + 1 - rest));
  return seek(0);
}

size_t IdxFile::itemSize() const {
  size_t size = 1;
  for (size_t d = 1; d < extents.size(); ++d)
    size *= extents[d];
  return size;
}

llvm::Error IdxFile::read(size_t count, uint8_t *bytes) {
  size_t wanted = count * itemSize();
  SPINDLE_ASSIGN(size_t found, stream.read(reinterpret_cast<char *>(bytes), wanted));
  if (found < wanted)
    return inputError(fileName(), "has become shorter while it was read");
  return llvm::Error::success();
}

llvm::Error IdxFile::seek(size_t item) { return stream.seek(start + item * itemSize()); }

} // namespace spindle
