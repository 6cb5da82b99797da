// One NumPy array and its .npy bytes (format versions 1 to 3 of numpy.lib.format).
#pragma once

#include "lib/support/Error.h"

#include <cstdint>
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
  Float32,
  Float64
};

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
  bool isInteger() const { return type != NpyType::Float32 && type != NpyType::Float64; }

  bool operator==(const NpyArray &) const = default;
};

NpyArray makeNpy(std::vector<int64_t> shape, const std::vector<float> &values);
NpyArray makeNpy(std::vector<int64_t> shape, const std::vector<double> &values);
NpyArray makeNpy(std::vector<int64_t> shape, const std::vector<int64_t> &values);

/// Reads the bytes of a .npy file; Fortran order is turned into C order, big-endian numbers and
/// other element types are refused. `place` and `name` stand for the file and the array in errors.
llvm::Expected<NpyArray> parseNpy(const std::string &bytes, const std::string &place,
                                  const std::string &name);
/// The bytes of a .npy file, version 1.
std::string formatNpy(const NpyArray &array);

} // namespace spindle
