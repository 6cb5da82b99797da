#include "hw/hls/ranges/ValueRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

/// What is added to `argument` on the way to a value; absent where something else happens to it.
class Growth {
public:
  Growth(ValueRanges &valueRanges, Value start) : ranges(valueRanges), argument(start) {}

  /// What all iterations of a loop together add to what it carries.
  static std::optional<IntegerRange> ofLoop(ValueRanges &ranges, affine::AffineForOp loop,
                                            unsigned position) {
    Growth growth(ranges, loop.getRegionIterArgs()[position]);
    std::optional<IntegerRange> one =
        growth.of(loop.getBody()->getTerminator()->getOperand(position));
    if (!one || *one == IntegerRange{0, 0})
      return one;
    IntegerRange variable = ranges.of(loop.getInductionVar());
    if (!variable.isKnown() || !one->isKnown())
      return std::nullopt;
    IntegerRange trips = variable - IntegerRange{variable.least - 1, variable.least - 1};
    return hull({0, 0}, *one * IntegerRange{1, trips.most});
  }

  std::optional<IntegerRange> of(Value value) {
    auto [known, isNew] = found.try_emplace(value);
    if (!isNew)
      return known->second;
    std::optional<IntegerRange> growth = compute(value);
    found[value] = growth;
    return growth;
  }

private:
  std::optional<IntegerRange> both(Value a, Value b) {
    std::optional<IntegerRange> x = of(a), y = of(b);
    return x && y ? std::optional(hull(*x, *y)) : std::nullopt;
  }

  std::optional<IntegerRange> compute(Value value) {
    if (value == argument)
      return IntegerRange{0, 0};
    Operation *op = value.getDefiningOp();
    if (auto choice = dyn_cast_or_null<arith::SelectOp>(op))
      return both(choice.getTrueValue(), choice.getFalseValue());
    if (isa_and_nonnull<affine::AffineIfOp, scf::IfOp>(op)) {
      unsigned position = cast<OpResult>(value).getResultNumber();
      return both(op->getRegion(0).front().getTerminator()->getOperand(position),
                  op->getRegion(1).front().getTerminator()->getOperand(position));
    }
    if (auto inner = dyn_cast_or_null<affine::AffineForOp>(op)) {
      unsigned position = cast<OpResult>(value).getResultNumber();
      std::optional<IntegerRange> before = of(inner.getInits()[position]);
      std::optional<IntegerRange> inside =
          before ? ofLoop(ranges, inner, position) : std::optional<IntegerRange>();
      return inside ? std::optional(*before + *inside) : std::nullopt;
    }
    if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
      return std::nullopt;
    Value a = op->getOperand(0), b = op->getOperand(1);
    if (std::optional<IntegerRange> growth = of(a))
      return isa<arith::AddIOp>(op) ? *growth + ranges.of(b) : *growth - ranges.of(b);
    std::optional<IntegerRange> growth =
        isa<arith::AddIOp>(op) ? of(b) : std::optional<IntegerRange>();
    return growth ? std::optional(*growth + ranges.of(a)) : std::nullopt;
  }

  ValueRanges &ranges;
  Value argument;
  DenseMap<Value, std::optional<IntegerRange>> found;
};

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
  // A quotient by zero is all ones, a remainder the dividend, and a shift too far leaves nothing:
  // MLIR counts with none of them.
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op) &&
      bitsOf(op->getOperand(1)).umin().isZero())
    return std::nullopt;
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op) &&
      bitsOf(op->getOperand(1)).umax().uge(widthOf(result)))
    return std::nullopt;
  auto inferring = dyn_cast<InferIntRangeInterface>(op);
  if (!inferring || op->getNumResults() != 1 || !llvm::all_of(op->getOperands(), isInteger))
    return std::nullopt;
  std::optional<ConstantIntRanges> found;
  inferring.inferResultRanges(
      llvm::map_to_vector(op->getOperands(), [this](Value operand) { return bitsOf(operand); }),
      [&found](Value, const ConstantIntRanges &range) { found = range; });
  return found;
}

