#include "lib/support/File.h"

#include "fmt/format.h"
#include "zlib.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace spindle {

llvm::Expected<std::string> readFile(const std::string &path) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status))
    return inputError(path, "is a folder, expected a file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return inputError(path, fmt::format("cannot open: {}", std::strerror(errno)));
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad())
    return inputError(path, "cannot read");
  return std::move(text).str();
}

static llvm::Expected<std::string> gunzip(const std::string &path, const std::string &packed) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 32) != Z_OK)
    return inputError(path, "cannot unpack: zlib does not start");
  std::string bytes, block(1 << 18, '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef *>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = inflate(&stream, Z_NO_FLUSH);
    bytes.append(block.data(), block.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END)
    return inputError(path, fmt::format("gzip data is cut off or damaged after {} unpacked bytes; "
                                        "fetch the file again",
                                        bytes.size()));
  return bytes;
}

llvm::Expected<std::string> readMaybeGzip(const std::string &path) {
  SPINDLE_ASSIGN(std::string bytes, readFile(path));
  if (llvm::StringRef(bytes).starts_with("\x1f\x8b"))
    return gunzip(path, bytes);
  return bytes;
}

llvm::Error writeFile(const std::string &path, const std::string &bytes) {
  std::string temporary = path + ".part";
  {
    std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
    if (!stream || !stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size())) ||
        !stream.flush())
      return inputError(path, fmt::format("cannot write: {}", std::strerror(errno)));
  }
  std::error_code status;
  std::filesystem::rename(temporary, path, status);
  if (status)
    return inputError(path, "cannot write: " + status.message());
  return llvm::Error::success();
}

} // namespace spindle
