// Stage files whose lists are too long for JSON have them as arrays of HDF5 in a file of the same
// name beside it: `50-clusters.json` says `"arrays": {"file": "50-clusters.h5", "hash": "…"}`.
#pragma once

#include "core/chip/file/ListsIn.h"
#include "core/support/formats/Hdf5.h"
#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace spindle {

/// `folder/50-clusters.h5` of `folder/50-clusters.json`.
std::string arraysPath(const std::string &jsonPath);

/// Writes arrays packed, or as they are where so many `values` in so few bytes would be taken for
/// damage (UnpackedLimit.h).
llvm::Error writeArrays(const std::string &path, uint64_t values,
                        llvm::function_ref<llvm::Error(Hdf5Writer &)> write);

/// Reads arrays that belong together, so that each must have as many entries as another one.
class ArraysReader {
public:
  explicit ArraysReader(Hdf5Reader opened) : file(std::move(opened)) {}

  template <typename T> llvm::Error read(const char *name, std::vector<T> &values) const {
    return file.read(name, values);
  }
  /// `entries` of them, as many as `like` has.
  template <typename T>
  llvm::Error read(const char *name, std::vector<T> &values, uint64_t entries,
                   const char *like) const {
    SPINDLE_RETURN_IF_ERROR(checkEntries(name, entries, like));
    return file.read(name, values);
  }
  bool has(const char *name) const { return file.has(name); }
  llvm::Error refuse(const std::string &fault) const { return inputError(file.fileName(), fault); }

private:
  llvm::Error checkEntries(const char *name, uint64_t entries, const char *like) const;

  Hdf5Reader file;
};

/// The member `arrays` of a stage file: the file beside it, and what is in that.
class ArraysOf {
public:
  /// Of arrays that are written, for the stage file that will be.
  static llvm::Expected<ArraysOf> written(const std::string &jsonPath);
  /// Opens the arrays of a stage file that was read; no other file than the one beside it, and not
  /// where that is of another run.
  llvm::Expected<ArraysReader> open(const std::string &jsonPath) const;

  Json toJson() const;
  void readFrom(const Json &json);

private:
  std::string name, hash;
};

/// Reads a stage file by the `describe(file, noun, arrays)` of its noun, and its lists from arrays
/// where it says so. `list`: a member that it has where it does not.
template <typename Noun>
llvm::Expected<Noun> readWithArrays(const std::string &path, const FileFormat &format,
                                    const char *list,
                                    llvm::Error (*readArrays)(const ArraysReader &, Noun &)) {
  std::optional<ArraysOf> arrays;
  SPINDLE_ASSIGN(Json json, readJson(path, format));
  SPINDLE_ASSIGN(Noun noun, parseJson<Noun>(path, json, [&](const Json &file) {
                   Noun read;
                   JsonReader reader(file);
                   describe(reader, read, arrays);
                   return read;
                 }));
  if (!arrays)
    return noun;
  if (json.contains(list))
    return inputError(path, fmt::format("has '{}' and 'arrays', which hold the same; remove one of "
                                        "them, or run the stage that writes the file again",
                                        list));
  SPINDLE_ASSIGN(ArraysReader lists, arrays->open(path));
  SPINDLE_RETURN_IF_ERROR(readArrays(lists, noun));
  return noun;
}

} // namespace spindle
