// One NumPy array and its .npy bytes (format versions 1 to 3 of numpy.lib.format).
#pragma once

#include "core/support/Error.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

enum class NpyType {
  Bool,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Float16,
  Float32,
  Float64
};

inline bool isInteger(NpyType type) { return type < NpyType::Float16; }

/// Elements in C order, little-endian.
struct NpyArray {
  NpyType type = NpyType::Float32;
  std::vector<int64_t> shape; // empty for a scalar
  std::string bytes;

  /// Product of the shape.
  size_t count() const;
  /// The elements, converted as static_cast does.
  std::vector<float> floats() const;
  std::vector<double> doubles() const;
  std::vector<int64_t> integers() const;
  bool isInteger() const { return spindle::isInteger(type); }

  bool operator==(const NpyArray &) const = default;
};

NpyArray makeNpy(std::vector<int64_t> shape, const std::vector<float> &values);
NpyArray makeNpy(std::vector<int64_t> shape, const std::vector<double> &values);
NpyArray makeNpy(std::vector<int64_t> shape, const std::vector<int64_t> &values);

/// What a .npy file says before its elements begin.
struct NpyHeader {
  static constexpr size_t kMostBytes = 12 + 65535; // of a whole header; longer ones are refused

  NpyType type = NpyType::Float32;
  std::vector<int64_t> shape;
  bool isColumnMajor = false;
  size_t start = 0; // where the elements begin

  /// Product of the shape; none from 2^53 on.
  std::optional<uint64_t> count() const;
};

size_t elementBytes(NpyType type);

/// Reads a header from the first bytes of a file. `place` and `name` stand for the file and the
/// array in errors.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef bytes, const std::string &place,
                                         const std::string &name);
/// The error of a file that does not hold the elements its header says, but `present` bytes.
llvm::Error checkNpySize(const NpyHeader &header, uint64_t present, const std::string &place,
                         const std::string &name);
/// The array of a header and of all its elements as they are stored.
NpyArray decodeNpy(const NpyHeader &header, std::string elements);

/// Reads the bytes of a .npy file; Fortran order is turned into C order, big-endian numbers and
/// other element types are refused. `place` and `name` stand for the file and the array in errors.
llvm::Expected<NpyArray> parseNpy(const std::string &bytes, const std::string &place,
                                  const std::string &name);
/// The bytes of a .npy file, version 1.
std::string formatNpy(const NpyArray &array);

} // namespace spindle
