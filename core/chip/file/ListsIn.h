// Whether the lists of a stage file stand in it or in arrays beside it.
#pragma once

#include <cstdint>

namespace spindle {

/// Where the lists of a stage file are written.
enum class ListsIn : uint8_t { Auto, JsonFile, Hdf5File };
inline constexpr const char *kListsInNames[] = {"auto", "json", "hdf5"};

/// More entries in all its lists together than this are arrays of HDF5, where nobody says
/// otherwise.
inline constexpr uint64_t kMostJsonEntries = 300'000;

inline bool areArrays(ListsIn lists, uint64_t entries) {
  return lists == ListsIn::Hdf5File || (lists == ListsIn::Auto && entries > kMostJsonEntries);
}

} // namespace spindle
