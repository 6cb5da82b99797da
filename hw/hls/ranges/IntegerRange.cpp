#include "hw/hls/ranges/IntegerRange.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <bit>

namespace spindle::hls {

namespace {

/// An end with `sign` times infinity for what int64_t cannot hold.
int64_t limitOf(int sign) { return sign < 0 ? INT64_MIN : INT64_MAX; }
bool isLimit(int64_t end) { return end == INT64_MIN || end == INT64_MAX; }
int signOf(int64_t value) { return value < 0 ? -1 : value > 0; }

int64_t sumOfEnds(int64_t a, int64_t b) {
  if (isLimit(a) || isLimit(b))
    return isLimit(a) ? a : b;
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? limitOf(signOf(a)) : sum;
}

int64_t negatedEnd(int64_t a) { return isLimit(a) ? limitOf(-signOf(a)) : -a; }

int64_t productOfEnds(int64_t a, int64_t b) {
  int64_t product;
  if (a == 0 || b == 0)
    return 0;
  bool isBeyond = isLimit(a) || isLimit(b) || llvm::MulOverflow(a, b, product);
  return isBeyond ? limitOf(signOf(a) * signOf(b)) : product;
}

/// The hull of the results at the corners: right for what rises or falls in both operands.
template <typename Combine> IntegerRange corners(IntegerRange a, IntegerRange b, Combine combine) {
  auto [least, most] = std::minmax({combine(a.least, b.least), combine(a.least, b.most),
                                    combine(a.most, b.least), combine(a.most, b.most)});
  return {least, most};
}

template <typename Divide> IntegerRange quotient(IntegerRange a, IntegerRange by, Divide divide) {
  if (by.least < 1 || !by.isKnown())
    return {};
  return corners(a, by, [&](int64_t x, int64_t y) { return isLimit(x) ? x : divide(x, y); });
}

/// Exact while no multiple of a single divisor lies inside.
IntegerRange modulo(IntegerRange a, IntegerRange by) {
  if (by.least < 1)
    return {};
  if (a.least >= 0 && a.most < by.least)
    return a;
  int64_t divisor = by.most;
  if (a.isKnown() && by.isSingle() &&
      llvm::divideFloorSigned(a.least, divisor) == llvm::divideFloorSigned(a.most, divisor))
    return {llvm::mod(a.least, divisor), llvm::mod(a.most, divisor)};
  int64_t most = divisor == INT64_MAX ? INT64_MAX : divisor - 1;
  return {0, a.least >= 0 ? std::min(a.most, most) : most};
}

unsigned bitsOfEnd(int64_t value) {
  return 64 - std::countl_zero(static_cast<uint64_t>(value < 0 ? ~value : value));
}

} // namespace

IntegerRange operator+(IntegerRange a, IntegerRange b) {
  return {sumOfEnds(a.least, b.least), sumOfEnds(a.most, b.most)};
}

IntegerRange operator-(IntegerRange a, IntegerRange b) {
  return a + IntegerRange{negatedEnd(b.most), negatedEnd(b.least)};
}

IntegerRange operator*(IntegerRange a, IntegerRange b) { return corners(a, b, productOfEnds); }

IntegerRange minimum(IntegerRange a, IntegerRange b) {
  return {std::min(a.least, b.least), std::min(a.most, b.most)};
}

IntegerRange maximum(IntegerRange a, IntegerRange b) {
  return {std::max(a.least, b.least), std::max(a.most, b.most)};
}

IntegerRange hull(IntegerRange a, IntegerRange b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

IntegerRange common(IntegerRange a, IntegerRange b) {
  IntegerRange both{std::max(a.least, b.least), std::min(a.most, b.most)};
  return both.least <= both.most ? both : a;
}

unsigned bitsFor(IntegerRange range) {
  if (!range.isKnown())
    return 64;
  unsigned bits = std::max(bitsOfEnd(range.least), bitsOfEnd(range.most));
  return std::max(1u, bits + (range.least < 0 ? 1 : 0));
}

unsigned signedBitsFor(IntegerRange range) {
  return range.isKnown() ? std::max(bitsOfEnd(range.least), bitsOfEnd(range.most)) + 1 : 64;
}

IntegerRange rangeOf(mlir::AffineExpr expression, llvm::ArrayRef<IntegerRange> dimensions,
                     llvm::ArrayRef<IntegerRange> symbols) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expression))
    return {constant.getValue(), constant.getValue()};
  if (auto dimension = llvm::dyn_cast<mlir::AffineDimExpr>(expression))
    return dimensions[dimension.getPosition()];
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expression);
  IntegerRange a = rangeOf(binary.getLHS(), dimensions, symbols);
  IntegerRange b = rangeOf(binary.getRHS(), dimensions, symbols);
  switch (binary.getKind()) {
  case mlir::AffineExprKind::Add:
    return a + b;
  case mlir::AffineExprKind::Mul:
    return a * b;
  case mlir::AffineExprKind::FloorDiv:
    return quotient(a, b, [](int64_t x, int64_t y) { return llvm::divideFloorSigned(x, y); });
  case mlir::AffineExprKind::CeilDiv:
    return quotient(a, b, [](int64_t x, int64_t y) { return llvm::divideCeilSigned(x, y); });
  default:
    return modulo(a, b);
  }
}

} // namespace spindle::hls
