// HDF5 files as the C interface writes them, and how they are read.
#pragma once

#include "core/support/formats/Hdf5.h"

#include "hdf5.h"
#include "tests/support/TemporaryFolder.h"
#include "zlib.h"
#include "gmock/gmock.h"

namespace spindle {

/// A file under construction through the C interface.
struct Hdf5File {
  explicit Hdf5File(const std::string &name)
      : path(name), id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~Hdf5File() { close(); }
  void close() {
    if (id >= 0)
      H5Fclose(id);
    id = -1;
  }
  void group(const char *name) {
    H5Gclose(H5Gcreate2(id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  /// A data set with the creation properties that `prepare` sets, and what `fill` does with it.
  template <typename Prepare, typename Fill>
  void set(const char *name, hid_t type, std::vector<hsize_t> extents, Prepare prepare, Fill fill) {
    hid_t space = H5Screate_simple(int(extents.size()), extents.data(), nullptr);
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    prepare(properties);
    hid_t made = H5Dcreate2(id, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    ASSERT_GE(made, 0) << name;
    fill(made);
    H5Dclose(made);
    H5Pclose(properties);
    H5Sclose(space);
  }
  void numbers(const char *name, std::vector<double> values) {
    set(
        name, H5T_NATIVE_DOUBLE, {values.size()}, [](hid_t) {},
        [&](hid_t made) {
          H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        });
  }
  /// Of the root, a text of variable length.
  void attribute(const char *name, const std::string &value) {
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    hid_t made = H5Acreate2(id, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char *text = value.c_str();
    H5Awrite(made, type, &text);
    H5Aclose(made);
    H5Sclose(space);
    H5Tclose(type);
  }
  std::string path;
  hid_t id;
};

inline constexpr auto nothing = [](hid_t) {};

inline std::string numbersOf(const std::string &path, const std::string &name) {
  Hdf5Reader reader = llvm::cantFail(Hdf5Reader::open(path));
  std::vector<double> values;
  if (llvm::Error error = reader.read(name, values))
    return toText(std::move(error));
  std::string text;
  for (double value : values)
    text += std::to_string(int64_t(value)) + " ";
  return text;
}

inline std::string deflated(const std::string &bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef *>(packed.data()), &size,
           reinterpret_cast<const Bytef *>(bytes.data()), bytes.size());
  packed.resize(size);
  return packed;
}

} // namespace spindle
