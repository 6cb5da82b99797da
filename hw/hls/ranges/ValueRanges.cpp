#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace spindle::hls {

namespace {

IntegerRange asSigned(const ConstantIntRanges &bits) {
  if (bits.smin().getBitWidth() > 64)
    return {};
  return {bits.smin().getSExtValue(), bits.smax().getSExtValue()};
}

/// All numbers of the type where the range has others, which have wrapped around.
ConstantIntRanges asBits(IntegerRange range, unsigned width) {
  ConstantIntRanges all = ConstantIntRanges::maxRange(width);
  IntegerRange most = asSigned(all);
  if (!range.within(most.least, most.most))
    return all;
  return ConstantIntRanges::fromSigned(APInt(width, uint64_t(range.least), /*isSigned=*/true),
                                       APInt(width, uint64_t(range.most), /*isSigned=*/true));
}

bool isInteger(Value value) { return value.getType().isIntOrIndex(); }

unsigned widthOf(Value value) { return ConstantIntRanges::getStorageBitwidth(value.getType()); }

} // namespace

IntegerRange ValueRanges::of(AffineExpr expression, ValueRange dims, ValueRange symbols) {
  auto ofValue = [this](Value value) { return of(value); };
  return rangeOf(expression, llvm::map_to_vector(dims, ofValue),
                 llvm::map_to_vector(symbols, ofValue));
}

/// Of the results of a map together.
IntegerRange ValueRanges::ofMap(AffineMap map, ValueRange operands,
                                IntegerRange (*combine)(IntegerRange, IntegerRange)) {
  ValueRange dims = operands.take_front(map.getNumDims());
  ValueRange symbols = operands.drop_front(map.getNumDims());
  IntegerRange range = of(map.getResult(0), dims, symbols);
  for (AffineExpr result : map.getResults().drop_front())
    range = combine(range, of(result, dims, symbols));
  return range;
}

IntegerRange ValueRanges::ofLoop(affine::AffineForOp loop) {
  IntegerRange from = ofMap(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), maximum);
  IntegerRange to = ofMap(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), minimum);
  int64_t most = to.most == INT64_MAX ? INT64_MAX : to.most - 1;
  return {from.least, std::max(from.least, most)};
}

std::optional<IntegerRange> ValueRanges::ofAffine(Operation *op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return ofMap(apply.getAffineMap(), apply.getMapOperands(), minimum);
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return ofMap(least.getAffineMap(), least.getMapOperands(), minimum);
  if (auto most = dyn_cast<affine::AffineMaxOp>(op))
    return ofMap(most.getAffineMap(), most.getMapOperands(), maximum);
  return std::nullopt;
}

std::optional<ConstantIntRanges> ValueRanges::ofOperation(Operation *op, Value result) {
  if (std::optional<IntegerRange> range = ofAffine(op))
    return asBits(*range, widthOf(result));
  auto inferring = dyn_cast<InferIntRangeInterface>(op);
  if (!inferring || op->getNumResults() != 1 || !llvm::all_of(op->getOperands(), isInteger))
    return std::nullopt;
  std::optional<ConstantIntRanges> found;
  inferring.inferResultRanges(
      llvm::map_to_vector(op->getOperands(), [this](Value operand) { return bitsOf(operand); }),
      [&found](Value, const ConstantIntRanges &range) { found = range; });
  return found;
}

ConstantIntRanges ValueRanges::bitsOf(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  ConstantIntRanges bits = ConstantIntRanges::maxRange(widthOf(value));
  if (affine::AffineForOp loop = affine::getForInductionVarOwner(value))
    bits = asBits(ofLoop(loop), widthOf(value));
  else if (Operation *op = value.getDefiningOp())
    bits = ofOperation(op, value).value_or(bits);
  known.insert({value, bits});
  return bits;
}

IntegerRange ValueRanges::of(Value value) { return asSigned(bitsOf(value)); }

void ValueRanges::set(Value value, IntegerRange range) {
  known.insert_or_assign(value, asBits(range, widthOf(value)));
}

IntegerRange integerRangeOf(Value value) { return ValueRanges().of(value); }

IntegerRange integerRangeOf(AffineExpr expression, ValueRange dims, ValueRange symbols) {
  return ValueRanges().of(expression, dims, symbols);
}

IntegerRange integerRangeOf(AffineExpr expression, unsigned dimensions, ValueRange operands) {
  return ValueRanges().of(expression, operands.take_front(dimensions),
                          operands.drop_front(dimensions));
}

} // namespace spindle::hls
