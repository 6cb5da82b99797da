// Zeros and ones from channels side by side to channel after channel: one bit of every pixel's mask
// at a time.
#include "lib/emulation/layerwise/PlanBuilder.h"

namespace spindle::layerwise {

static constexpr llvm::StringLiteral kText = R"(
func.func @$name(%signal: !llvm.ptr {llvm.noalias}, %masks: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %lanes = arith.constant 16 : i64
  %bytesOfLanes = arith.constant 8 : i64
  %stride = arith.constant $stride : i64
  %outStride = arith.constant $outStride : i64
  %size = arith.constant $size : i64
  %channels = arith.constant $channels : i64
  %pixels = arith.constant $pixels : i64
  %block = arith.constant $block : i64
  %blockPixels = arith.constant $pixels : i64
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %ones = arith.constant dense<1.0> : vector<16xf32>
  %none = arith.constant dense<0> : vector<16x$word>
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %signal[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.for %i = %c0 to %size step %lanes : i64 {
      %from = llvm.getelementptr %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %values = llvm.load %from {alignment = 64 : i64} : !llvm.ptr -> vector<16xf32>
      %some = arith.cmpf une, %values, %zeros : vector<16xf32>
      %bits = llvm.bitcast %some : vector<16xi1> to i16
      %at = arith.divui %i, %lanes : i64
      %to = llvm.getelementptr %masks[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      llvm.store %bits, %to {alignment = 2 : i64} : i16, !llvm.ptr
    }
    %outAt = arith.muli %r, %outStride : i64
    %natural = llvm.getelementptr %out[%outAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.for %c = %c0 to %channels step %c1 : i64 {
      %b = arith.divui %c, %block : i64
      %blockAt = arith.muli %b, %blockPixels : i64
      %words = llvm.getelementptr %masks[%blockAt] : (!llvm.ptr, i64) -> !llvm.ptr, $word
      %bit = arith.remui %c, %block : i64
      $shift
      %one = arith.constant 1 : $word
      %test = arith.shli %one, %shift : $word
      %tests = vector.broadcast %test : $word to vector<16x$word>
      %planeAt = arith.muli %c, %pixels : i64
      %plane = llvm.getelementptr %natural[%planeAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      scf.for %p = %c0 to %pixels step %lanes : i64 { // runs over into the next channel, written after
        %wordFrom = llvm.getelementptr %words[%p] : (!llvm.ptr, i64) -> !llvm.ptr, $word
        %word = llvm.load %wordFrom {alignment = 1 : i64} : !llvm.ptr -> vector<16x$word>
        %tested = arith.andi %word, %tests : vector<16x$word>
        %spikes = arith.cmpi ne, %tested, %none : vector<16x$word>
        %floats = arith.select %spikes, %ones, %zeros : vector<16xi1>, vector<16xf32>
        %to = llvm.getelementptr %plane[%p] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %floats, %to {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
      }
    }
  }
  return
}
)";

Signal addNaturalOrder(PlanBuilder &b, const Signal &signal, llvm::ArrayRef<int64_t> shape) {
  size_t channels = size_t(shape[0]), pixels = size_t(shape[1] * shape[2]);
  size_t block = 8;
  while (block < 64 && block < channels)
    block *= 2;
  Signal output = b.addSignal(Unit::Row, signal.elements, true);
  size_t masks = b.addBuffer(Unit::Thread, signal.layout.size / 8 + 64 + kVector * 8);
  Names names;
  names.set("word", "i" + std::to_string(block))
      .set("shift", block == 64 ? "%shift = arith.addi %bit, %c0 : i64"
                                : "%shift = arith.trunci %bit : i64 to i" + std::to_string(block))
      .set("stride", int64_t(b.bytesOf(signal.buffer) / sizeof(float)))
      .set("outStride", int64_t(b.bytesOf(output.buffer) / sizeof(float)))
      .set("size", int64_t(signal.layout.size))
      .set("channels", int64_t(channels))
      .set("pixels", int64_t(pixels))
      .set("block", int64_t(block));
  b.addStage(Work::Rows, kText, names, {signal.buffer, masks, output.buffer});
  return output;
}

} // namespace spindle::layerwise
