// NumPy archives: a zip file of named arrays.
#pragma once

#include "core/support/formats/Npy.h"

namespace spindle {

struct NpzMember {
  std::string name; // without `.npy`
  NpyArray array;
  bool operator==(const NpzMember &) const = default;
};

/// What the headers of an archive say of its arrays, before their elements are unpacked.
struct NpzEntry {
  std::string name; // without `.npy`
  NpyHeader header;
};

/// The arrays of an archive in its own order, stored or deflated, each name once. Errors name the
/// file and the array. Only what the headers say is unpacked, and at most `mostElements`
/// altogether: more than the caller has use for, or than UnpackedLimit.h allows a packed file, is
/// refused.
llvm::Expected<std::vector<NpzMember>> readNpz(const std::string &path,
                                               uint64_t mostElements = UINT64_MAX);
/// The headers alone.
llvm::Expected<std::vector<NpzEntry>> readNpzHeaders(const std::string &path);
/// The first `rows` of the first extent of one array, all where it has fewer or is column-major;
/// the rest stays packed.
llvm::Expected<NpyArray> readNpzRows(const std::string &path, const std::string &name,
                                     uint64_t rows);
/// Deflated, all members dated 1980-01-01: equal arrays give equal files.
llvm::Error writeNpz(const std::string &path, const std::vector<NpzMember> &members);

/// The member called `name`, null where it is absent.
const NpyArray *findMember(const std::vector<NpzMember> &members, const std::string &name);

} // namespace spindle
