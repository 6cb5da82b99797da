// Signals put one behind the other along a dimension.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

/// Copies the extents of one signal to their places in the joined one.
static constexpr llvm::StringLiteral kJoinKernel = R"(
func.func @$name(%sample: i64, %time: i64, %seed: i64, %in: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %outer = arith.constant $outer : i64
  %part = arith.constant $part : i64
  %joined = arith.constant $joined : i64
  %bytes = arith.constant $bytes : i64
  %inside = llvm.getelementptr %out[$first] : (!llvm.ptr) -> !llvm.ptr, f32
  scf.for %o = %c0 to %outer step %c1 : i64 {
    %fromAt = arith.muli %o, %part : i64
    %from = llvm.getelementptr %in[%fromAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %toAt = arith.muli %o, %joined : i64
    %to = llvm.getelementptr %inside[%toAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    "llvm.intr.memcpy"(%to, %from, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  }
  return
}
)";

Signal addJoined(PlanBuilder &b, llvm::ArrayRef<Signal> inputs, size_t outer) {
  size_t elements = 0;
  for (const Signal &input : inputs)
    elements += input.elements;
  bool binary = llvm::all_of(inputs, [](const Signal &input) { return input.binary; });
  Signal output = b.addSignal(Unit::Row, elements, binary);
  size_t first = 0;
  for (const Signal &input : inputs) {
    size_t part = input.elements / outer;
    Names names;
    names.set("outer", int64_t(outer))
        .set("part", int64_t(part))
        .set("joined", int64_t(elements / outer))
        .set("bytes", int64_t(part * sizeof(float)))
        .set("first", int64_t(first));
    b.addStage(Work::Steps, kJoinKernel, names, {input.buffer, output.buffer});
    first += part;
  }
  return output;
}

} // namespace spindle::layers
