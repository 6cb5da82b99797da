// Signals of earlier steps, from rings of rows.
#include "lib/emulation/layerwise/PlanBuilder.h"

namespace spindle::layerwise {

static constexpr llvm::StringLiteral kText = R"(
func.func @$name(%sample: i64, %time: i64, %seed: i64, %ring: !llvm.ptr {llvm.noalias}, %in: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}) {
  %rows = arith.constant $rows : i64
  %elements = arith.constant $elements : i64
  %bytes = arith.constant $bytes : i64
  %now = arith.remui %time, %rows : i64
  %at = arith.muli %now, %elements : i64
  %row = llvm.getelementptr %ring[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  $read
  $write
  return
}
)";

static constexpr llvm::StringLiteral kRead =
    R"("llvm.intr.memcpy"(%out, %row, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ())";
static constexpr llvm::StringLiteral kWrite =
    R"("llvm.intr.memcpy"(%row, %in, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ())";

static void addStage(PlanBuilder &b, const Ring &ring, size_t in, size_t out, bool reads,
                     bool writes) {
  size_t bytes = roundUp(ring.elements, kVector) * sizeof(float);
  Names names;
  names.set("rows", ring.steps)
      .set("elements", int64_t(bytes / sizeof(float)))
      .set("bytes", int64_t(bytes))
      .set("read", reads ? kRead.str() : "")
      .set("write", writes ? kWrite.str() : "");
  b.addStage(Work::Steps, kText, names, {ring.buffer, in, out});
}

Ring addRing(PlanBuilder &b, size_t elements, int64_t steps) {
  Ring ring{b.addFloats(Unit::Slot, size_t(steps) * roundUp(elements, kVector)), elements, steps};
  b.plan.cleared.push_back(ring.buffer);
  return ring;
}

Signal addDelay(PlanBuilder &b, const Signal &input, int64_t steps) {
  Signal output = b.addSignal(Unit::Row, input.elements, input.binary);
  addStage(b, addRing(b, input.elements, steps), input.buffer, output.buffer, true, true);
  return output;
}

Signal addPast(PlanBuilder &b, const Ring &ring, bool binary) {
  Signal output = b.addSignal(Unit::Row, ring.elements, binary);
  addStage(b, ring, output.buffer, output.buffer, true, false);
  b.plan.mostSteps = std::min(b.plan.mostSteps, size_t(ring.steps));
  return output;
}

void addReturn(PlanBuilder &b, const Ring &ring, const Signal &spikes) {
  addStage(b, ring, spikes.buffer, spikes.buffer, false, true);
}

} // namespace spindle::layerwise
