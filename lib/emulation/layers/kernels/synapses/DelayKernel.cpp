// Signals of some steps ago, from a ring of rows.
#include "lib/emulation/layers/PlanBuilder.h"

#include <algorithm>

namespace spindle::layers {

/// Each group of elements has a delay of its own. What a step leaves in its row of the ring is what
/// was put out: the longest delay reads there.
static constexpr llvm::StringLiteral kDelayKernel = R"(
func.func @$name(%sample: i64, %time: i64, %seed: i64, %ring: !llvm.ptr {llvm.noalias}, %delays: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %steps = arith.constant $steps : i64
  %elements = arith.constant $elements : i64
  %groups = arith.constant $groups : i64
  %size = arith.constant $size : i64
  %bytes = arith.constant $bytes : i64
  %now = arith.remui %time, %steps : i64
  %nowAt = arith.muli %now, %elements : i64
  %row = llvm.getelementptr %ring[%nowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %ahead = arith.addi %now, %steps : i64
  scf.for %g = %c0 to %groups step %c1 : i64 {
    %at = arith.muli %g, %size : i64
    %delayFrom = llvm.getelementptr %delays[%g] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %delay = llvm.load %delayFrom : !llvm.ptr -> i64
    %behind = arith.subi %ahead, %delay : i64
    %past = arith.remui %behind, %steps : i64
    %pastAt = arith.muli %past, %elements : i64
    %pastRow = llvm.getelementptr %ring[%pastAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %before = llvm.getelementptr %pastRow[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %isNow = arith.cmpi eq, %delay, %c0 : i64
    %from = arith.select %isNow, %x, %before : !llvm.ptr
    %to = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %kept = llvm.getelementptr %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    "llvm.intr.memcpy"(%to, %from, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    "llvm.intr.memcpy"(%kept, %x, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  }
  return
}
)";

Signal addDelay(PlanBuilder &b, const Signal &input, llvm::ArrayRef<int64_t> steps) {
  Signal output = b.addSignal(Unit::Row, input.elements, input.binary);
  int64_t longest = std::max<int64_t>(1, *std::max_element(steps.begin(), steps.end()));
  size_t row = roundUp(input.elements, kVector), size = input.elements / steps.size();
  size_t ring = b.addBuffer(Unit::Slot, size_t(longest) * row * sizeof(float));
  b.plan.cleared.push_back(ring);
  Names names;
  names.set("steps", longest)
      .set("elements", int64_t(row))
      .set("groups", int64_t(steps.size()))
      .set("size", int64_t(size))
      .set("bytes", int64_t(size * sizeof(float)));
  b.addStage(Work::Steps, kDelayKernel, names,
             {ring, b.addParameter(steps.vec()), input.buffer, output.buffer});
  return output;
}

} // namespace spindle::layers
