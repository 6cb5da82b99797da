#include "core/support/files/ByteStream.h"

#include "core/support/files/File.h"

#include "fmt/format.h"
#include "zlib.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace spindle {

static gzFile handle(void *file) { return static_cast<gzFile>(file); }

void ByteStream::Close::operator()(void *opened) const { gzclose(handle(opened)); }

llvm::Expected<ByteStream> ByteStream::open(const std::string &path) {
  SPINDLE_RETURN_IF_ERROR(checkIsFile(path));
  errno = 0;
  gzFile file = gzopen(path.c_str(), "rb");
  if (!file)
    return inputError(path, fmt::format("cannot open: {}", std::strerror(errno)));
  gzbuffer(file, 1 << 16);
  return ByteStream(path, file);
}

bool ByteStream::isPacked() const { return gzdirect(handle(file.get())) == 0; }

llvm::Expected<size_t> ByteStream::read(char *bytes, size_t count) {
  size_t done = 0;
  while (done < count) {
    auto wanted = static_cast<unsigned>(std::min<size_t>(count - done, 1 << 30));
    int found = gzread(handle(file.get()), bytes + done, wanted);
    if (found <= 0)
      break;
    done += static_cast<size_t>(found);
  }
  place += done;
  int problem = Z_OK;
  gzerror(handle(file.get()), &problem);
  if (done < count && problem != Z_OK && problem != Z_STREAM_END)
    return inputError(path, fmt::format("gzip data is cut off or damaged after {} unpacked bytes; "
                                        "fetch the file again",
                                        place));
  return done;
}

llvm::Error ByteStream::seek(uint64_t position) {
  if (gzseek(handle(file.get()), static_cast<z_off_t>(position), SEEK_SET) < 0)
    return inputError(path, fmt::format("cannot go to byte {} of the unpacked data", position));
  place = position;
  return llvm::Error::success();
}

} // namespace spindle
