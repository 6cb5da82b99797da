// Floating-point numbers: the host's arithmetic, one rounding per operation, NaN made canonical.
#include "dialects/hls/interpreter/FunctionTables.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <bit>
#include <cmath>
#include <limits>

namespace spindle::hls {

namespace arith = mlir::arith;
namespace math = mlir::math;

namespace {

using Bits = const uint64_t *;

template <typename Float> using Word = std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>;

template <typename Float> Float toFloat(uint64_t bits) {
  return std::bit_cast<Float>(static_cast<Word<Float>>(bits));
}

/// NaN is quiet, of sign 0, with the top bit of the fraction alone.
template <typename Float> uint64_t toBits(Float value) {
  if (std::isnan(value))
    value = std::numeric_limits<Float>::quiet_NaN();
  return std::bit_cast<Word<Float>>(value);
}

template <typename Float> constexpr uint64_t signBit = uint64_t(1) << (8 * sizeof(Float) - 1);

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

/// Of operations whose operands and result have one type.
template <typename Float>
Function plainFunction(mlir::Operation *op, Float (*exp)(Float), Float (*pow)(Float, Float)) {
  auto binary = [](auto function) -> Function {
    return
        [=](Bits x) { return toBits<Float>(function(toFloat<Float>(x[0]), toFloat<Float>(x[1]))); };
  };
  auto unary = [](auto function) -> Function {
    return [=](Bits x) { return toBits<Float>(function(toFloat<Float>(x[0]))); };
  };
  using F = Float;
  constexpr uint64_t sign = signBit<Float>;
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
      .Case([&](math::ExpOp) { return exp ? unary(exp) : Function(); })
      .Case([&](math::PowFOp) { return pow ? binary(pow) : Function(); })
      .Case([&](arith::NegFOp) { return [](Bits x) { return x[0] ^ sign; }; })
      .Case([&](math::AbsFOp) { return [](Bits x) { return x[0] & ~sign; }; })
      .Case([&](math::CopySignOp) { return [](Bits x) { return (x[0] & ~sign) | (x[1] & sign); }; })
      .Default([](mlir::Operation *) { return Function(); });
}

template <typename Float> Function comparison(arith::CmpFOp op) {
  return [predicate = op.getPredicate()](Bits x) -> uint64_t {
    return compare(predicate, toFloat<Float>(x[0]), toFloat<Float>(x[1]));
  };
}

template <typename Float> Function fromInteger(unsigned bits, bool isSigned) {
  return [=](Bits x) {
    auto extended = static_cast<int64_t>(x[0] << (64 - bits)) >> (64 - bits);
    return toBits<Float>(isSigned ? static_cast<Float>(extended) : static_cast<Float>(x[0]));
  };
}

template <typename Float> Function intoInteger(unsigned bits, bool isSigned) {
  return [=](Bits x) { return toInteger(toFloat<Float>(x[0]), bits, isSigned); };
}

} // namespace

Function floatFunction(mlir::Operation *op, const ElementaryFunctions &elementary) {
  mlir::Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (from.isF32() && to.isF32())
    return plainFunction<float>(op, elementary.exp32, elementary.pow32);
  if (from.isF64() && to.isF64())
    return plainFunction<double>(op, elementary.exp64, elementary.pow64);
  bool isSigned = llvm::isa<arith::SIToFPOp, arith::FPToSIOp>(op);
  return llvm::TypeSwitch<mlir::Operation *, Function>(op)
      .Case([&](arith::CmpFOp compares) {
        return from.isF32() ? comparison<float>(compares) : comparison<double>(compares);
      })
      .Case<arith::SIToFPOp, arith::UIToFPOp>([&](auto) {
        return to.isF32() ? fromInteger<float>(widthOf(from), isSigned)
                          : fromInteger<double>(widthOf(from), isSigned);
      })
      .Case<arith::FPToSIOp, arith::FPToUIOp>([&](auto) {
        return from.isF32() ? intoInteger<float>(widthOf(to), isSigned)
                            : intoInteger<double>(widthOf(to), isSigned);
      })
      .Case([&](arith::ExtFOp) {
        return [](Bits x) { return toBits<double>(toFloat<float>(x[0])); };
      })
      .Case([&](arith::TruncFOp) {
        return [](Bits x) { return toBits<float>(static_cast<float>(toFloat<double>(x[0]))); };
      })
      .Default([](mlir::Operation *) { return Function(); });
}

} // namespace spindle::hls
