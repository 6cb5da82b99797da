#include "core/support/formats/ZipFile.h"

#include "core/support/files/UnpackedLimit.h"

#include "fmt/format.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <unistd.h>
#include <utility>

namespace spindle {

/// Of two members of one name nobody knows which is meant; programs differ in which they take.
static llvm::Error checkMemberNames(zip_t *archive, const std::string &path) {
  std::set<std::string> names;
  auto entries = static_cast<zip_uint64_t>(zip_get_num_entries(archive, 0));
  for (zip_uint64_t index = 0; index < entries; ++index)
    if (const char *name = zip_get_name(archive, index, ZIP_FL_ENC_GUESS);
        name && !names.insert(name).second)
      return inputError(path, fmt::format("has two members '{}', expected one of each name; write "
                                          "it again",
                                          name));
  return llvm::Error::success();
}

static llvm::Expected<ZipHandle> openWith(const std::string &path, int flags, const char *what) {
  int status = 0;
  ZipHandle archive(zip_open(path.c_str(), flags, &status), zip_discard);
  if (archive)
    return archive;
  if (status == ZIP_ER_EXISTS && (flags & ZIP_CHECKCONS)) { // the library does not say which
    SPINDLE_ASSIGN(ZipHandle unchecked, openWith(path, flags & ~ZIP_CHECKCONS, what));
    SPINDLE_RETURN_IF_ERROR(checkMemberNames(unchecked.get(), path));
  }
  if (status == ZIP_ER_NOZIP || status == ZIP_ER_INCONS)
    return inputError(path, fmt::format("not {}, or cut off", what));
  zip_error_t error;
  zip_error_init_with_code(&error, status);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return inputError(path, "cannot open: " + text);
}

llvm::Expected<ZipHandle> openZip(const std::string &path, const char *what) {
  if (access(path.c_str(), R_OK) != 0)
    return inputError(path, fmt::format("cannot open: {}", std::strerror(errno)));
  SPINDLE_ASSIGN(ZipHandle archive, openWith(path, ZIP_RDONLY | ZIP_CHECKCONS, what));
  SPINDLE_RETURN_IF_ERROR(checkMemberNames(archive.get(), path));
  return archive;
}

llvm::Expected<ZipHandle> createZip(const std::string &path) {
  return openWith(path, ZIP_CREATE | ZIP_TRUNCATE, "a zip file");
}

/// How a member is packed, in the words of the programs that pack it.
static std::string methodName(zip_uint16_t method) {
  constexpr std::pair<int, const char *> names[] = {{9, "deflate64"},  {12, "bzip2"}, {14, "LZMA"},
                                                    {93, "Zstandard"}, {95, "xz"},    {98, "PPMd"}};
  for (auto [number, name] : names)
    if (number == method)
      return name;
  return fmt::format("method {}", method);
}

llvm::Error checkZipMethod(const zip_stat_t &stat, const std::string &path,
                           const std::string &label, const char *remedy) {
  bool isKnown = stat.valid & ZIP_STAT_COMP_METHOD;
  if (!isKnown || stat.comp_method == ZIP_CM_STORE || stat.comp_method == ZIP_CM_DEFLATE)
    return llvm::Error::success();
  return inputError(path, fmt::format("{} is packed with {}, expected stored or deflated; {}",
                                      label, methodName(stat.comp_method), remedy));
}

llvm::Expected<std::string> readZipMember(zip_t *archive, const std::string &path,
                                          const std::string &name, uint64_t mostBytes) {
  zip_stat_t stat;
  if (zip_stat(archive, name.c_str(), ZIP_FL_ENC_GUESS, &stat) != 0)
    return inputError(path, fmt::format("member '{}' is absent", name));
  auto damaged = [&] {
    return inputError(path,
                      fmt::format("member '{}' cannot be unpacked; the archive is damaged", name));
  };
  if (!(stat.valid & ZIP_STAT_SIZE) || !(stat.valid & ZIP_STAT_INDEX))
    return damaged();
  SPINDLE_RETURN_IF_ERROR(checkZipMethod(stat, path, fmt::format("member '{}'", name),
                                         "write it with a program that deflates"));
  std::error_code status;
  uint64_t size = std::filesystem::file_size(path, status);
  uint64_t most = std::min(mostBytes, std::max(unpackedLimit(size), size));
  if (stat.size > most)
    return inputError(
        path, fmt::format("member '{}' has {} bytes, expected at most {}", name, stat.size, most));
  std::unique_ptr<zip_file_t, decltype(&zip_fclose)> stream(zip_fopen_index(archive, stat.index, 0),
                                                            zip_fclose);
  if (!stream)
    return damaged();
  // One byte in excess: only at the end of the member its checksum is compared.
  std::string bytes(stat.size + 1, '\0');
  size_t done = 0;
  for (zip_int64_t got = 1; got > 0 && done < bytes.size(); done += static_cast<size_t>(got)) {
    got = zip_fread(stream.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0)
      return damaged();
  }
  if (done != stat.size)
    return damaged();
  bytes.resize(done);
  return bytes;
}

} // namespace spindle
