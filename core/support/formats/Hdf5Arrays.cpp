// Arrays of several dimensions, scalars, and texts of variable length.
#include "core/support/formats/Hdf5.h"
#include "core/support/formats/Hdf5Handle.h"

#include "fmt/format.h"

namespace spindle {

static constexpr size_t compressAbove = 4096; // elements; below it saves nothing worth the time

namespace {

struct Target {
  hid_t file;
  const std::string &path, &name;
  const std::vector<uint64_t> &extents;
};

llvm::Error writeTarget(const Target &target, hid_t type, const void *values, size_t count) {
  std::vector<hsize_t> extents(target.extents.begin(), target.extents.end());
  auto rank = static_cast<int>(extents.size());
  size_t elements = 1;
  for (hsize_t extent : extents)
    elements *= extent;
  if (elements != count)
    return checkError(target.path, fmt::format("data set '{}' has {} values for {} elements",
                                               target.name, count, elements));
  Hdf5Handle space(rank == 0 ? H5Screate(H5S_SCALAR)
                             : H5Screate_simple(rank, extents.data(), nullptr),
                   H5Sclose);
  Hdf5Handle properties = hdf5Timeless(H5P_DATASET_CREATE);
  if (count > compressAbove && H5Tget_class(type) != H5T_STRING) {
    H5Pset_chunk(properties, rank, extents.data());
    H5Pset_deflate(properties, 4);
  }
  bool hasGroups = hdf5MakeGroups(target.file, target.name, /*parentsOnly=*/true);
  Hdf5Handle set(hasGroups ? H5Dcreate2(target.file, target.name.c_str(), type, space, H5P_DEFAULT,
                                        properties, H5P_DEFAULT)
                           : H5I_INVALID_HID,
                 H5Dclose);
  Hdf5Handle transfer = hdf5Transfer(type, type, count);
  if (set < 0 || (count > 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, transfer, values) < 0))
    return inputError(target.path, fmt::format("cannot write data set '{}'", target.name));
  return llvm::Error::success();
}

} // namespace

llvm::Error Hdf5Writer::writeArray(const std::string &name, const std::vector<uint64_t> &extents,
                                   const std::vector<float> &values) {
  return writeTarget({file, path, name, extents}, H5T_NATIVE_FLOAT, values.data(), values.size());
}

llvm::Error Hdf5Writer::writeArray(const std::string &name, const std::vector<uint64_t> &extents,
                                   const std::vector<double> &values) {
  return writeTarget({file, path, name, extents}, H5T_NATIVE_DOUBLE, values.data(), values.size());
}

llvm::Error Hdf5Writer::writeArray(const std::string &name, const std::vector<uint64_t> &extents,
                                   const std::vector<int64_t> &values) {
  return writeTarget({file, path, name, extents}, H5T_NATIVE_INT64, values.data(), values.size());
}

llvm::Error Hdf5Writer::writeArray(const std::string &name, const std::vector<uint64_t> &extents,
                                   const std::vector<std::string> &values) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  std::vector<const char *> pointers;
  for (const std::string &value : values)
    pointers.push_back(value.c_str());
  return writeTarget({file, path, name, extents}, type, pointers.data(), pointers.size());
}

} // namespace spindle
