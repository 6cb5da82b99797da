// What the HDF5 reader and writer share: owned handles and type names. Private to this folder.
#pragma once

#include "hdf5.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace spindle {

/// Owns one HDF5 identifier of any kind.
class Hdf5Handle {
public:
  Hdf5Handle(hid_t owned, herr_t (*close)(hid_t)) : id(owned), release(close) {}
  Hdf5Handle(Hdf5Handle &&other) noexcept
      : id(std::exchange(other.id, H5I_INVALID_HID)), release(other.release) {}
  Hdf5Handle &operator=(Hdf5Handle &&other) = delete;
  ~Hdf5Handle() {
    if (id >= 0)
      release(id);
  }
  operator hid_t() const { return id; }

private:
  hid_t id;
  herr_t (*release)(hid_t);
};

/// Before the first call of the library. It prints its errors by itself; ours are returned. At the
/// end of the process it would write what is still open, and on a full disk stop with a
/// segmentation fault; what is open then is a file that nobody wants.
inline void silenceHdf5() {
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

inline hid_t hdf5Type(double) { return H5T_NATIVE_DOUBLE; }
inline hid_t hdf5Type(float) { return H5T_NATIVE_FLOAT; }
inline hid_t hdf5Type(uint8_t) { return H5T_NATIVE_UINT8; }
inline hid_t hdf5Type(uint32_t) { return H5T_NATIVE_UINT32; }
inline hid_t hdf5Type(uint64_t) { return H5T_NATIVE_UINT64; }
inline hid_t hdf5Type(int64_t) { return H5T_NATIVE_INT64; }

/// A fixed-length UTF-8 string type, padded with zeros; HDF5 has no strings of length zero.
inline Hdf5Handle hdf5String(size_t length) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, length == 0 ? 1 : length);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

/// H5Lexists asks for one link only, so every group on the way is asked for.
inline bool hdf5Exists(hid_t file, llvm::StringRef name) {
  name = name.trim('/');
  for (size_t end = 0; end != llvm::StringRef::npos;) {
    end = name.find('/', end + 1);
    if (!name.empty() && H5Lexists(file, name.substr(0, end).str().c_str(), H5P_DEFAULT) <= 0)
      return false;
  }
  return true;
}

/// Creation properties without the time of creation, which would make two runs differ.
Hdf5Handle hdf5Timeless(hid_t objectClass);

/// How values of these types are converted on the way: the library clears a whole megabyte for it,
/// which for a few values takes longer than all else.
inline Hdf5Handle hdf5Transfer(hid_t stored, hid_t inMemory, uint64_t count) {
  constexpr uint64_t usual = 1 << 20;
  uint64_t size = std::max({H5Tget_size(stored), H5Tget_size(inMemory), size_t(1)});
  Hdf5Handle properties(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  if (count < usual / size)
    H5Pset_buffer(properties, std::max<size_t>(count * size, 64), nullptr, nullptr);
  return properties;
}

/// Makes the groups of `name` that are absent; with `parentsOnly` all but the last part.
bool hdf5MakeGroups(hid_t file, llvm::StringRef name, bool parentsOnly);

} // namespace spindle
