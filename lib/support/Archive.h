// Files inside archives: tar, packed or not, and zip.
#pragma once

#include "lib/support/Error.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace spindle {

struct ArchiveMember {
  std::string name; // with its folders, as stored
  std::string bytes;
};

/// The regular files of an archive whose names `wanted` accepts, in the order of the archive.
llvm::Expected<std::vector<ArchiveMember>>
readArchive(const std::string &path, llvm::function_ref<bool(llvm::StringRef)> wanted);

} // namespace spindle
