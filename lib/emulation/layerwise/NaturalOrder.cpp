// Spikes from channels side by side to channel after channel: one bit of every pixel's mask at a
// time.
#include "lib/emulation/layerwise/PlanBuilder.h"

namespace spindle::layerwise {

static constexpr llvm::StringLiteral kText = R"(
func.func @$name(%masks: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %lanes = arith.constant 16 : i64
  %stride = arith.constant $stride : i64
  %outStride = arith.constant $outStride : i64
  %channels = arith.constant $channels : i64
  %pixels = arith.constant $pixels : i64
  %block = arith.constant $block : i64
  %blockPixels = arith.constant $pixels : i64
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %ones = arith.constant dense<1.0> : vector<16xf32>
  %none = arith.constant dense<0> : vector<16x$word>
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %masks[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %outAt = arith.muli %r, %outStride : i64
    %natural = llvm.getelementptr %out[%outAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.for %c = %c0 to %channels step %c1 : i64 {
      %b = arith.divui %c, %block : i64
      %blockAt = arith.muli %b, %blockPixels : i64
      %words = llvm.getelementptr %row[%blockAt] : (!llvm.ptr, i64) -> !llvm.ptr, $word
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

size_t addMasks(PlanBuilder &b, size_t elements) {
  return b.addBuffer(Unit::Row, elements / 8 + 64 + kVector * 8);
}

Signal addNaturalOrder(PlanBuilder &b, size_t masks, llvm::ArrayRef<int64_t> shape) {
  size_t channels = size_t(shape[0]), pixels = size_t(shape[1] * shape[2]);
  size_t block = 8;
  while (block < 64 && block < channels)
    block *= 2;
  Signal output = b.addSignal(Unit::Row, channels * pixels, true);
  Names names;
  names.set("word", "i" + std::to_string(block))
      .set("shift", block == 64 ? "%shift = arith.addi %bit, %c0 : i64"
                                : "%shift = arith.trunci %bit : i64 to i" + std::to_string(block))
      .set("stride", int64_t(b.bytesOf(masks)))
      .set("outStride", int64_t(b.bytesOf(output.buffer) / sizeof(float)))
      .set("channels", int64_t(channels))
      .set("pixels", int64_t(pixels))
      .set("block", int64_t(block));
  b.addStage(Work::Rows, kText, names, {masks, output.buffer});
  return output;
}

} // namespace spindle::layerwise
