// Signals of some steps ago, from a ring of rows.
#include "lib/emulation/layerwise/PlanBuilder.h"

namespace spindle::layerwise {

static constexpr llvm::StringLiteral kText = R"(
func.func @$name(%sample: i64, %time: i64, %seed: i64, %ring: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}) {
  %steps = arith.constant $steps : i64
  %elements = arith.constant $elements : i64
  %bytes = arith.constant $bytes : i64
  %now = arith.remui %time, %steps : i64
  %at = arith.muli %now, %elements : i64
  %row = llvm.getelementptr %ring[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  "llvm.intr.memcpy"(%out, %row, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy"(%row, %in, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  return
}
)";

Signal addDelay(PlanBuilder &b, const Signal &input, int64_t steps) {
  Signal output = b.addSignal(Unit::Row, input.elements, input.binary);
  size_t bytes = roundUp(input.elements, kVector) * sizeof(float);
  size_t ring = b.addBuffer(Unit::Slot, size_t(steps) * bytes);
  b.plan.cleared.push_back(ring);
  Names names;
  names.set("steps", steps)
      .set("elements", int64_t(bytes / sizeof(float)))
      .set("bytes", int64_t(bytes));
  b.addStage(Work::Steps, kText, names, {ring, input.buffer, output.buffer});
  return output;
}

} // namespace spindle::layerwise
