// Files inside archives: tar, packed or not, and zip.
#pragma once

#include "core/support/Error.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace spindle {

struct ArchiveMember {
  std::string name; // with its folders, as stored
  std::string bytes;
};

struct ArchiveEntry {
  std::string name; // with its folders, as stored
  uint64_t size;    // in bytes, as the archive states it
};

/// The regular files of an archive whose names `wanted` accepts, in the order of the archive. An
/// archive whose files are together larger than UnpackedLimit.h allows is refused, and no file is
/// unpacked past the size that the archive states.
llvm::Expected<std::vector<ArchiveMember>>
readArchive(const std::string &path, llvm::function_ref<bool(llvm::StringRef)> wanted);

/// All its regular files, with the same errors, without what they hold.
llvm::Expected<std::vector<ArchiveEntry>> listArchive(const std::string &path);

} // namespace spindle
