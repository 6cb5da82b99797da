// Floating-point numbers: the host's arithmetic, one rounding per operation, NaN made canonical.
#include "dialects/hls/interpreter/FunctionTables.h"

#include "core/support/SmallFloat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace spindle::hls {

namespace arith = mlir::arith;
namespace math = mlir::math;

namespace {

using Bits = const uint64_t *;

/// A type that the host computes with: NaN is made quiet, of sign 0, with the top bit of the
/// fraction alone.
template <typename Float> struct HostFormat {
  using Number = Float;
  using Word = std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>;
  static constexpr uint64_t signBit = uint64_t(1) << (8 * sizeof(Float) - 1);

  static Number read(uint64_t bits) { return std::bit_cast<Float>(static_cast<Word>(bits)); }
  static uint64_t write(Number value) {
    if (std::isnan(value))
      value = std::numeric_limits<Float>::quiet_NaN();
    return std::bit_cast<Word>(value);
  }
};

/// 16 bits, computed in doubles and rounded again: as these have more than twice the digits and
/// two, sums, products, quotients and roots come out as if they had been rounded once (Figueroa
/// 1995).
template <const SmallFloat &format> struct SmallFormat {
  using Number = double;
  static constexpr uint64_t signBit = 0x8000;

  static Number read(uint64_t bits) { return toDouble(format, static_cast<uint16_t>(bits)); }
  static uint64_t write(Number value) { return toBits(format, value); }
};

/// Calls `make` with the format of a floating-point type.
template <typename Make> auto withFormat(mlir::Type type, Make make) {
  if (type.isF16())
    return make(SmallFormat<kHalf>());
  if (type.isBF16())
    return make(SmallFormat<kBFloat>());
  return type.isF32() ? make(HostFormat<float>()) : make(HostFormat<double>());
}

/// LLVM numbers predicates by a bit each for equal, greater, less, unordered.
template <typename Float> bool compare(arith::CmpFPredicate predicate, Float a, Float b) {
  unsigned relation = std::isnan(a) || std::isnan(b) ? 8 : a < b ? 4 : a > b ? 2 : 1;
  static_assert(
      unsigned(arith::CmpFPredicate::OEQ) == 1 && unsigned(arith::CmpFPredicate::OGT) == 2 &&
      unsigned(arith::CmpFPredicate::OLT) == 4 && unsigned(arith::CmpFPredicate::ORD) == 7 &&
      unsigned(arith::CmpFPredicate::UEQ) == 8);
  if (predicate == arith::CmpFPredicate::AlwaysTrue)
    return true;
  unsigned number = static_cast<unsigned>(predicate);
  // arith counts the unordered comparisons from UEQ = 8 and puts UNO after them.
  unsigned accepted = predicate == arith::CmpFPredicate::UNO ? 8 : number < 8 ? number : number + 1;
  return (accepted & relation) != 0;
}

/// NaN where one is; +0 is larger than -0.
template <typename Float> Float maximum(Float a, Float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<Float>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

/// Beyond a signed integer of 32 bits, or of 64 where the result needs them, its least one; the low
/// bits of that are the result (hw/rtl/conversion/spindle_float_to_integer.sv).
uint64_t toInteger(double value, unsigned bits, bool isSigned) {
  int core = bits <= (isSigned ? 32u : 31u) ? 32 : 64;
  double end = std::ldexp(1.0, core - 1);
  uint64_t result = uint64_t(1) << (core - 1);
  if (value >= -end && value < end)
    result = static_cast<uint64_t>(static_cast<int64_t>(value));
  else if (!isSigned && bits == 64 && value >= end && value < 2 * end)
    result = static_cast<uint64_t>(value);
  return bits == 64 ? result : result & ((uint64_t(1) << bits) - 1);
}

/// Of numbers of 16 bits, whose product a double holds: what the sum loses, which Knuth's two sums
/// tell, is left in its last bit, so that it is rounded once to 16 bits.
double fuse(double a, double b, double c, std::true_type /*isSmall*/) {
  double product = a * b, sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  double part = sum - product, lost = (product - (sum - part)) + (c - part);
  if (lost == 0 || std::bit_cast<uint64_t>(sum) % 2 == 1)
    return sum;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return std::nextafter(sum, lost > 0 ? infinity : -infinity);
}
template <typename Float> Float fuse(Float a, Float b, Float c, std::false_type) {
  return std::fma(a, b, c);
}

/// Those of one type that follow a model.
template <typename Number> struct Elementary {
  Number (*exp)(Number) = nullptr;
  Number (*pow)(Number, Number) = nullptr;
  Number (*log)(Number) = nullptr;
};

/// Of operations whose operands and result have one type.
template <typename Format, typename Number = typename Format::Number>
Function plainFunction(mlir::Operation *op, const Elementary<Number> &elementary) {
  auto binary = [](auto function) -> Function {
    return [=](Bits x) { return Format::write(function(Format::read(x[0]), Format::read(x[1]))); };
  };
  auto unary = [](auto function) -> Function {
    return [=](Bits x) { return Format::write(function(Format::read(x[0]))); };
  };
  using F = Number;
  constexpr uint64_t sign = Format::signBit;
  return llvm::TypeSwitch<mlir::Operation *, Function>(op)
      .Case([&](arith::AddFOp) { return binary([](F a, F b) { return a + b; }); })
      .Case([&](arith::SubFOp) { return binary([](F a, F b) { return a - b; }); })
      .Case([&](arith::MulFOp) { return binary([](F a, F b) { return a * b; }); })
      .Case([&](arith::DivFOp) { return binary([](F a, F b) { return a / b; }); })
      .Case([&](arith::MaximumFOp) { return binary(maximum<F>); })
      .Case([&](arith::MinimumFOp) { return binary([](F a, F b) { return -maximum<F>(-a, -b); }); })
      .Case([&](arith::MaxNumFOp) {
        return binary([](F a, F b) { return b > a || std::isnan(a) ? b : a; });
      })
      .Case([&](arith::MinNumFOp) {
        return binary([](F a, F b) { return b < a || std::isnan(a) ? b : a; });
      })
      .Case([&](math::SqrtOp) { return unary([](F a) { return std::sqrt(a); }); })
      .Case([&](math::FmaOp) -> Function {
        return [](Bits x) {
          return Format::write(fuse(Format::read(x[0]), Format::read(x[1]), Format::read(x[2]),
                                    std::bool_constant<Format::signBit == 0x8000>()));
        };
      })
      .Case([&](math::ExpOp) { return elementary.exp ? unary(elementary.exp) : Function(); })
      .Case([&](math::LogOp) { return elementary.log ? unary(elementary.log) : Function(); })
      .Case([&](math::PowFOp) { return elementary.pow ? binary(elementary.pow) : Function(); })
      .Case([&](arith::NegFOp) { return [](Bits x) { return x[0] ^ sign; }; })
      .Case([&](math::AbsFOp) { return [](Bits x) { return x[0] & ~sign; }; })
      .Case([&](math::CopySignOp) { return [](Bits x) { return (x[0] & ~sign) | (x[1] & sign); }; })
      .Default([](mlir::Operation *) { return Function(); });
}

/// Beyond the digits of a double the last one says whether anything is lost, so that another
/// rounding, to fewer digits, rounds as the number itself would.
double toOdd(uint64_t magnitude) {
  constexpr uint64_t lost = (uint64_t(1) << 11) - 1;
  if (magnitude >> 53 && (magnitude & lost))
    magnitude = (magnitude & ~lost) | (lost + 1);
  return static_cast<double>(magnitude);
}

template <typename Format> Function fromInteger(unsigned bits, bool isSigned) {
  using Number = typename Format::Number;
  return [=](Bits x) {
    auto extended = static_cast<int64_t>(x[0] << (64 - bits)) >> (64 - bits);
    bool isNegative = isSigned && extended < 0;
    if constexpr (Format::signBit == 0x8000) {
      double magnitude = toOdd(isNegative ? -static_cast<uint64_t>(extended)
                               : isSigned ? static_cast<uint64_t>(extended)
                                          : x[0]);
      return Format::write(isNegative ? -magnitude : magnitude);
    } else {
      return Format::write(isSigned ? static_cast<Number>(extended) : static_cast<Number>(x[0]));
    }
  };
}

} // namespace

Function floatFunction(mlir::Operation *op, const ElementaryFunctions &elementary) {
  mlir::Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (from == to && from.isF32())
    return plainFunction<HostFormat<float>>(op,
                                            {elementary.exp32, elementary.pow32, elementary.log32});
  if (from == to && from.isF64())
    return plainFunction<HostFormat<double>>(
        op, {elementary.exp64, elementary.pow64, elementary.log64});
  if (from == to && from.isF16())
    return plainFunction<SmallFormat<kHalf>>(op, {});
  if (from == to && from.isBF16())
    return plainFunction<SmallFormat<kBFloat>>(op, {});
  bool isSigned = llvm::isa<arith::SIToFPOp, arith::FPToSIOp>(op);
  return llvm::TypeSwitch<mlir::Operation *, Function>(op)
      .Case([&](arith::CmpFOp compares) {
        return withFormat(from, [&](auto format) -> Function {
          return [predicate = compares.getPredicate(), format](Bits x) -> uint64_t {
            return compare(predicate, format.read(x[0]), format.read(x[1]));
          };
        });
      })
      .Case<arith::SIToFPOp, arith::UIToFPOp>([&](auto) {
        return withFormat(to, [&](auto format) {
          return fromInteger<decltype(format)>(widthOf(from), isSigned);
        });
      })
      .Case<arith::FPToSIOp, arith::FPToUIOp>([&](auto) {
        return withFormat(from, [&](auto format) -> Function {
          return [format, bits = widthOf(to), isSigned](Bits x) {
            return toInteger(format.read(x[0]), bits, isSigned);
          };
        });
      })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) {
        return withFormat(from, [&](auto wide) {
          return withFormat(to, [&](auto narrow) -> Function {
            return [=](Bits x) {
              using Number = typename decltype(narrow)::Number;
              return narrow.write(static_cast<Number>(wide.read(x[0])));
            };
          });
        });
      })
      .Default([](mlir::Operation *) { return Function(); });
}

} // namespace spindle::hls
