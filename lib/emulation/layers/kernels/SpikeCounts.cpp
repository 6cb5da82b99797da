// Numbers of spikes of neurons whose spikes stand as bits: sixty-four at a time, in bytes, of which
// the sums of 255 steps are kept elsewhere.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

static constexpr llvm::StringLiteral kSpikeCountsKernel = R"(
func.func @$name(%sample: i64, %time: i64, %seed: i64, %masks: !llvm.ptr {llvm.noalias}, %bytes: !llvm.ptr {llvm.noalias}, %earlier: !llvm.ptr {llvm.noalias}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %word = arith.constant 64 : i64
  %lanes = arith.constant 16 : i64
  %size = arith.constant $size : i64
  %most = arith.constant 255 : i64
  %bits = arith.constant 8 : i64
  %none = arith.constant dense<0> : vector<16xi8>
  scf.for %i = %c0 to %size step %word : i64 {
    %maskAt = arith.divui %i, %bits : i64
    %maskFrom = llvm.getelementptr %masks[%maskAt] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %mask = llvm.load %maskFrom : !llvm.ptr -> i64
    %spikes = llvm.bitcast %mask : i64 to vector<64xi1>
    %less = arith.extsi %spikes : vector<64xi1> to vector<64xi8>
    %at = llvm.getelementptr %bytes[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %before = llvm.load %at {alignment = 64 : i64} : !llvm.ptr -> vector<64xi8>
    %after = arith.subi %before, %less : vector<64xi8>
    llvm.store %after, %at {alignment = 64 : i64} : vector<64xi8>, !llvm.ptr
  }
  %steps = arith.addi %time, %c1 : i64
  %left = arith.remui %steps, %most : i64
  %isFull = arith.cmpi eq, %left, %c0 : i64
  scf.if %isFull {
    scf.for %i = %c0 to %size step %lanes : i64 {
      %at = llvm.getelementptr %bytes[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %counts = llvm.load %at {alignment = 16 : i64} : !llvm.ptr -> vector<16xi8>
      llvm.store %none, %at {alignment = 16 : i64} : vector<16xi8>, !llvm.ptr
      %wide = arith.extui %counts : vector<16xi8> to vector<16xi32>
      %sumAt = llvm.getelementptr %earlier[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %before = llvm.load %sumAt {alignment = 64 : i64} : !llvm.ptr -> vector<16xi32>
      %sum = arith.addi %before, %wide : vector<16xi32>
      llvm.store %sum, %sumAt {alignment = 64 : i64} : vector<16xi32>, !llvm.ptr
    }
  }
  return
}
)";

SpikeCounts addSpikeCounts(PlanBuilder &b, const Signal &bits) {
  size_t size = roundUp(bits.layout.size, 64);
  SpikeCounts counts{b.addBuffer(Unit::Slot, size),
                     b.addBuffer(Unit::Slot, size * sizeof(uint32_t))};
  b.plan.cleared.insert(b.plan.cleared.end(), {counts.bytes, counts.earlier});
  Names names;
  names.set("size", int64_t(size));
  b.addStage(Work::Steps, kSpikeCountsKernel, names, {bits.buffer, counts.bytes, counts.earlier});
  b.plan.stages.back().joined = true;
  return counts;
}

} // namespace spindle::layers
