// Spikes from channels side by side to channel after channel: one bit of every pixel's mask at a
// time.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

static constexpr llvm::StringLiteral kNaturalOrderKernel = R"(
func.func @$name(%masks: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %lanes = arith.constant 16 : i64
  %stride = arith.constant $stride : i64
  %outStride = arith.constant $outStride : i64
  %channels = arith.constant $channels : i64
  %pixels = arith.constant $pixels : i64
  %height = arith.constant $height : i64
  %width = arith.constant $width : i64
  %wordsOfLine = arith.constant $line : i64
  %block = arith.constant $block : i64
  %words = arith.constant $words : i64
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
      %blockAt = arith.muli %b, %words : i64
      %plane = llvm.getelementptr %row[%blockAt] : (!llvm.ptr, i64) -> !llvm.ptr, $word
      %bit = arith.remui %c, %block : i64
      $shift
      %one = arith.constant 1 : $word
      %test = arith.shli %one, %shift : $word
      %tests = vector.broadcast %test : $word to vector<16x$word>
      %planeAt = arith.muli %c, %pixels : i64
      %planeTo = llvm.getelementptr %natural[%planeAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      scf.for %y = %c0 to %height step %c1 : i64 {
        %lineAt = arith.muli %y, %wordsOfLine : i64
        %line = llvm.getelementptr %plane[%lineAt] : (!llvm.ptr, i64) -> !llvm.ptr, $word
        %toAt = arith.muli %y, %width : i64
        %lineTo = llvm.getelementptr %planeTo[%toAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        scf.for %x = %c0 to %width step %lanes : i64 { // runs over into what is written after
          %wordFrom = llvm.getelementptr %line[%x] : (!llvm.ptr, i64) -> !llvm.ptr, $word
          %word = llvm.load %wordFrom {alignment = 1 : i64} : !llvm.ptr -> vector<16x$word>
          %tested = arith.andi %word, %tests : vector<16x$word>
          %spikes = arith.cmpi ne, %tested, %none : vector<16x$word>
          %floats = arith.select %spikes, %ones, %zeros : vector<16xi1>, vector<16xf32>
          %to = llvm.getelementptr %lineTo[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store %floats, %to {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
        }
      }
    }
  }
  return
}
)";

size_t addMasks(PlanBuilder &b, size_t elements) {
  return b.addBuffer(Unit::Row, elements / 8 + 64 + kVector * 8);
}

Signal addNaturalOrder(PlanBuilder &b, const Signal &bits) {
  const Image &image = bits.layout.image;
  int64_t block = image.block(), pixels = image.rows * image.columns;
  bool isOneLine = image.line == image.columns; // pixel after pixel
  Signal output = b.addSignal(Unit::Row, bits.elements, true);
  Names names;
  names.set("word", "i" + std::to_string(block))
      .set("shift", asWord("%shift", "%bit", block))
      .set("stride", int64_t(b.bytesOf(bits.buffer)))
      .set("outStride", int64_t(b.bytesOf(output.buffer) / sizeof(float)))
      .set("channels", image.channels)
      .set("pixels", pixels)
      .set("height", isOneLine ? 1 : image.rows)
      .set("width", isOneLine ? pixels : image.columns)
      .set("line", image.line)
      .set("words", image.plane())
      .set("block", block);
  b.addStage(Work::Rows, kNaturalOrderKernel, names, {bits.buffer, output.buffer});
  return output;
}

} // namespace spindle::layers