/// Results of a condition: what either branch yields.
ConstantIntRanges ValueRanges::ofBranches(OpResult result) {
  std::optional<ConstantIntRanges> all;
  for (Region &region : result.getOwner()->getRegions()) {
    ConstantIntRanges one =
        bitsOf(region.front().getTerminator()->getOperand(result.getResultNumber()));
    all = all ? all->rangeUnion(one) : one;
  }
  return *all;
}

/// Of the values that a loop carries together: a range that holds the first ones and is not left by
/// an iteration, found by running a few; all numbers where they still move then.
void ValueRanges::findInvariant(affine::AffineForOp loop, ArrayRef<unsigned> positions) {
  auto yielded = loop.getBody()->getTerminator()->getOperands();
  SmallVector<ConstantIntRanges> guesses;
  for (unsigned position : positions)
    guesses.push_back(bitsOf(loop.getInits()[position]));
  constexpr int rounds = 4;
  bool isStable = positions.empty();
  for (int round = 0; round < rounds && !isStable; ++round) {
    ValueRanges trial(*this);
    for (auto [position, guess] : llvm::zip(positions, guesses))
      trial.known.insert_or_assign(loop.getRegionIterArgs()[position], guess);
    isStable = true;
    for (auto [position, guess] : llvm::zip(positions, guesses)) {
      ConstantIntRanges wider = guess.rangeUnion(trial.bitsOf(yielded[position]));
      if (wider == guess)
        continue;
      isStable = false;
      guess = round + 2 < rounds ? wider : ConstantIntRanges::maxRange(wider.umax().getBitWidth());
    }
  }
  for (auto [position, guess] : llvm::zip(positions, guesses))
    known.insert_or_assign(loop.getRegionIterArgs()[position],
                           isStable ? guess
                                    : ConstantIntRanges::maxRange(guess.umax().getBitWidth()));
}

/// Sums first: they tell others where they end.
void ValueRanges::findCarried(affine::AffineForOp loop) {
  ValueRanges trial(*this); // of carried values themselves nothing is known yet
  SmallVector<unsigned> others;
  for (Value argument : loop.getRegionIterArgs())
    if (isInteger(argument))
      trial.known.insert_or_assign(argument, ConstantIntRanges::maxRange(widthOf(argument)));
  for (auto [position, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (!isInteger(argument))
      continue;
    std::optional<IntegerRange> sum = Growth::ofLoop(trial, loop, unsigned(position));
    ConstantIntRanges all = ConstantIntRanges::maxRange(widthOf(argument));
    IntegerRange most = asSigned(all);
    IntegerRange range = sum ? of(loop.getInits()[position]) + *sum : IntegerRange();
    if (sum && range.within(most.least, most.most) && range.isKnown())
      known.insert_or_assign(argument, asBits(range, widthOf(argument)));
    else
      others.push_back(unsigned(position));
  }
  findInvariant(loop, others);
}

ConstantIntRanges ValueRanges::bitsOf(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  ConstantIntRanges bits = ConstantIntRanges::maxRange(widthOf(value));
  Operation *op = value.getDefiningOp();
  auto argument = dyn_cast<BlockArgument>(value);
  auto around = argument ? dyn_cast_or_null<affine::AffineForOp>(argument.getOwner()->getParentOp())
                         : affine::AffineForOp();
  if (around && value == around.getInductionVar()) {
    bits = asBits(ofLoop(around), widthOf(value));
  } else if (around) {
    findCarried(around);
    return known.at(value);
  } else if (auto loop = dyn_cast_or_null<affine::AffineForOp>(op)) {
    bits = bitsOf(loop.getRegionIterArgs()[cast<OpResult>(value).getResultNumber()]);
  } else if (isa_and_nonnull<affine::AffineIfOp, scf::IfOp>(op)) {
    bits = ofBranches(cast<OpResult>(value));
  } else if (op) {
    bits = ofOperation(op, value).value_or(bits);
  }
  known.insert({value, bits});
  return bits;
}

IntegerRange ValueRanges::of(Value value) { return asSigned(bitsOf(value)); }

void ValueRanges::set(Value value, IntegerRange range) {
  known.insert_or_assign(value, asBits(range, widthOf(value)));
}

void ValueRanges::set(Value value, const ConstantIntRanges &bits) {
  known.insert_or_assign(value, bits);
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
