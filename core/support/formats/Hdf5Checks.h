// What the reader refuses in files of others before the library looks at it. Private to this
// folder.
#pragma once

#include "core/support/Error.h"
#include "core/support/formats/Hdf5.h"
#include "core/support/formats/Hdf5Handle.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace spindle {

/// Keeps the library from loading filters that files or the environment name.
void confineHdf5();

/// Opens the file and its objects in a process of its own; the error of a crash there names `path`.
llvm::Error hdf5Probe(const std::string &path, const std::string &place);

/// Where a name leads. Only what is inside may be opened: the library opens whatever file an
/// external link names.
struct Hdf5Way {
  enum class End { Inside, Absent, Outside } end;
  std::string fault; // of a way to the outside: the link, and what it is
};

/// Follows `name` from the root, link by link; soft links within the file are fine.
Hdf5Way hdf5Find(hid_t file, llvm::StringRef name);

/// Why the values of a data set cannot be read: they lie in other files, they are packed with a
/// filter that is not ours, or there are fewer of them than its extents say.
std::optional<std::string> hdf5StorageFault(hid_t file, hid_t set);

/// Counts a data set that is about to be read; why it, with those before it, is more than the file
/// may become.
std::optional<std::string> hdf5Take(hid_t file, hid_t set, Hdf5Taken &taken);
/// The same for what its texts of variable length become.
std::optional<std::string> hdf5TakeTexts(hid_t file, uint64_t bytes, Hdf5Taken &taken);

/// Whether every packed chunk unpacks to what the extents say: HDF5 1.10 would inflate a longer one
/// without end and read beyond a shorter one.
bool hdf5ChunksFit(hid_t set);

/// The bytes of all texts of variable length in a data set; none where a text does not have the
/// length that it claims. They may be far more than the file has: many texts may be one object of
/// its heap.
std::optional<uint64_t> hdf5TextBytes(hid_t file, hid_t set, uint64_t count);

/// Whether the library has room for every text of variable length that an attribute may name.
/// Nothing tells where attributes are stored, so whatever looks like a descriptor of a text in a
/// heap of the file is held to its object's size; texts of a file written by the library always
/// agree.
bool hdf5AttributeTextsHaveRoom(hid_t file);

/// Calls `visit` with the unpacked bytes of every stored chunk of a chunked data set until it says
/// no. False then, and where a chunk does not unpack to what the extents say.
bool hdf5VisitChunks(hid_t set, llvm::function_ref<bool(const std::string &)> visit);

} // namespace spindle
