#include "core/support/files/File.h"

#include "core/support/files/TemporaryFile.h"
#include "core/support/files/UnpackedLimit.h"

#include "fmt/format.h"
#include "zlib.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace spindle {

bool isThere(const std::string &path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

llvm::Error checkIsFile(const std::string &path) {
  if (path.empty())
    return inputError("", "the name of a file is empty, expected a file");
  std::error_code unknown;
  auto type = std::filesystem::status(path, unknown).type();
  if (type == std::filesystem::file_type::directory)
    return inputError(path, "is a folder, expected a file");
  if (type == std::filesystem::file_type::regular || !std::filesystem::exists(path, unknown))
    return llvm::Error::success(); // opening says why where there is none
  return inputError(path, "is no regular file, expected one (copy what a pipe or device gives)");
}

llvm::Expected<std::ifstream> openFile(const std::string &path) {
  SPINDLE_RETURN_IF_ERROR(checkIsFile(path));
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return inputError(path, fmt::format("cannot open: {}", std::strerror(errno)));
  return stream;
}

llvm::Expected<std::string> readFile(const std::string &path) {
  SPINDLE_ASSIGN(std::ifstream stream, openFile(path));
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
  const uint64_t limit = unpackedLimit(packed.size());
  while (status == Z_OK && bytes.size() <= limit) {
    stream.next_out = reinterpret_cast<Bytef *>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = inflate(&stream, Z_NO_FLUSH);
    bytes.append(block.data(), block.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (bytes.size() > limit)
    return inputError(path, fmt::format("gzip data has more than {} bytes, expected at most so "
                                        "many in a file of {} bytes; unpack it (gunzip)",
                                        limit, packed.size()));
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

static llvm::Error cannotWrite(const std::string &path) {
  return inputError(path, fmt::format("cannot write: {}", std::strerror(errno)));
}

/// All the bytes, or the error of the system in errno.
static bool writeAll(int descriptor, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes = bytes.drop_front(static_cast<size_t>(written));
  }
  return true;
}

static bool writeAndClose(int descriptor, llvm::StringRef bytes) {
  bool isWritten = writeAll(descriptor, bytes);
  int reason = errno;
  bool isClosed = close(descriptor) == 0;
  if (!isWritten)
    errno = reason;
  return isWritten && isClosed;
}

static bool isSocket(const std::string &path) {
  std::error_code status;
  return std::filesystem::is_socket(path, status);
}

/// A link of the system itself, such as /dev/stdout, which is not ours to replace.
static bool isLinkOfSystem(const std::string &path) {
  std::error_code status;
  if (!std::filesystem::is_symlink(path, status))
    return false;
  std::string folder = std::filesystem::path(path).lexically_normal().parent_path().string();
  return folder == "/dev" || folder == "/dev/fd" || llvm::StringRef(folder).starts_with("/proc/");
}

static bool isDevice(const std::string &path) {
  if (isLinkOfSystem(path))
    return true;
  std::error_code status;
  auto type = std::filesystem::status(path, status).type();
  return type == std::filesystem::file_type::character ||
         type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::block ||
         type == std::filesystem::file_type::socket;
}

/// What is no file is written into, and a pipe not waited for.
static llvm::Error writeInto(const std::string &path, const std::string &bytes) {
  int descriptor = open(path.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && errno == ENXIO && !isSocket(path))
    return inputError(path, "nobody reads this pipe, expected a file; or start its reader first");
  if (descriptor < 0)
    return isSocket(path) ? inputError(path, "is a socket, expected a file") : cannotWrite(path);
  fcntl(descriptor, F_SETFL, O_APPEND); // from here on it is waited for
  return writeAndClose(descriptor, bytes) ? llvm::Error::success() : cannotWrite(path);
}

llvm::Error writeFile(const std::string &path, const std::string &bytes) {
  if (isDevice(path))
    return writeInto(path, bytes);
  TemporaryFile temporary(path);
  int descriptor =
      open(temporary.path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0 || !writeAndClose(descriptor, bytes))
    return cannotWrite(path);
  return temporary.keep();
}

} // namespace spindle
