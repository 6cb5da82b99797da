// What kernels compute with: numbers, vectors of numbers and arrays in memory. Operators write the
// operations, so that a kernel reads like its formula.
#pragma once

#include "lib/emulation/lanes/LoopBuilder.h"

#include "mlir/IR/TypeUtilities.h"

#include <type_traits>

namespace spindle::lanes {

template <typename T>
concept Constant = std::is_arithmetic_v<T>;

/// A number of a kernel, or a vector of numbers. Operands are of one type; a number beside a vector
/// stands in each of its lanes, and a constant is of the type of the other operand. Integers are
/// unsigned in quotients and conversions, signed in comparisons.
class Number {
public:
  Number(LoopBuilder &kernel, mlir::Value value) : builder(&kernel), result(value) {}
  Number(LoopBuilder &kernel, mlir::Type type, int64_t constant);
  Number(LoopBuilder &kernel, mlir::Type type, double constant);

  mlir::Value value() const { return result; }
  LoopBuilder &kernel() const { return *builder; }
  mlir::Type type() const { return result.getType(); }
  mlir::Type element() const { return mlir::getElementTypeOrSelf(type()); }
  int64_t lanes() const; // 1 of a number

  /// A constant of the same type.
  template <Constant T> Number like(T constant) const {
    if constexpr (std::is_floating_point_v<T>)
      return {*builder, type(), double(constant)};
    else
      return {*builder, type(), int64_t(constant)};
  }
  /// Itself in each of some lanes.
  Number spread(int64_t count) const;
  /// An integer of so many bits: filled up with zeros, or its lowest bits.
  Number resized(int64_t bits) const;
  /// A signed integer of more bits.
  Number signExtended(int64_t bits) const;
  /// The float nearest to a signed integer.
  Number toFloat() const;
  /// The same bits as another type.
  Number as(mlir::Type other) const;
  /// Shifted to the right, the sign kept.
  Number signedShift(int64_t bits) const;
  /// As many lanes, the k-th of which is lane `place(k)`.
  Number shuffled(int64_t count, llvm::function_ref<int64_t(int64_t)> place) const;
  /// The lanes where `mask` holds, one after the other; zeros after them.
  Number compressed(Number mask) const;
  /// Lanes of a mask that hold, as i64.
  Number ones() const;

private:
  LoopBuilder *builder;
  mlir::Value result;
};

Number operator+(Number a, Number b);
Number operator-(Number a, Number b);
Number operator*(Number a, Number b);
Number operator/(Number a, Number b);
Number operator%(Number a, Number b);
Number operator&(Number a, Number b);
Number operator|(Number a, Number b);
Number operator^(Number a, Number b);
Number operator<<(Number a, Number b);
Number operator>>(Number a, Number b);
Number operator<(Number a, Number b);
Number operator>(Number a, Number b);
Number operator==(Number a, Number b);
Number operator!=(Number a, Number b);
template <Constant T> Number operator+(Number a, T b) { return a + a.like(b); }
template <Constant T> Number operator-(Number a, T b) { return a - a.like(b); }
template <Constant T> Number operator*(Number a, T b) { return a * a.like(b); }
template <Constant T> Number operator/(Number a, T b) { return a / a.like(b); }
template <Constant T> Number operator%(Number a, T b) { return a % a.like(b); }
template <Constant T> Number operator&(Number a, T b) { return a & a.like(b); }
template <Constant T> Number operator<<(Number a, T b) { return a << a.like(b); }
template <Constant T> Number operator>>(Number a, T b) { return a >> a.like(b); }
template <Constant T> Number operator<(Number a, T b) { return a < a.like(b); }
template <Constant T> Number operator==(Number a, T b) { return a == a.like(b); }
template <Constant T> Number operator!=(Number a, T b) { return a != a.like(b); }

/// `a` where the condition holds, else `b`, lane by lane.
Number select(Number condition, Number a, Number b);
/// The smaller one of unsigned integers.
Number least(Number a, Number b);
/// The numbers from 0 on, of 32 bits, lane by lane.
Number laneNumbers(LoopBuilder &kernel);
/// The lanes before `count`, an i64.
Number lanesBefore(Number count);
/// What an intrinsic of LLVM gives.
Number intrinsic(llvm::StringRef name, mlir::Type type, llvm::ArrayRef<Number> arguments);

/// Elements of one type from a place in memory on. Places are counted in elements; a value lies at
/// least as well as an element does.
class Array {
public:
  Array(LoopBuilder &kernel, mlir::Value address, mlir::Type of)
      : builder(&kernel), pointer(address), element(of) {}

  mlir::Value address() const { return pointer; }
  mlir::Type elementType() const { return element; }
  /// From the same place on.
  Array as(mlir::Type other) const { return {*builder, pointer, other}; }
  Array operator+(Number places) const;
  Array operator+(int64_t places) const;

  /// The first element, or the one at a place.
  Number load() const { return load(element); }
  Number operator[](Number place) const { return (*this + place).load(); }
  Number operator[](int64_t place) const { return (*this + place).load(); }
  /// A value of another type, or a vector.
  Number load(mlir::Type type) const;
  Number vector(int64_t lanes = kLanes) const { return load(builder->lanesOf(element, lanes)); }
  /// As `vector`, where the place is a multiple of `multiple` elements or of a cache line: of the
  /// lanes unless said.
  Number aligned(int64_t lanes = kLanes, int64_t multiple = 0) const;
  /// The elements at some places.
  Number gather(Number places) const;

  /// A number or a vector from here on.
  void store(Number value) const;
  void storeAligned(Number value, int64_t multiple = 0) const;
  /// The lanes of a mask.
  void store(Number value, Number mask) const;
  /// Some elements of an array that is elsewhere.
  void copy(Array from, Number count) const;
  void copy(Array from, int64_t count) const;
  void clear(int64_t count) const;
  /// Has the line of this place brought to the first cache.
  void prefetch() const;

private:
  unsigned bytes() const { return element.getIntOrFloatBitWidth() / 8; }
  unsigned alignmentOf(int64_t elements) const;

  LoopBuilder *builder;
  mlir::Value pointer;
  mlir::Type element;
};

Array select(Number condition, Array a, Array b);

} // namespace spindle::lanes
