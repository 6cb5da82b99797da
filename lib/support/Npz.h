// NumPy archives: a zip file of named arrays.
#pragma once

#include "lib/support/Npy.h"

namespace spindle {

struct NpzMember {
  std::string name; // without `.npy`
  NpyArray array;
  bool operator==(const NpzMember &) const = default;
};

/// The arrays of an archive in its own order. Errors name the file and the array.
llvm::Expected<std::vector<NpzMember>> readNpz(const std::string &path);
/// Deflated, all members dated 1980-01-01: equal arrays give equal files.
llvm::Error writeNpz(const std::string &path, const std::vector<NpzMember> &members);

/// The member called `name`, null where it is absent.
const NpyArray *findMember(const std::vector<NpzMember> &members, const std::string &name);

} // namespace spindle
