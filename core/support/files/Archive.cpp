#include "core/support/files/Archive.h"

#include "core/support/files/File.h"
#include "core/support/files/UnpackedLimit.h"

#include "archive.h"
#include "archive_entry.h"
#include "fmt/format.h"

#include <algorithm>
#include <filesystem>
#include <memory>

namespace spindle {

namespace {

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

llvm::Error damaged(const std::string &path, archive *reader) {
  const char *reason = archive_error_string(reader);
  return inputError(path, std::string("cannot read as tar or zip archive: ") +
                              (reason ? reason : "unknown format"));
}

/// Unpacks no more than the archive states, and one byte in excess, which must not be there: at the
/// end the checksum is compared.
llvm::Expected<std::string> readMember(const std::string &path, archive *reader,
                                       const ArchiveEntry &file) {
  std::string bytes(file.size + 1, '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    la_ssize_t got = archive_read_data(reader, bytes.data() + done, bytes.size() - done);
    if (got < 0)
      return damaged(path, reader);
    if (got == 0)
      break;
    done += static_cast<size_t>(got);
  }
  if (done != file.size)
    return inputError(path, fmt::format("'{}' does not have the {} bytes that the archive states: "
                                        "it is damaged",
                                        file.name, file.size));
  bytes.resize(done);
  return bytes;
}

/// Calls `visit` for every regular file.
llvm::Error visitFiles(const std::string &path,
                       llvm::function_ref<llvm::Error(archive *, const ArchiveEntry &)> visit) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status))
    return inputError(path, "is a folder, expected a tar or zip archive");
  SPINDLE_RETURN_IF_ERROR(checkIsFile(path));
  Reader reader(archive_read_new(), archive_read_free);
  // Not all filters: some start other programs.
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_filter_bzip2(reader.get());
  archive_read_support_filter_xz(reader.get());
  archive_read_support_filter_zstd(reader.get());
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_zip(reader.get());
  if (archive_read_open_filename(reader.get(), path.c_str(), 1 << 16) != ARCHIVE_OK)
    return damaged(path, reader.get());
  uint64_t packed = std::filesystem::file_size(path, status), total = 0;
  for (;;) {
    archive_entry *entry = nullptr;
    int state = archive_read_next_header(reader.get(), &entry);
    if (state == ARCHIVE_EOF)
      return llvm::Error::success();
    if (state < ARCHIVE_WARN)
      return damaged(path, reader.get());
    const char *name = archive_entry_pathname(entry);
    ArchiveEntry file{name ? name : "", uint64_t(std::max<int64_t>(0, archive_entry_size(entry)))};
    if (file.size > unpackedLimit(packed) - total) // those that are left out are unpacked, too
      return inputError(path, fmt::format("'{}' brings the files to more than {} bytes, expected "
                                          "at most so many in an archive of {} bytes; store large "
                                          "files unpacked",
                                          file.name, unpackedLimit(packed), packed));
    total += file.size;
    if (!name || archive_entry_filetype(entry) != AE_IFREG)
      continue;
    if (!archive_entry_size_is_set(entry))
      return inputError(path,
                        fmt::format("does not state the size of '{}'; pack it again", file.name));
    SPINDLE_RETURN_IF_ERROR(visit(reader.get(), file));
  }
}

} // namespace

llvm::Expected<std::vector<ArchiveMember>>
readArchive(const std::string &path, llvm::function_ref<bool(llvm::StringRef)> wanted) {
  std::vector<ArchiveMember> members;
  SPINDLE_RETURN_IF_ERROR(
      visitFiles(path, [&](archive *reader, const ArchiveEntry &file) -> llvm::Error {
        if (!wanted(file.name))
          return llvm::Error::success();
        SPINDLE_ASSIGN(std::string bytes, readMember(path, reader, file));
        members.push_back({file.name, std::move(bytes)});
        return llvm::Error::success();
      }));
  return members;
}

llvm::Expected<std::vector<ArchiveEntry>> listArchive(const std::string &path) {
  std::vector<ArchiveEntry> entries;
  SPINDLE_RETURN_IF_ERROR(visitFiles(path, [&](archive *, const ArchiveEntry &file) {
    entries.push_back(file);
    return llvm::Error::success();
  }));
  return entries;
}

} // namespace spindle
