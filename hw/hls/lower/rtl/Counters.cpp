#include "hw/hls/lower/rtl/Counters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "fmt/format.h"

namespace spindle::hls {

namespace arith = mlir::arith;

namespace {

/// Whether the counter of a level stands at its last value. A level that never ends before its
/// minimum of iterations meets its end.
mlir::Value isLastOf(Wires &wires, const NestBounds &bounds, size_t level, bool meetsEnd,
                     Index counter, llvm::ArrayRef<Index> known, const std::string &name) {
  IndexArithmetic indices(wires);
  if (meetsEnd && bounds.upper[level].isSingleConstant())
    return indices.compare(arith::CmpIPredicate::eq, counter,
                           indices.constant(bounds.upper[level].getSingleConstantResult() - 1));
  Index next = indices.add(counter, indices.constant(1));
  wires.named(next.bits, name + "_plus_1");
  Index end = indices.smallest(bounds.upper[level], known);
  if (meetsEnd)
    return indices.compare(arith::CmpIPredicate::eq, next, end);
  mlir::Value isDone = indices.compare(arith::CmpIPredicate::sge, next, end);
  if (bounds.atLeast[level] == 1)
    return isDone;
  Index from = indices.largest(bounds.lower[level], known);
  Index enough = indices.add(from, indices.constant(bounds.atLeast[level]));
  return wires.conjunction(isDone, indices.compare(arith::CmpIPredicate::sge, next, enough));
}

} // namespace

Counters buildCounters(Wires &wires, const NestBounds &bounds, llvm::ArrayRef<Index> operands,
                       mlir::Value start, mlir::Value advance, llvm::ArrayRef<std::string> names) {
  IndexArithmetic indices(wires);
  size_t levels = bounds.lower.size();
  llvm::SmallVector<IntegerRange> operandRanges;
  for (const Index &operand : operands)
    operandRanges.push_back(operand.range);
  llvm::SmallVector<IntegerRange> ranges = counterRanges(bounds, operandRanges);
  llvm::SmallVector<bool> endsEarly = mayBubble(bounds, operandRanges);

  Counters counters;
  llvm::SmallVector<Index> current(operands);
  llvm::SmallVector<rtl::RegOp> registers;
  auto nameOf = [&](size_t level) {
    return names.empty() ? fmt::format("i{}", level) : names[level];
  };
  for (size_t level = 0; level < levels; ++level) {
    registers.push_back(wires.holding(bitsFor(ranges[level]), nameOf(level)));
    counters.values.push_back({registers.back(), ranges[level]});
    current.push_back(counters.values.back());
  }

  // From the inside out: who wraps, and with it who advances.
  llvm::SmallVector<mlir::Value> wraps(levels), advances(levels);
  mlir::Value moves = advance;
  for (size_t level = levels; level-- > 0;) {
    advances[level] = moves;
    std::string name = nameOf(level);
    Wires::Part part(wires, name + "_last_part");
    mlir::Value isLast =
        isLastOf(wires, bounds, level, bounds.atLeast[level] > 0 && !endsEarly[level],
                 counters.values[level],
                 llvm::ArrayRef<Index>(current).take_front(operands.size() + level), name);
    wires.named(isLast, name + "_last");
    wraps[level] = wires.named(wires.conjunction(moves, isLast), name + "_wraps");
    moves = wraps[level];
    counters.isLast = wires.conjunction(counters.isLast, isLast);
  }
  if (!counters.isLast)
    counters.isLast = wires.one();
  wires.named(counters.isLast, "all_last");

  // From the outside in: a level starts over where it wraps, from the bound that the next counters
  // outside give.
  llvm::SmallVector<Index> next(operands);
  for (size_t level = 0; level < levels; ++level) {
    Wires::Part part(wires, nameOf(level) + "_next");
    Index first = indices.largest(bounds.lower[level], next);
    Index following = indices.add(counters.values[level], indices.constant(1));
    wires.named(following.bits, nameOf(level) + "_plus_1");
    mlir::Value restarts = wires.disjunction(start, wraps[level]);
    mlir::Value enable =
        wires.named(wires.disjunction(start, advances[level]), nameOf(level) + "_steps");
    Index value = indices.narrowed(indices.choose(restarts, first, following), ranges[level]);
    // Levels inside see the value after this step, whether it changes or not.
    Index held = indices.choose(enable, value, counters.values[level]);
    registers[level].getEnableMutable().assign(enable);
    registers[level].setNext(indices.resized(value, bitsFor(ranges[level])));
    next.push_back(indices.narrowed(held, ranges[level]));
  }
  return counters;
}

} // namespace spindle::hls
