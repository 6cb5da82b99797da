#include "lib/dataset/IdxFile.h"

#include "fmt/format.h"

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
  std::vector<char> bytes(1 << 16);
  SPINDLE_ASSIGN(size_t found, stream.read(bytes.data(), header));
  if (found < header)
    return inputError(path,
                      fmt::format("holds {} bytes, too short for an IDX file of {}", found, what));
  if (uint32_t number = bigEndian(bytes.data()); number != magic)
    return inputError(path, fmt::format("magic number 0x{:08x}, expected 0x{:08x} ({} of unsigned "
                                        "bytes in the IDX format)",
                                        number, magic, what));
  IdxFile file(std::move(stream), header);
  uint64_t elements = 1, present = 0;
  for (size_t d = 0; d < rank; ++d) {
    file.extents.push_back(bigEndian(bytes.data() + 4 + 4 * d));
    if (d > 0 && (file.extents[d] == 0 || file.extents[d] > kLargestExtent))
      return inputError(path, fmt::format("images of {} pixels a side, expected 1 to {}",
                                          file.extents[d], kLargestExtent));
    elements *= file.extents[d];
  }
  while (found > 0) {
    SPINDLE_ASSIGN(found, file.stream.read(bytes.data(), bytes.size()));
    present += found;
  }
  if (present != elements)
    return inputError(path,
                      fmt::format("holds {} bytes of {}, its header says {}: it is cut off or "
                                  "damaged",
                                  present, what, elements));
  SPINDLE_RETURN_IF_ERROR(file.seek(0));
  return file;
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
