// The kernel of a stage while it is written: its arguments, and loops over numbers.
#pragma once

#include "lib/emulation/lanes/Number.h"
#include "lib/emulation/layers/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace spindle::layers {

class PlanBuilder;
using lanes::Array;
using lanes::Number;
using Numbers = llvm::SmallVector<Number>;

/// All copies of a buffer of which there is one for each row.
struct RowArray {
  Array first;
  int64_t stride; // elements from a row to the next one

  Array operator[](Number row) const { return first + row * stride; }
  /// From some elements on.
  RowArray operator+(Number elements) const { return {first + elements, stride}; }
  RowArray operator+(int64_t elements) const { return {first + elements, stride}; }
};

/// The list of a row: its ends, its entries and, of signals that are not binary, their values.
struct Events {
  Array entries, ends;
  std::optional<Array> values;

  /// Entry `e`, as i64.
  Number entry(Number e) const { return entries[e].resized(64); }
  /// After the last entry of the first plane.
  Number end() const { return ends.load(); }
  /// What event `e` adds to a sum.
  Number term(Number e, Number weight) const { return values ? weight * (*values)[e] : weight; }
};

/// The lists of all rows.
struct EventRows {
  RowArray entries, ends;
  std::optional<RowArray> values;

  Events operator[](Number row) const;
};

/// What a loop goes over: first, first + step, … below the end.
struct Range {
  Range(int64_t count, int64_t by = 1) : constantEnd(count), step(by) {}
  Range(Number behind, int64_t by = 1) : end(behind), step(by) {}
  Range(Number from, Number behind, int64_t by = 1) : first(from), end(behind), step(by) {}

  std::optional<Number> first, end;
  int64_t constantEnd = 0; // where there is no other end
  int64_t step;
};

/// A function of what the work of a stage is called with. Buffers are arguments in the order in
/// which they are asked for, once each; no two of them overlap.
class StageKernel : public lanes::LoopBuilder {
public:
  StageKernel(PlanBuilder &plan, Work kind);

  Array array(size_t buffer, mlir::Type element);
  Array floats(size_t buffer) { return array(buffer, f32()); }
  RowArray rows(size_t buffer, mlir::Type element);
  RowArray floatRows(size_t buffer) { return rows(buffer, f32()); }
  Events events(const EventList &list);
  EventRows eventRows(const EventList &list);
  /// Of steps.
  Number sample() { return scalar(0); }
  Number time() { return scalar(1); }
  Number seed() { return scalar(2); }
  /// Of rows or slots: how many there are.
  Number rowCount() { return scalar(unsigned(bufferNumbers.size())); }

  Number number(int64_t value) { return {*this, integer(64), value}; }
  /// A vector of floats, all equal.
  Number vectorOf(double value, int64_t count = lanes::kLanes) {
    return {*this, lanesOf(f32(), count), value};
  }

  void loop(Range range, llvm::function_ref<void(Number)> body);
  void forRows(llvm::function_ref<void(Number row)> body) { loop(rowCount(), body); }
  /// Loops that carry sums in registers: the body gives them as they are after it.
  Number reduce(Range range, Number sum, llvm::function_ref<Number(Number, Number)> body);
  Numbers reduce(Range range, Numbers sums, llvm::function_ref<Numbers(Number, Numbers)> body);
  /// Blocks of neighbours below `extent`: a loop over the full ones, then the rest.
  void forBlocks(int64_t extent, int64_t size,
                 llvm::function_ref<void(Number first, int64_t count)> body);

  const Work work;
  const std::vector<size_t> &buffers() const { return bufferNumbers; }
  /// Gives the function away.
  mlir::OwningOpRef<mlir::func::FuncOp> take() { return std::move(function); }

private:
  Number scalar(unsigned argument) { return {*this, function->getArgument(argument)}; }

  const PlanBuilder &planned;
  mlir::OwningOpRef<mlir::func::FuncOp> function;
  std::vector<size_t> bufferNumbers;
};

} // namespace spindle::layers
