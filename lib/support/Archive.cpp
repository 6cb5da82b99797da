#include "lib/support/Archive.h"

#include "archive.h"
#include "archive_entry.h"

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

llvm::Expected<std::string> readMember(const std::string &path, archive *reader) {
  std::string bytes, block(1 << 16, '\0');
  for (;;) {
    la_ssize_t got = archive_read_data(reader, block.data(), block.size());
    if (got < 0)
      return damaged(path, reader);
    if (got == 0)
      return bytes;
    bytes.append(block.data(), static_cast<size_t>(got));
  }
}

} // namespace

llvm::Expected<std::vector<ArchiveMember>>
readArchive(const std::string &path, llvm::function_ref<bool(llvm::StringRef)> wanted) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status))
    return inputError(path, "is a folder, expected a tar or zip archive");
  Reader reader(archive_read_new(), archive_read_free);
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_zip(reader.get());
  if (archive_read_open_filename(reader.get(), path.c_str(), 1 << 16) != ARCHIVE_OK)
    return damaged(path, reader.get());
  std::vector<ArchiveMember> members;
  for (;;) {
    archive_entry *entry = nullptr;
    int state = archive_read_next_header(reader.get(), &entry);
    if (state == ARCHIVE_EOF)
      return members;
    if (state < ARCHIVE_WARN)
      return damaged(path, reader.get());
    const char *name = archive_entry_pathname(entry);
    if (!name || archive_entry_filetype(entry) != AE_IFREG || !wanted(name))
      continue;
    SPINDLE_ASSIGN(std::string bytes, readMember(path, reader.get()));
    members.push_back({name, std::move(bytes)});
  }
}

} // namespace spindle
