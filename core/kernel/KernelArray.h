// What goes into a kernel and comes out of it: scalars and arrays, bit by bit.
#pragma once

#include "core/support/formats/Npy.h"

#include <optional>
#include <string>
#include <vector>

namespace spindle::hls {

/// An array has at most so many elements.
inline constexpr int64_t kMostElements = int64_t(1) << 28;

/// An integer (signless, as MLIR has them), an index of 64 bits, an IEEE 754 number, or the upper
/// half of one of 32 bits (bf16).
struct ElementType {
  enum class Kind { Integer, Index, Float, BFloat };
  Kind kind = Kind::Integer;
  unsigned bits = 32; // 1 to 64 for integers, 64 for an index, 16, 32 or 64 for floats, 16 for bf16

  bool isFloat() const { return kind == Kind::Float || kind == Kind::BFloat; }
  /// Of an element in memory: 1, 2, 4 or 8, as LLVM stores it.
  unsigned bytes() const;
  /// The bits that count.
  uint64_t mask() const { return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }
  /// As MLIR writes it: `i32`, `index`, `f64`, `bf16`.
  std::string text() const;
  bool operator==(const ElementType &) const = default;
};

/// The reverse of `text`; nothing where it is no element type of a kernel.
std::optional<ElementType> parseElementType(const std::string &text);

/// A scalar (empty shape) or an array in row-major order, little-endian.
struct KernelArray {
  ElementType type;
  std::vector<int64_t> shape;
  std::string bytes;

  size_t count() const { return bytes.size() / type.bytes(); }
  /// The bits of an element, zero above the type's.
  uint64_t at(size_t element) const;
  void set(size_t element, uint64_t bits);
  bool operator==(const KernelArray &) const = default;
};

/// All bits zero.
KernelArray makeArray(ElementType type, std::vector<int64_t> shape);
/// Elements from doubles, for floats, rounded to their type.
KernelArray makeFloats(ElementType type, std::vector<int64_t> shape,
                       const std::vector<double> &values);
/// Elements from integers, cut to their type.
KernelArray makeIntegers(ElementType type, std::vector<int64_t> shape,
                         const std::vector<int64_t> &values);
/// The elements of a float array as doubles, exactly.
std::vector<double> toDoubles(const KernelArray &array);
/// The elements of an integer array, sign-extended.
std::vector<int64_t> toIntegers(const KernelArray &array);

/// Arguments of a function by index; results that are scalars. Results that are arrays are
/// arguments, after all others.
struct Values {
  std::vector<KernelArray> arguments, results;
  bool operator==(const Values &) const = default;
};

/// Whether two elements are equal bit for bit; every NaN equals every other.
bool isSame(ElementType type, uint64_t a, uint64_t b);
/// An element for people, as short as it comes back: `0.1`, `-7`.
std::string numberText(ElementType type, uint64_t bits);
/// Its bits in hexadecimal, as many digits as the type has: `0x3fb999999999999a`.
std::string bitsText(ElementType type, uint64_t bits);

/// For files: integers in the next larger element type of NumPy, i1 as bool, bf16, which NumPy has
/// not, as float32.
NpyArray toNpy(const KernelArray &array);
/// An array for an argument of this type and shape. Floats need floats of the same width, bf16
/// numbers of float32 that it can hold; integers take any integers that they can hold, signed or
/// not. `place` and `name` are for errors.
llvm::Expected<KernelArray> fromNpy(const NpyArray &array, ElementType type,
                                    const std::vector<int64_t> &shape, const std::string &place,
                                    const std::string &name);

} // namespace spindle::hls
