#include "hw/hls/prepare/indices/IndexExpressions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace spindle::hls {

/// The least range over the results of `combine` at the ends; unknown where one overflows.
template <typename Combine>
static IntegerRange corners(IntegerRange a, IntegerRange b, Combine combine) {
  IntegerRange range{INT64_MAX, INT64_MIN};
  for (int64_t x : {a.least, a.most})
    for (int64_t y : {b.least, b.most}) {
      int64_t result;
      if (!a.isKnown() || !b.isKnown() || combine(x, y, result))
        return {};
      range.least = std::min(range.least, result);
      range.most = std::max(range.most, result);
    }
  return range;
}

static IntegerRange add(IntegerRange a, IntegerRange b) {
  return corners(a, b, [](int64_t x, int64_t y, int64_t &r) { return llvm::AddOverflow(x, y, r); });
}
static IntegerRange subtract(IntegerRange a, IntegerRange b) {
  return corners(a, b, [](int64_t x, int64_t y, int64_t &r) { return llvm::SubOverflow(x, y, r); });
}
static IntegerRange multiply(IntegerRange a, IntegerRange b) {
  return corners(a, b, [](int64_t x, int64_t y, int64_t &r) { return llvm::MulOverflow(x, y, r); });
}

template <typename Divide> static IntegerRange divide(IntegerRange a, IntegerRange b, Divide by) {
  if (b.least < 1)
    return {};
  return corners(a, b, [by](int64_t x, int64_t y, int64_t &r) { return r = by(x, y), false; });
}

static IntegerRange minimum(IntegerRange a, IntegerRange b) {
  return {std::min(a.least, b.least), std::min(a.most, b.most)};
}
static IntegerRange maximum(IntegerRange a, IntegerRange b) {
  return {std::max(a.least, b.least), std::max(a.most, b.most)};
}

IntegerRange integerRangeOf(AffineExpr expression, ValueRange dims, ValueRange symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return {constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return integerRangeOf(dims[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return integerRangeOf(symbols[symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expression);
  IntegerRange left = integerRangeOf(binary.getLHS(), dims, symbols);
  IntegerRange right = integerRangeOf(binary.getRHS(), dims, symbols);
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return add(left, right);
  case AffineExprKind::Mul:
    return multiply(left, right);
  case AffineExprKind::FloorDiv:
    return divide(left, right, [](int64_t x, int64_t y) { return llvm::divideFloorSigned(x, y); });
  case AffineExprKind::CeilDiv:
    return divide(left, right, [](int64_t x, int64_t y) { return llvm::divideCeilSigned(x, y); });
  default: // modulo
    if (left.least >= 0 && right.least >= 1 && left.most < right.least)
      return left;
    return right.least >= 1 && right.isKnown() ? IntegerRange{0, right.most - 1} : IntegerRange{};
  }
}

/// Of the results of a map together.
template <typename Combine>
static IntegerRange rangeOfMap(AffineMap map, ValueRange operands, Combine combine) {
  ValueRange dims = operands.take_front(map.getNumDims());
  ValueRange symbols = operands.drop_front(map.getNumDims());
  IntegerRange range = integerRangeOf(map.getResult(0), dims, symbols);
  for (AffineExpr result : map.getResults().drop_front())
    range = combine(range, integerRangeOf(result, dims, symbols));
  return range;
}

static IntegerRange rangeOfLoop(affine::AffineForOp loop) {
  IntegerRange from = rangeOfMap(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), maximum);
  IntegerRange to = rangeOfMap(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), minimum);
  // In a loop without iterations the variable has no value, any range is right.
  int64_t most = to.most == INT64_MAX ? INT64_MAX : to.most - 1;
  return {from.least, std::max(from.least, most)};
}

static IntegerRange rangeOfType(Type type) {
  if (type.isIndex() || type.getIntOrFloatBitWidth() >= 64)
    return {};
  unsigned width = type.getIntOrFloatBitWidth();
  return {llvm::minIntN(width), llvm::maxIntN(width)};
}

static IntegerRange rangeOfOperation(Operation *op) {
  auto operand = [op](unsigned n) { return integerRangeOf(op->getOperand(n)); };
  if (isa<arith::AddIOp>(op))
    return add(operand(0), operand(1));
  if (isa<arith::SubIOp>(op))
    return subtract(operand(0), operand(1));
  if (isa<arith::MulIOp>(op))
    return multiply(operand(0), operand(1));
  if (isa<arith::MinSIOp>(op))
    return minimum(operand(0), operand(1));
  if (isa<arith::MaxSIOp>(op))
    return maximum(operand(0), operand(1));
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return operand(0);
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op) && operand(0).least >= 0)
    return operand(0);
  if (isa<arith::DivSIOp, arith::DivUIOp>(op) && operand(0).least >= 0)
    return divide(operand(0), operand(1), [](int64_t x, int64_t y) { return x / y; });
  if (isa<arith::SelectOp>(op)) {
    IntegerRange a = operand(1), b = operand(2);
    return {std::min(a.least, b.least), std::max(a.most, b.most)};
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return rangeOfMap(apply.getAffineMap(), apply.getMapOperands(), minimum);
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return rangeOfMap(least.getAffineMap(), least.getMapOperands(), minimum);
  if (auto most = dyn_cast<affine::AffineMaxOp>(op))
    return rangeOfMap(most.getAffineMap(), most.getMapOperands(), maximum);
  return {};
}

IntegerRange integerRangeOf(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return {constant.getSExtValue(), constant.getSExtValue()};
  IntegerRange range;
  if (auto loop = affine::getForInductionVarOwner(value))
    range = rangeOfLoop(loop);
  else if (Operation *op = value.getDefiningOp())
    range = rangeOfOperation(op);
  // What does not fit has wrapped around.
  IntegerRange all = rangeOfType(value.getType());
  return range.within(all.least, all.most) ? range : all;
}

} // namespace spindle::hls
