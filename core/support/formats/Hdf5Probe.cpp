// HDF5 1.10 divides by sizes that a damaged header says are zero, and worse. What opens a file, its
// objects and their small values is therefore tried in a process of its own first.
#include "core/support/formats/Hdf5Checks.h"

#include "core/support/files/RunApart.h"

#include <algorithm>
#include <vector>

namespace spindle {

namespace {

constexpr double kProbedBytes = 1 << 20; // of a data set or attribute; larger ones are not tried

/// What the reader reads at all.
bool isReadable(hid_t type) {
  H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_STRING;
}

/// Reads the values where they are few.
template <typename Read> void readSmall(hid_t type, hid_t space, Read read) {
  double bytes = static_cast<double>(H5Sget_simple_extent_npoints(space)) *
                 static_cast<double>(H5Tget_size(type));
  if (!(isReadable(type) && bytes > 0 && bytes <= kProbedBytes))
    return;
  std::vector<char> values(static_cast<size_t>(bytes));
  if (read(values.data()) >= 0 && H5Tis_variable_str(type) > 0)
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values.data());
}

/// Whether the texts of variable length have the lengths that they claim, and are not too many,
/// which is refused when they are read.
bool areTextsReadable(hid_t file, hid_t set, uint64_t count) {
  std::optional<uint64_t> bytes = hdf5TextBytes(file, set, count);
  Hdf5Taken nothing;
  return bytes && !hdf5TakeTexts(file, *bytes, nothing);
}

void probeSet(hid_t file, hid_t set) {
  if (hdf5StorageFault(file, set))
    return; // refused when it is read
  Hdf5Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  auto count = static_cast<uint64_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space)));
  readSmall(type, space, [&](void *values) {
    bool isSound =
        H5Tis_variable_str(type) > 0 ? areTextsReadable(file, set, count) : hdf5ChunksFit(set);
    Hdf5Handle transfer = hdf5Transfer(type, type, count);
    return isSound ? H5Dread(set, type, H5S_ALL, H5S_ALL, transfer, values) : -1;
  });
}

struct Visit {
  hid_t file;
  std::optional<bool> haveTextsRoom = std::nullopt; // found out at the first text of an attribute
};

herr_t probeAttribute(hid_t object, const char *name, const H5A_info_t *, void *data) {
  Visit &visit = *static_cast<Visit *>(data);
  Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  Hdf5Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  if (H5Tis_variable_str(type) > 0 && H5Sget_simple_extent_npoints(space) != 1)
    return 0; // refused when it is read: many texts may be one large object of the heap
  if (H5Tis_variable_str(type) > 0 && !visit.haveTextsRoom)
    visit.haveTextsRoom = hdf5AttributeTextsHaveRoom(visit.file);
  if (H5Tis_variable_str(type) > 0 && !*visit.haveTextsRoom)
    return 0; // refused when it is read
  readSmall(type, space, [&](void *values) { return H5Aread(attribute, type, values); });
  return 0;
}

herr_t probeObject(hid_t root, const char *name, const H5O_info_t *, void *data) {
  Visit &visit = *static_cast<Visit *>(data);
  Hdf5Handle object(H5Oopen(root, name, H5P_DEFAULT), H5Oclose);
  if (H5Iget_type(object) == H5I_DATASET)
    probeSet(visit.file, object);
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, probeAttribute, &visit);
  return object < 0 ? -1 : 0;
}

} // namespace

llvm::Error hdf5Probe(const std::string &path, const std::string &place) {
  auto work = [&](const Refusal &refuse) {
    Hdf5Handle file(H5Fopen(place.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    Visit visit{file};
    // What could not be tried is not opened either.
    if (file >= 0 && H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, probeObject, &visit) < 0)
      refuse(path, "some of its objects cannot be opened; the file is damaged, write it again");
    return std::string();
  };
  return runApart({path, "reading it", "the file is damaged, write it again", 60}, work)
      .takeError();
}

} // namespace spindle
