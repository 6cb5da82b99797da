#include "core/support/formats/Hdf5.h"

#include "core/support/formats/Hdf5Handle.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>

namespace spindle {

Hdf5Handle hdf5Timeless(hid_t objectClass) {
  Hdf5Handle properties(H5Pcreate(objectClass), H5Pclose);
  H5Pset_obj_track_times(properties, false);
  return properties;
}

bool hdf5MakeGroups(hid_t file, llvm::StringRef name, bool parentsOnly) {
  name = name.trim('/');
  if (parentsOnly)
    name = name.contains('/') ? name.rsplit('/').first : "";
  if (name.empty() || hdf5Exists(file, name))
    return true;
  if (!hdf5MakeGroups(file, name, /*parentsOnly=*/true))
    return false;
  Hdf5Handle properties = hdf5Timeless(H5P_GROUP_CREATE);
  Hdf5Handle group(H5Gcreate2(file, name.str().c_str(), H5P_DEFAULT, properties, H5P_DEFAULT),
                   H5Gclose);
  return group >= 0;
}

namespace {

constexpr hsize_t compressAbove = 4096; // elements; below it saves nothing worth the time
constexpr hsize_t chunkElements = 16384;

llvm::Error writeVector(hid_t file, const std::string &path, const std::string &name, hid_t type,
                        const void *values, const std::vector<hsize_t> &shape,
                        Hdf5Packing packing) {
  auto failed = [&] { return inputError(path, fmt::format("cannot write data set '{}'", name)); };
  if (!hdf5MakeGroups(file, name, /*parentsOnly=*/true))
    return failed();
  int dimensions = static_cast<int>(shape.size());
  Hdf5Handle space(H5Screate_simple(dimensions, shape.data(), nullptr), H5Sclose);
  Hdf5Handle properties = hdf5Timeless(H5P_DATASET_CREATE);
  hsize_t count = 1;
  for (hsize_t extent : shape)
    count *= extent;
  if (count > 0) {
    std::vector<hsize_t> chunk = shape; // whole rows
    chunk[0] = std::clamp<hsize_t>(chunkElements / (count / shape[0]), 1, shape[0]);
    H5Pset_chunk(properties, dimensions, chunk.data());
    if (count > compressAbove && packing == Hdf5Packing::Deflate) {
      H5Pset_shuffle(properties);
      H5Pset_deflate(properties, 4);
    }
    H5Pset_fletcher32(properties); // a damaged array must not be read as another one
  }
  Hdf5Handle set(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                 H5Dclose);
  if (set < 0 || (count > 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0))
    return failed();
  return llvm::Error::success();
}

template <typename T>
llvm::Error writeNumbers(hid_t file, const std::string &path, const std::string &name,
                         const std::vector<T> &values, Hdf5Packing packing) {
  return writeVector(file, path, name, hdf5Type(T()), values.data(), {values.size()}, packing);
}

/// `count` values, or a scalar where it is absent.
llvm::Error writeAttribute(hid_t file, const std::string &path, const std::string &object,
                           const std::string &name, hid_t type, const void *value,
                           std::optional<hsize_t> count = std::nullopt) {
  auto failed = [&] {
    return inputError(path, fmt::format("cannot write attribute '{}' of '{}'", name, object));
  };
  if (!hdf5MakeGroups(file, object, /*parentsOnly=*/false))
    return failed();
  Hdf5Handle owner(H5Oopen(file, object.c_str(), H5P_DEFAULT), H5Oclose);
  Hdf5Handle space(count ? H5Screate_simple(1, &*count, nullptr) : H5Screate(H5S_SCALAR), H5Sclose);
  Hdf5Handle attribute(H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                       H5Aclose);
  if (attribute < 0 || H5Awrite(attribute, type, value) < 0)
    return failed();
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Hdf5Writer> Hdf5Writer::create(const std::string &path, Hdf5Packing packing) {
  silenceHdf5();
  Hdf5Handle properties = hdf5Timeless(H5P_FILE_CREATE);
  TemporaryFile temporary(path);
  hid_t file = H5Fcreate(temporary.path().c_str(), H5F_ACC_EXCL, properties, H5P_DEFAULT);
  if (file < 0)
    return inputError(path, "cannot write; does the folder exist?");
  return Hdf5Writer(path, std::move(temporary), file, packing);
}

Hdf5Writer::Hdf5Writer(Hdf5Writer &&other) noexcept
    : path(std::move(other.path)), temporary(std::move(other.temporary)),
      file(std::exchange(other.file, H5I_INVALID_HID)), packing(other.packing) {}

Hdf5Writer::~Hdf5Writer() = default;

llvm::Error Hdf5Writer::close() {
  if (H5Fclose(std::exchange(file, H5I_INVALID_HID)) < 0)
    return inputError(path, "cannot write; is the disk full?");
  return temporary.keep();
}

llvm::Error Hdf5Writer::write(const std::string &name, const std::vector<double> &values) {
  return writeNumbers(file, path, name, values, packing);
}
llvm::Error Hdf5Writer::write(const std::string &name, const std::vector<float> &values) {
  return writeNumbers(file, path, name, values, packing);
}
llvm::Error Hdf5Writer::write(const std::string &name, const std::vector<uint8_t> &values) {
  return writeNumbers(file, path, name, values, packing);
}
llvm::Error Hdf5Writer::write(const std::string &name, const std::vector<uint32_t> &values) {
  return writeNumbers(file, path, name, values, packing);
}
llvm::Error Hdf5Writer::write(const std::string &name, const std::vector<uint64_t> &values) {
  return writeNumbers(file, path, name, values, packing);
}

llvm::Error Hdf5Writer::write(const std::string &name, const std::vector<float> &values,
                              const std::vector<uint64_t> &shape) {
  return writeVector(file, path, name, hdf5Type(float()), values.data(),
                     std::vector<hsize_t>(shape.begin(), shape.end()), packing);
}

llvm::Error Hdf5Writer::write(const std::string &name, const std::vector<std::string> &values) {
  size_t length = 1;
  for (const std::string &value : values)
    length = std::max(length, value.size());
  std::string padded;
  padded.reserve(length * values.size());
  for (const std::string &value : values)
    padded.append(value).append(length - value.size(), '\0');
  return writeVector(file, path, name, hdf5String(length), padded.data(), {values.size()}, packing);
}

llvm::Error Hdf5Writer::attribute(const std::string &object, const std::string &name,
                                  const std::string &value) {
  return writeAttribute(file, path, object, name, hdf5String(value.size()), value.c_str());
}
llvm::Error Hdf5Writer::attribute(const std::string &object, const std::string &name,
                                  int64_t value) {
  return writeAttribute(file, path, object, name, H5T_NATIVE_INT64, &value);
}
llvm::Error Hdf5Writer::attribute(const std::string &object, const std::string &name,
                                  double value) {
  return writeAttribute(file, path, object, name, H5T_NATIVE_DOUBLE, &value);
}
llvm::Error Hdf5Writer::attribute(const std::string &object, const std::string &name,
                                  const std::vector<int64_t> &values) {
  return writeAttribute(file, path, object, name, H5T_NATIVE_INT64, values.data(), values.size());
}

} // namespace spindle
