// From rows to lists of the elements that are not zero, sixteen at a time: compare, compress,
// count.
#include "lib/emulation/layers/PlanBuilder.h"

#include <algorithm>
#include <numeric>

namespace spindle::layers {

static constexpr llvm::StringLiteral kEventListKernel = R"(
func.func @$name(%signal: !llvm.ptr {llvm.noalias}, %table: !llvm.ptr {llvm.noalias}, %list: !llvm.ptr {llvm.noalias},
                 %ends: !llvm.ptr {llvm.noalias}$valuesArgument, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %vector = arith.constant 16 : i64
  %stride = arith.constant $stride : i64
  %capacity = arith.constant $capacity : i64
  %planes = arith.constant $planes : i64
  %endsStride = arith.constant $endsStride : i64
  %plane = arith.constant $plane : i64
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %none = arith.constant dense<0> : vector<16xi32>
  %lanes = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi32>
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %signal[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %listAt = arith.muli %r, %capacity : i64
    %entries = llvm.getelementptr %list[%listAt] : (!llvm.ptr, i64) -> !llvm.ptr, $type
    $valuesRow
    %endsAt = arith.muli %r, %endsStride : i64
    %rowEnds = llvm.getelementptr %ends[%endsAt] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %all = scf.for %p = %c0 to %planes step %c1 iter_args(%before = %c0) -> (i64) : i64 {
      %planeAt = arith.muli %p, %plane : i64
      %elements = llvm.getelementptr %row[%planeAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %end = scf.for %i = %c0 to %plane step %vector iter_args(%n = %before) -> (i64) : i64 {
        %from = llvm.getelementptr %elements[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %values = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
        %some = arith.cmpf une, %values, %zeros : vector<16xf32>
        $mask
        %entryFrom = llvm.getelementptr %table[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %entry = llvm.load %entryFrom {alignment = 4 : i64} : !llvm.ptr -> vector<16xi32>
        %packed = llvm.call_intrinsic "llvm.experimental.vector.compress"(%entry, %mask, %none) : (vector<16xi32>, vector<16xi1>, vector<16xi32>) -> vector<16xi32>
        %to = llvm.getelementptr %entries[%n] : (!llvm.ptr, i64) -> !llvm.ptr, $type
        $narrow
        llvm.store %narrow, %to {alignment = 2 : i64} : vector<16x$type>, !llvm.ptr
        $valuesStore
        %bits = llvm.bitcast %mask : vector<16xi1> to i16
        %ones = llvm.intr.ctpop(%bits) : (i16) -> i16
        %more = arith.extui %ones : i16 to i64
        %next = arith.addi %n, %more : i64
        scf.yield %next : i64
      }
      %endTo = llvm.getelementptr %rowEnds[%p] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      llvm.store %end, %endTo : i64, !llvm.ptr
      scf.yield %end : i64
    }
  }
  return
}
)";

std::vector<uint32_t> naturalNumbers(size_t count) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

EventList makeEventList(PlanBuilder &b, Unit unit, size_t elements, size_t planes, size_t greatest,
                        bool binary) {
  size_t capacity = roundUp(elements + kVector, 64 / sizeof(uint16_t));
  bool isNarrow = greatest <= UINT16_MAX;
  EventList list{b.addBuffer(unit, capacity * (isNarrow ? 2 : 4)),
                 b.addBuffer(unit, planes * sizeof(int64_t)), capacity, isNarrow, std::nullopt};
  if (!binary)
    list.values = b.addBuffer(unit, capacity * sizeof(float));
  return list;
}

EventList addEventList(PlanBuilder &b, const Signal &signal, size_t planes,
                       const std::vector<uint32_t> &table) {
  if (std::optional<EventList> known = b.findList(signal.buffer, planes, table))
    return *known;
  size_t plane = signal.elements / planes;
  Unit unit = b.unitOf(signal.buffer);
  EventList list = makeEventList(b, unit, signal.elements, planes,
                                 *std::max_element(table.begin(), table.end()), signal.binary);
  Names names;
  names.set("stride", int64_t(b.bytesOf(signal.buffer) / sizeof(float)))
      .set("capacity", int64_t(list.capacity))
      .set("type", typeOf(list))
      .set("narrow", list.narrow
                         ? "%narrow = arith.trunci %packed : vector<16xi32> to vector<16xi16>"
                         : "%narrow = arith.ori %packed, %none : vector<16xi32>")
      .set("planes", int64_t(planes))
      .set("endsStride", int64_t(b.bytesOf(list.ends) / sizeof(int64_t)))
      .set("plane", int64_t(plane));
  names.set("mask", plane % kVector == 0 ? "%mask = arith.ori %some, %some : vector<16xi1>" : R"(
        %left64 = arith.subi %plane, %i : i64
        %left = arith.trunci %left64 : i64 to i32
        %lefts = vector.broadcast %left : i32 to vector<16xi32>
        %inside = arith.cmpi slt, %lanes, %lefts : vector<16xi32>
        %mask = arith.andi %some, %inside : vector<16xi1>)");
  std::vector<size_t> buffers{signal.buffer, b.addParameter(table), list.entries, list.ends};
  names.set("valuesArgument", "").set("valuesRow", "").set("valuesStore", "");
  if (!signal.binary) {
    buffers.push_back(*list.values);
    names.set("valuesArgument", ", %found: !llvm.ptr {llvm.noalias}");
    names.set("valuesRow", "%rowFound = llvm.getelementptr %found[%listAt] : (!llvm.ptr, i64) -> "
                           "!llvm.ptr, f32");
    names.set("valuesStore", R"(
        %words = llvm.bitcast %values : vector<16xf32> to vector<16xi32>
        %packedValues = llvm.call_intrinsic "llvm.experimental.vector.compress"(%words, %mask, %none) : (vector<16xi32>, vector<16xi1>, vector<16xi32>) -> vector<16xi32>
        %valuesTo = llvm.getelementptr %rowFound[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %packedValues, %valuesTo {alignment = 4 : i64} : vector<16xi32>, !llvm.ptr)");
  }
  b.addStage(unit == Unit::Slot ? Work::Slots : Work::Rows, kEventListKernel, names,
             std::move(buffers));
  b.keepList(signal.buffer, planes, table, list);
  return list;
}

} // namespace spindle::layers
