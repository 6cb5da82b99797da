// HDF5 files: arrays, texts and attributes, without a byte that depends on the time.
#pragma once

#include "core/support/files/TemporaryFile.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace spindle {

/// Deflate needs a reader with zlib, which not every HDF5 library has.
enum class Hdf5Packing { Deflate, None };

/// Writes a file; `close` finishes it under its real name (a temporary one before).
class Hdf5Writer {
public:
  static llvm::Expected<Hdf5Writer> create(const std::string &path,
                                           Hdf5Packing packing = Hdf5Packing::Deflate);
  Hdf5Writer(Hdf5Writer &&other) noexcept;
  Hdf5Writer &operator=(Hdf5Writer &&other) = delete;
  ~Hdf5Writer(); // drops the temporary file unless closed

  /// `name` may hold groups, made on the way: `spikes/pop/timestamps`. Long arrays are packed.
  llvm::Error write(const std::string &name, const std::vector<double> &values);
  llvm::Error write(const std::string &name, const std::vector<float> &values);
  llvm::Error write(const std::string &name, const std::vector<uint8_t> &values);
  llvm::Error write(const std::string &name, const std::vector<uint32_t> &values);
  llvm::Error write(const std::string &name, const std::vector<uint64_t> &values);
  llvm::Error write(const std::string &name, const std::vector<std::string> &values);
  /// Values in C order under a shape of as many elements.
  llvm::Error write(const std::string &name, const std::vector<float> &values,
                    const std::vector<uint64_t> &shape);
  /// An array of these extents, values in C order; a scalar where there are none.
  llvm::Error writeArray(const std::string &name, const std::vector<uint64_t> &extents,
                         const std::vector<float> &values);
  llvm::Error writeArray(const std::string &name, const std::vector<uint64_t> &extents,
                         const std::vector<double> &values);
  llvm::Error writeArray(const std::string &name, const std::vector<uint64_t> &extents,
                         const std::vector<int64_t> &values);
  /// Texts of variable length, as h5py writes them.
  llvm::Error writeArray(const std::string &name, const std::vector<uint64_t> &extents,
                         const std::vector<std::string> &values);
  /// An attribute of a group or data set (`object` "/" for the file). The group is made if absent.
  llvm::Error attribute(const std::string &object, const std::string &name,
                        const std::string &value);
  llvm::Error attribute(const std::string &object, const std::string &name, int64_t value);
  llvm::Error attribute(const std::string &object, const std::string &name, double value);
  llvm::Error attribute(const std::string &object, const std::string &name,
                        const std::vector<int64_t> &values);
  llvm::Error close();

private:
  Hdf5Writer(std::string name, TemporaryFile whole, int64_t id, Hdf5Packing how)
      : path(std::move(name)), temporary(std::move(whole)), file(id), packing(how) {}
  std::string path;
  TemporaryFile temporary;
  int64_t file;
  Hdf5Packing packing;
};

/// What a name of a file stands for.
enum class Hdf5Kind { Group, Integers, Float32, Float64, Texts, Other };

/// What has been read from a file, so that many data sets together are no more than one may be.
struct Hdf5Taken {
  uint64_t values = 0;      // that the file does not hold as they are: packed, filled, read again,
                            // and the bytes of texts of variable length
  uint64_t storedBytes = 0; // of the others
};

/// Reads a file. Errors name the file and the data set. All that is unpacked from it together is
/// limited (UnpackedLimit.h); a data set that is read twice counts twice.
class Hdf5Reader {
public:
  static llvm::Expected<Hdf5Reader> open(const std::string &path);
  /// Of the bytes of a file within another one; errors name `path`.
  static llvm::Expected<Hdf5Reader> openBytes(const std::string &path, const std::string &bytes);
  Hdf5Reader(Hdf5Reader &&other) noexcept;
  Hdf5Reader &operator=(Hdf5Reader &&other) = delete;
  ~Hdf5Reader();

  llvm::Error read(const std::string &name, std::vector<double> &values) const;
  llvm::Error read(const std::string &name, std::vector<float> &values) const;
  llvm::Error read(const std::string &name, std::vector<uint8_t> &values) const;
  llvm::Error read(const std::string &name, std::vector<uint32_t> &values) const;
  llvm::Error read(const std::string &name, std::vector<uint64_t> &values) const;
  llvm::Error read(const std::string &name, std::vector<std::string> &values) const;
  llvm::Error attribute(const std::string &object, const std::string &name,
                        std::string &value) const;
  llvm::Error attribute(const std::string &object, const std::string &name, int64_t &value) const;
  llvm::Error attribute(const std::string &object, const std::string &name, double &value) const;
  bool has(const std::string &name) const;
  llvm::Expected<Hdf5Kind> kind(const std::string &name) const;
  /// Extents of a data set; empty for a scalar. `read` gives its values in C order.
  llvm::Expected<std::vector<uint64_t>> shape(const std::string &name) const;
  /// Names of the members of a group, sorted.
  llvm::Expected<std::vector<std::string>> members(const std::string &group) const;
  const std::string &fileName() const { return path; }

private:
  static llvm::Expected<Hdf5Reader> openAt(const std::string &path, const std::string &place);
  Hdf5Reader(std::string name, int64_t id) : path(std::move(name)), file(id) {}
  std::string path;
  std::shared_ptr<const Unfinished> unpacked; // the file of bytes from another one
  int64_t file;
  mutable Hdf5Taken taken;
};

} // namespace spindle
