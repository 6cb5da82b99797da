// Sums of two signals, element by element.
#include "lib/emulation/layerwise/PlanBuilder.h"

namespace spindle::layerwise {

static constexpr llvm::StringLiteral kText = R"(
func.func @$name(%left: !llvm.ptr {llvm.noalias}, %right: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %lanes = arith.constant 16 : i64
  %size = arith.constant $size : i64
  %leftStride = arith.constant $leftStride : i64
  %rightStride = arith.constant $rightStride : i64
  %stride = arith.constant $stride : i64
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %leftAt = arith.muli %r, %leftStride : i64
    %leftRow = llvm.getelementptr %left[%leftAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %rightAt = arith.muli %r, %rightStride : i64
    %rightRow = llvm.getelementptr %right[%rightAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %at = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.for %i = %c0 to %size step %lanes : i64 {
      %leftFrom = llvm.getelementptr %leftRow[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %leftFrom {alignment = 64 : i64} : !llvm.ptr -> vector<16xf32>
      %rightFrom = llvm.getelementptr %rightRow[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %rightFrom {alignment = 64 : i64} : !llvm.ptr -> vector<16xf32>
      %sum = arith.addf %x, %y : vector<16xf32>
      %to = llvm.getelementptr %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %to {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr
    }
  }
  return
}
)";

Signal addSum(PlanBuilder &b, const Signal &left, const Signal &right) {
  Signal output = b.addSignal(Unit::Row, left.elements, false);
  Names names;
  names.set("size", int64_t(left.elements))
      .set("leftStride", int64_t(b.bytesOf(left.buffer) / sizeof(float)))
      .set("rightStride", int64_t(b.bytesOf(right.buffer) / sizeof(float)))
      .set("stride", int64_t(b.bytesOf(output.buffer) / sizeof(float)));
  b.addStage(Work::Rows, kText, names, {left.buffer, right.buffer, output.buffer});
  return output;
}

} // namespace spindle::layerwise
