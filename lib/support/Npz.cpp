#include "lib/support/Npz.h"

#include "fmt/format.h"
#include "zip.h"
#include "llvm/ADT/StringRef.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <unistd.h>

namespace spindle {

namespace {

/// zip_discard drops an archive without writing it.
using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;

llvm::Expected<Archive> openArchive(const std::string &path, int flags) {
  int status = 0;
  Archive archive(zip_open(path.c_str(), flags, &status), zip_discard);
  if (archive)
    return archive;
  if (status == ZIP_ER_NOZIP || status == ZIP_ER_INCONS)
    return inputError(path, "not an npz archive, or cut off");
  zip_error_t error;
  zip_error_init_with_code(&error, status);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return inputError(path, "cannot open: " + text);
}

llvm::Expected<std::string> unpack(zip_t *archive, zip_uint64_t index, const std::string &path,
                                   const std::string &name) {
  std::unique_ptr<zip_file_t, decltype(&zip_fclose)> file(zip_fopen_index(archive, index, 0),
                                                          zip_fclose);
  std::string bytes, block(1 << 20, '\0');
  zip_int64_t got = file ? 1 : -1;
  while (got > 0) {
    got = zip_fread(file.get(), block.data(), block.size());
    bytes.append(block.data(), static_cast<size_t>(got > 0 ? got : 0));
  }
  if (got < 0)
    return inputError(path,
                      fmt::format("array '{}' cannot be unpacked; the archive is damaged", name));
  return bytes;
}

} // namespace

llvm::Expected<std::vector<NpzMember>> readNpz(const std::string &path) {
  if (access(path.c_str(), R_OK) != 0)
    return inputError(path, fmt::format("cannot open: {}", std::strerror(errno)));
  SPINDLE_ASSIGN(Archive archive, openArchive(path, ZIP_RDONLY | ZIP_CHECKCONS));
  std::vector<NpzMember> members;
  zip_int64_t entries = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < entries; ++i) {
    auto index = static_cast<zip_uint64_t>(i);
    llvm::StringRef name = zip_get_name(archive.get(), index, ZIP_FL_ENC_GUESS);
    if (!name.consume_back(".npy"))
      return inputError(path, fmt::format("member '{}' is not a .npy array", name.str()));
    SPINDLE_ASSIGN(std::string bytes, unpack(archive.get(), index, path, name.str()));
    SPINDLE_ASSIGN(NpyArray array, parseNpy(bytes, path, name.str()));
    members.push_back({name.str(), std::move(array)});
  }
  return members;
}

llvm::Error writeNpz(const std::string &path, const std::vector<NpzMember> &members) {
  SPINDLE_ASSIGN(Archive archive, openArchive(path, ZIP_CREATE | ZIP_TRUNCATE));
  std::vector<std::string> files; // libzip reads them in zip_close
  files.reserve(members.size());
  auto failed = [&](zip_t *zip) {
    return inputError(path, fmt::format("cannot write: {}", zip_strerror(zip)));
  };
  for (const NpzMember &member : members) {
    files.push_back(formatNpy(member.array));
    zip_source_t *source =
        zip_source_buffer(archive.get(), files.back().data(), files.back().size(), 0);
    zip_int64_t index =
        zip_file_add(archive.get(), (member.name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      return failed(archive.get());
    }
    auto entry = static_cast<zip_uint64_t>(index);
    zip_file_set_dostime(archive.get(), entry, 0, /*1980-01-01*/ 0x21, 0);
    zip_set_file_compression(archive.get(), entry, ZIP_CM_DEFLATE, 9);
  }
  if (zip_close(archive.get()) != 0)
    return failed(archive.get());
  archive.release(); // NOLINT: closed
  return llvm::Error::success();
}

const NpyArray *findMember(const std::vector<NpzMember> &members, const std::string &name) {
  for (const NpzMember &member : members)
    if (member.name == name)
      return &member.array;
  return nullptr;
}

} // namespace spindle
