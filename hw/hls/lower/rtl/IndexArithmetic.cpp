#include "hw/hls/lower/rtl/IndexArithmetic.h"

#include "hw/hls/body/ConstantProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <bit>

namespace spindle::hls {

namespace arith = mlir::arith;

mlir::Value IndexArithmetic::resized(Index index, unsigned bits) {
  return wires.resized(index.bits, bits, index.range.least < 0);
}

Index IndexArithmetic::narrowed(Index index, IntegerRange range) {
  IntegerRange both = common(index.range, range);
  return {resized(index, bitsFor(both)), both};
}

Index IndexArithmetic::constant(int64_t value) {
  IntegerRange range{value, value};
  return {wires.constant(value, bitsFor(range)), range};
}

Index IndexArithmetic::add(Index a, Index b) {
  IntegerRange range = a.range + b.range;
  unsigned bits = bitsFor(range);
  mlir::Value left = resized(a, bits), right = resized(b, bits);
  return {arith::AddIOp::create(wires.builder, left, right), range};
}

namespace {

/// Sums of shifts as operations on `operand`.
struct ShiftsAndAdds {
  Wires &wires;
  mlir::Value operand;

  mlir::Value zero() const { return wires.constant(0, rtl::widthOf(operand)); }
  mlir::Value shifted(unsigned shift) const {
    if (shift == 0)
      return operand;
    mlir::Value by = wires.constant(shift, rtl::widthOf(operand));
    return arith::ShLIOp::create(wires.builder, operand, by);
  }
  mlir::Value added(mlir::Value a, mlir::Value b) const {
    return arith::AddIOp::create(wires.builder, a, b);
  }
  mlir::Value subtracted(mlir::Value a, mlir::Value b) const {
    return arith::SubIOp::create(wires.builder, a, b);
  }
};

} // namespace

mlir::Value IndexArithmetic::multiplyBits(mlir::Value a, int64_t factor) {
  return sumOfShifts<mlir::Value>(signedDigits(factor, rtl::widthOf(a)), ShiftsAndAdds{wires, a});
}

Index IndexArithmetic::multiply(Index a, int64_t factor) {
  if (factor == 0)
    return constant(0);
  IntegerRange range = a.range * IntegerRange{factor, factor};
  return {multiplyBits(resized(a, bitsFor(range)), factor), range};
}

/// Modulo 2^bits of the operand, as shifted copies, one per digit of the factor in signed-digit
/// form: of any width.
mlir::Value IndexArithmetic::wideProduct(mlir::Value operand, const llvm::APInt &factor) {
  unsigned bits = rtl::widthOf(operand);
  llvm::APInt rest = factor.zext(factor.getBitWidth() + 1);
  mlir::Value sum = wires.constant(0, bits);
  for (unsigned shift = 0; !rest.isZero() && shift < bits; ++shift, rest.lshrInPlace(1)) {
    if (!rest[0])
      continue;
    bool subtracts = rest[1]; // ...11 = ...00 + 100 - 1
    subtracts ? ++rest : --rest;
    mlir::Value term = arith::ShLIOp::create(wires.builder, operand, wires.constant(shift, bits));
    sum = subtracts ? arith::SubIOp::create(wires.builder, sum, term).getResult()
                    : arith::AddIOp::create(wires.builder, sum, term).getResult();
  }
  return sum;
}

/// Of a number from 0 on, at least once the divisor: x / d = (x * m) >> s with m = ceil(2^s / d) is
/// exact for x < 2^(s - ceil(log2 d)). The product may have more than 64 bits.
Index IndexArithmetic::quotient(Index a, int64_t divisor) {
  unsigned valueBits = bitsFor(a.range);
  unsigned shift = valueBits + std::bit_width(static_cast<uint64_t>(divisor - 1));
  llvm::APInt power = llvm::APInt::getOneBitSet(shift + 2, shift);
  llvm::APInt by(shift + 2, static_cast<uint64_t>(divisor));
  llvm::APInt reciprocal = llvm::APIntOps::RoundingUDiv(power, by, llvm::APInt::Rounding::UP);
  unsigned width = valueBits + reciprocal.getActiveBits();
  mlir::Value product = wideProduct(resized(a, width), reciprocal);
  IntegerRange range{0, a.range.most / divisor};
  mlir::Value high = rtl::ExtractOp::create(wires.builder, product, shift, width - shift);
  return {wires.resized(high, bitsFor(range), false), range};
}

Index IndexArithmetic::floorDivide(Index a, int64_t divisor) {
  if (divisor == 1)
    return a;
  IntegerRange range{llvm::divideFloorSigned(a.range.least, divisor),
                     llvm::divideFloorSigned(a.range.most, divisor)};
  unsigned bits = bitsFor(range);
  if (std::has_single_bit(static_cast<uint64_t>(divisor))) {
    unsigned shift = std::countr_zero(static_cast<uint64_t>(divisor));
    unsigned width = rtl::widthOf(a.bits);
    if (shift >= width && a.range.least >= 0)
      return constant(0);
    shift = std::min(shift, width - 1); // of large divisors, the sign is left
    mlir::Value high = rtl::ExtractOp::create(wires.builder, a.bits, shift, width - shift);
    return {wires.resized(high, bits, a.range.least < 0), range};
  }
  // Moved to numbers from 0 on.
  int64_t offset = a.range.least < 0 ? llvm::divideCeilSigned(-a.range.least, divisor) : 0;
  Index moved = add(a, constant(offset * divisor));
  moved = narrowed(moved, {0, moved.range.most});
  if (moved.range.most < divisor)
    return constant(-offset);
  Index whole = quotient(moved, divisor);
  Index result = add(whole, constant(-offset));
  return {resized(result, bits), range};
}

Index IndexArithmetic::modulo(Index a, int64_t divisor) {
  IntegerRange range{0, divisor - 1};
  if (a.range.least >= 0 && a.range.most < divisor)
    return a;
  unsigned bits = bitsFor(range);
  if (std::has_single_bit(static_cast<uint64_t>(divisor)))
    return divisor == 1 ? constant(0) : Index{resized(a, bits), range};
  Index whole = multiply(floorDivide(a, divisor), -divisor);
  return {resized(add(a, whole), bits), range};
}

/// As wide as what is shifted, not as what is left of it, and wide enough for the distance, since
/// shifts by the whole width have no meaning. A negative number shifted like a natural one has 64
/// bits.
Index IndexArithmetic::shift(mlir::Operation *op, Index a, Index by, IntegerRange range) {
  bool isLeft = llvm::isa<arith::ShLIOp>(op), isNatural = a.range.least >= 0;
  bool isDivision = !isLeft && (isNatural || llvm::isa<arith::ShRSIOp>(op));
  bool isShort = by.range.within(0, 62);
  if (isShort && by.range.isSingle() && (isLeft || isDivision)) {
    int64_t factor = int64_t(1) << by.range.least;
    return isLeft ? multiply(a, factor) : floorDivide(a, factor);
  }
  unsigned bits = 64;
  if (isShort && (isLeft || isDivision))
    bits = std::max({bitsFor(a.range), bitsFor(range), unsigned(by.range.most) + 1});
  mlir::Value from = resized(a, bits), distance = resized(by, bits), moved;
  if (isLeft)
    moved = arith::ShLIOp::create(wires.builder, from, distance);
  else if (isDivision && !isNatural)
    moved = arith::ShRSIOp::create(wires.builder, from, distance);
  else
    moved = arith::ShRUIOp::create(wires.builder, from, distance);
  return {wires.resized(moved, bitsFor(range), false), range};
}

mlir::Value IndexArithmetic::compare(arith::CmpIPredicate predicate, Index a, Index b) {
  IntegerRange both = hull(a.range, b.range);
  unsigned bits = bitsFor(both) + (both.least < 0 ? 0 : 1); // with a sign bit
  mlir::Value left = resized(a, bits), right = resized(b, bits);
  return arith::CmpIOp::create(wires.builder, predicate, left, right);
}

Index IndexArithmetic::choose(mlir::Value condition, Index whenHigh, Index whenLow) {
  IntegerRange range = hull(whenHigh.range, whenLow.range);
  unsigned bits = bitsFor(range);
  mlir::Value high = resized(whenHigh, bits), low = resized(whenLow, bits);
  return {wires.choose(condition, high, low), range};
}

Index IndexArithmetic::largest(mlir::AffineMap map, llvm::ArrayRef<Index> dimensions) {
  Index result = evaluate(map.getResult(0), dimensions);
  for (mlir::AffineExpr expression : map.getResults().drop_front()) {
    Index next = evaluate(expression, dimensions);
    IntegerRange range = maximum(result.range, next.range);
    result =
        narrowed(choose(compare(arith::CmpIPredicate::sgt, next, result), next, result), range);
  }
  return result;
}

Index IndexArithmetic::smallest(mlir::AffineMap map, llvm::ArrayRef<Index> dimensions) {
  Index result = evaluate(map.getResult(0), dimensions);
  for (mlir::AffineExpr expression : map.getResults().drop_front()) {
    Index next = evaluate(expression, dimensions);
    IntegerRange range = minimum(result.range, next.range);
    result =
        narrowed(choose(compare(arith::CmpIPredicate::slt, next, result), next, result), range);
  }
  return result;
}

Index IndexArithmetic::evaluate(mlir::AffineExpr expression, llvm::ArrayRef<Index> dimensions) {
  if (auto number = llvm::dyn_cast<mlir::AffineConstantExpr>(expression))
    return constant(number.getValue());
  if (auto dimension = llvm::dyn_cast<mlir::AffineDimExpr>(expression))
    return dimensions[dimension.getPosition()];
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expression);
  Index a = evaluate(binary.getLHS(), dimensions);
  if (binary.getKind() == mlir::AffineExprKind::Add)
    return add(a, evaluate(binary.getRHS(), dimensions));
  int64_t by = llvm::cast<mlir::AffineConstantExpr>(binary.getRHS()).getValue();
  switch (binary.getKind()) {
  case mlir::AffineExprKind::Mul:
    return multiply(a, by);
  case mlir::AffineExprKind::FloorDiv:
    return floorDivide(a, by);
  case mlir::AffineExprKind::CeilDiv:
    return floorDivide(add(a, constant(by - 1)), by);
  default:
    return modulo(a, by);
  }
}

} // namespace spindle::hls
