// One file of the IDX format of MNIST: a big-endian header (magic number, extents), then unsigned
// bytes. Private to this folder.
#pragma once

#include "core/support/files/ByteStream.h"

#include <vector>

namespace spindle {

class IdxFile {
public:
  static constexpr uint32_t kImages = 0x803, kLabels = 0x801; // unsigned byte, rank 3 and 1

  /// Reads the header, and compares it with the size of the file as far as that tells: packed files
  /// only have to be large enough.
  static llvm::Expected<IdxFile> open(const std::string &path, uint32_t magic);

  /// Reads the whole file once, so that later no part of it is missing; not past what the header
  /// says.
  llvm::Error checkAll();

  const std::string &fileName() const { return stream.fileName(); }
  size_t items() const { return extents[0]; }
  size_t itemSize() const; // in bytes
  const std::vector<uint32_t> &shape() const { return extents; }

  /// The next items, from the first one on.
  llvm::Error read(size_t count, uint8_t *bytes);
  /// The next item is this one. Fast only forwards.
  llvm::Error seek(size_t item);

private:
  IdxFile(ByteStream opened, size_t header) : stream(std::move(opened)), start(header) {}

  const char *what() const { return extents.size() > 1 ? "images" : "labels"; }
  uint64_t elements() const { return uint64_t{items()} * itemSize(); }
  llvm::Error checkFileSize() const;
  llvm::Error damaged(const std::string &present) const;

  ByteStream stream;
  size_t start; // of the first item
  std::vector<uint32_t> extents;
};

} // namespace spindle
