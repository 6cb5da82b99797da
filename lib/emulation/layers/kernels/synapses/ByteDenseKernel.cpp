// Dense layers with weights of 8 bits: two of them in a number of 16 are added at once.
#include "lib/emulation/layers/kernels/synapses/DenseLayer.h"

#include "fmt/format.h"

namespace spindle::layers {

/// Lane j of a vector holds x = 256 · h + (l + 128), h and l the weights of two outputs. Σx and
/// Σ(x >> 8) = Σh are added modulo 2^16; then Σl = Σx − 256 · Σh − 128 · events. Both sums fit into
/// 16 bits, so that it does not matter what was lost on the way.
static constexpr llvm::StringLiteral kByteDenseKernel = R"(
func.func @$name(%list: !llvm.ptr {llvm.noalias}, %ends: !llvm.ptr {llvm.noalias}, %weights: !llvm.ptr {llvm.noalias},
                 %biases: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %panels = arith.constant $panels : i64
  %capacity = arith.constant $capacity : i64
  %endsStride = arith.constant $endsStride : i64
  %stride = arith.constant $stride : i64
  %lanes = arith.constant 64 : i64
  %width = arith.constant 128 : i64
  %size = arith.constant $size : i64
  %offset = arith.constant 128 : i16
  %byte = arith.constant dense<8> : vector<64xi16>
  %zeros = arith.constant dense<0> : vector<64xi16>
  %columns = llvm.getelementptr %out[$first] : (!llvm.ptr) -> !llvm.ptr, f32
  scf.for %p = %c0 to %panels step %c1 : i64 {
    %panelAt = arith.muli %p, %size : i64
    %panel = llvm.getelementptr %weights[%panelAt] : (!llvm.ptr, i64) -> !llvm.ptr, i16
    %lowAt = arith.muli %p, %width : i64
    %highAt = arith.addi %lowAt, %lanes : i64
    %lowBiasFrom = llvm.getelementptr %biases[%lowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %lowBias = llvm.load %lowBiasFrom {alignment = 64 : i64} : !llvm.ptr -> vector<64xf32>
    %highBiasFrom = llvm.getelementptr %biases[%highAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %highBias = llvm.load %highBiasFrom {alignment = 64 : i64} : !llvm.ptr -> vector<64xf32>
    scf.for %r = %c0 to %rows step %c1 : i64 {
      %endAt = arith.muli %r, %endsStride : i64
      %endFrom = llvm.getelementptr %ends[%endAt] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %end = llvm.load %endFrom : !llvm.ptr -> i64
      %listAt = arith.muli %r, %capacity : i64
      %entries = llvm.getelementptr %list[%listAt] : (!llvm.ptr, i64) -> !llvm.ptr, $type
      %sums:2 = scf.for %e = %c0 to %end step %c1 iter_args(%both = %zeros, %high = %zeros) -> (vector<64xi16>, vector<64xi16>) : i64 {
        %entryFrom = llvm.getelementptr %entries[%e] : (!llvm.ptr, i64) -> !llvm.ptr, $type
        %narrow = llvm.load %entryFrom : !llvm.ptr -> $type
        %entry = arith.extui %narrow : $type to i64
        %weightAt = arith.muli %entry, %lanes : i64
        %from = llvm.getelementptr %panel[%weightAt] : (!llvm.ptr, i64) -> !llvm.ptr, i16
        %weight = llvm.load %from {alignment = 64 : i64} : !llvm.ptr -> vector<64xi16>
        %nextBoth = arith.addi %both, %weight : vector<64xi16>
        %highWeight = arith.shrsi %weight, %byte : vector<64xi16>
        %nextHigh = arith.addi %high, %highWeight : vector<64xi16>
        scf.yield %nextBoth, %nextHigh : vector<64xi16>, vector<64xi16>
      }
      %events = arith.trunci %end : i64 to i16
      %offsets = arith.muli %events, %offset : i16
      %allOffsets = vector.broadcast %offsets : i16 to vector<64xi16>
      %highPart = arith.shli %sums#1, %byte : vector<64xi16>
      %lowPart = arith.subi %sums#0, %highPart : vector<64xi16>
      %lowSum = arith.subi %lowPart, %allOffsets : vector<64xi16>
      %lowFloat = arith.sitofp %lowSum : vector<64xi16> to vector<64xf32>
      %highFloat = arith.sitofp %sums#1 : vector<64xi16> to vector<64xf32>
      %lowBiased = arith.addf %lowFloat, %lowBias : vector<64xf32>
      %highBiased = arith.addf %highFloat, %highBias : vector<64xf32>
      %rowAt = arith.muli %r, %stride : i64
      %row = llvm.getelementptr %columns[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %lowTo = llvm.getelementptr %row[%lowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store $low, %lowTo {alignment = 64 : i64} : vector<64xf32>, !llvm.ptr
      %highTo = llvm.getelementptr %row[%highAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store $high, %highTo {alignment = 64 : i64} : vector<64xf32>, !llvm.ptr
    }
  }
  return
}
)";

/// Rows of lanes for each input, panel by panel.
static std::vector<int16_t> pack(const DenseLayer &layer, const Panels &panels) {
  constexpr size_t kShortLanes = kByteWidth / 2;
  std::vector<int16_t> packed;
  for (size_t p = 0; p < panels.count; ++p)
    for (size_t i = 0; i < layer.inputs; ++i)
      for (size_t lane = 0; lane < kShortLanes; ++lane) {
        size_t low = panels.first + p * kByteWidth + lane;
        packed.push_back(int16_t(256 * int32_t(layer.weight(low + kShortLanes, i)) +
                                 int32_t(layer.weight(low, i)) + 128));
      }
  return packed;
}

void addBytePanels(PlanBuilder &b, const DenseLayer &layer, const EventList &events, size_t out,
                   const Panels &panels) {
  Names names;
  names.set("panels", int64_t(panels.count))
      .set("first", int64_t(panels.first))
      .set("size", int64_t(layer.inputs * kByteWidth / 2))
      .set("capacity", int64_t(events.capacity))
      .set("type", typeOf(events))
      .set("endsStride", int64_t(b.bytesOf(events.ends) / sizeof(int64_t)))
      .set("stride", int64_t(b.bytesOf(out) / sizeof(float)))
      .set("low", layer.bias.empty() ? "%lowFloat" : "%lowBiased")
      .set("high", layer.bias.empty() ? "%highFloat" : "%highBiased");
  b.addStage(Work::Rows, kByteDenseKernel, names,
             {events.entries, events.ends, b.addParameter(pack(layer, panels)),
              b.addParameter(packBias(layer, panels)), out});
}

} // namespace spindle::layers
