// A file read from front to back, so that it need not fit into memory.
#pragma once

#include "core/support/Error.h"

#include <memory>
#include <string>

namespace spindle {

class ByteStream {
public:
  /// Unpacks what starts with the gzip magic number.
  static llvm::Expected<ByteStream> open(const std::string &path);

  /// Reads `count` bytes; fewer only where the file ends. Errors: gzip data that is damaged or cut
  /// off.
  llvm::Expected<size_t> read(char *bytes, size_t count);

  /// Goes on from `position`, in unpacked bytes. What lies before is unpacked again where the file
  /// is packed.
  llvm::Error seek(uint64_t position);

  const std::string &fileName() const { return path; }
  /// Whether the file is unpacked while it is read.
  bool isPacked() const;

private:
  struct Close {
    void operator()(void *file) const;
  };
  ByteStream(std::string name, void *opened) : path(std::move(name)), file(opened) {}

  std::string path;
  std::unique_ptr<void, Close> file;
  uint64_t place = 0;
};

} // namespace spindle
