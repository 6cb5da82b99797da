// Pooling of spikes that stand as bits: sixteen windows of a line at a time, channel by channel.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

static constexpr llvm::StringLiteral kPooledBitsKernel = R"(
func.func @$name(%masks: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %lanes = arith.constant 16 : i64
  %stride = arith.constant $stride : i64
  %outStride = arith.constant $outStride : i64
  %blocks = arith.constant $blocks : i64
  %pixels = arith.constant $pixels : i64
  %height = arith.constant $height : i64
  %full = arith.constant $full : i64
  %nextLine = arith.constant $nextLine : i64
  %columns = arith.constant $columns : i64
  %step = arith.constant $step : i64
  %block = arith.constant $block : i64
  %channels = arith.constant $channels : i64
  %plane = arith.constant $plane : i64
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %ones = arith.constant dense<1.0> : vector<16xf32>
  %none = arith.constant dense<0> : vector<16x$word>
  %inputs = arith.constant dense<$inputs> : vector<16xf32>
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %masks[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %outAt = arith.muli %r, %outStride : i64
    %outRow = llvm.getelementptr %out[%outAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.for %b = %c0 to %blocks step %c1 : i64 {
      %imageAt = arith.muli %b, %pixels : i64
      %image = llvm.getelementptr %row[%imageAt] : (!llvm.ptr, i64) -> !llvm.ptr, $word
      %firstChannel = arith.muli %b, %block : i64
      %channelsLeft = arith.subi %channels, %firstChannel : i64
      %most = arith.minui %channelsLeft, %block : i64
      %planesAt = arith.muli %firstChannel, %plane : i64
      %planes = llvm.getelementptr %outRow[%planesAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      scf.for %y = %c0 to %height step %c1 : i64 {
        %lineAt = arith.muli %y, %nextLine : i64
        %line = llvm.getelementptr %image[%lineAt] : (!llvm.ptr, i64) -> !llvm.ptr, $word
        %toAt = arith.muli %y, %columns : i64
        %lineTo = llvm.getelementptr %planes[%toAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        scf.for %x = %c0 to %full step %lanes : i64 {$windows
        }
        $rest
      }
    }
  }
  return
}
)";

/// Sixteen windows from %x on, of which the first $count are stored.
static constexpr llvm::StringLiteral kBitWindows = R"(
          %windowAt = arith.muli %x, %step : i64
          %window = llvm.getelementptr %line[%windowAt] : (!llvm.ptr, i64) -> !llvm.ptr, $word
          $words
          scf.for %c = %c0 to %most step %c1 : i64 {
            %one = arith.constant 1 : $word
            $shift
            %test = arith.shli %one, %bit : $word
            %tests = vector.broadcast %test : $word to vector<16x$word>
            $additions
            $divide
            %planeAt = arith.muli %c, %plane : i64
            %planeTo = llvm.getelementptr %lineTo[%planeAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
            %to = llvm.getelementptr %planeTo[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
            $store
          })";

/// Words of a line of the windows.
static constexpr llvm::StringLiteral kBitLine = R"(
          %from$i = llvm.getelementptr %window[$at] : (!llvm.ptr) -> !llvm.ptr, $word
          %line$i = llvm.load %from$i {alignment = 1 : i64} : !llvm.ptr -> $lineType)";
/// Words at one place of the windows.
static constexpr llvm::StringLiteral kBitWord = R"(
          %word$k = llvm.shufflevector %line$i, %line$i [$places] : $lineType)";
static constexpr llvm::StringLiteral kBitAddition = R"(
            %tested$k = arith.andi %word$k, %tests : vector<16x$word>
            %spikes$k = arith.cmpi ne, %tested$k, %none : vector<16x$word>
            %more$k = arith.addf $sum, %ones : vector<16xf32>
            %sum$k = arith.select %spikes$k, %more$k, $sum : vector<16xi1>, vector<16xf32>)";

static constexpr llvm::StringLiteral kBitStore = R"(
            llvm.store $result, %to {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr)";
static constexpr llvm::StringLiteral kBitStoreFirst = R"(
            %stored = vector.constant_mask [$count] : vector<16xi1>
            llvm.intr.masked.store $result, %to, %stored {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr)";

/// The words of sixteen windows, and the additions of a channel of them.
static void setPlaces(Names &names, const Windows &windows, const Image &image) {
  std::string words, additions, sum = "%zeros";
  int64_t step = windows.strides[1], span = (int64_t(kVector) - 1) * step + windows.kernel[1];
  names.set("lineType", names.fill("vector<" + std::to_string(span) + "x$word>"));
  for (int64_t i = 0; i < windows.kernel[0]; ++i) {
    words += names.set("i", i).set("at", i * image.line).fill(kBitLine);
    for (int64_t j = 0; j < windows.kernel[1]; ++j) {
      names.set("places", placesOf(kVector, [&](int64_t lane) { return lane * step + j; }));
      words += names.set("k", i * windows.kernel[1] + j).fill(kBitWord);
      additions += names.set("sum", sum).fill(kBitAddition);
      sum = names.fill("%sum$k");
    }
  }
  names.set("words", words).set("additions", additions).set("sum", sum);
}

Signal addPooledBits(PlanBuilder &b, mlir::Operation *op, const Signal &bits) {
  Windows windows = windowsOf(op);
  const Image &image = bits.layout.image;
  int64_t block = image.block(), columns = windows.out[2], rest = columns % int64_t(kVector);
  Signal output = b.addSignal(Unit::Row, size_t(snn::sizeOf(op->getResult(0))), false);
  Names names;
  names.set("word", "i" + std::to_string(block))
      .set("shift", asWord("%bit", "%c", block))
      .set("stride", int64_t(b.bytesOf(bits.buffer)))
      .set("outStride", int64_t(b.bytesOf(output.buffer) / sizeof(float)))
      .set("blocks", image.blocks())
      .set("block", block)
      .set("channels", image.channels)
      .set("pixels", image.plane())
      .set("height", windows.out[1])
      .set("columns", columns)
      .set("full", columns - rest)
      .set("plane", windows.out[1] * columns)
      .set("nextLine", windows.strides[0] * image.line)
      .set("step", windows.strides[1])
      .set("inputs", std::to_string(windows.inputs()) + ".0");
  setPlaces(names, windows, image);
  names.set("result", setDivision(names, op, "%average", names.fill("$sum"))).set("count", rest);
  names.setLine("windows", kVector, rest, [&](int64_t count) {
    names.set("store", names.fill(count < int64_t(kVector) ? kBitStoreFirst : kBitStore));
    return names.fill(kBitWindows);
  });
  b.addStage(Work::Rows, kPooledBitsKernel, names, {bits.buffer, output.buffer});
  return output;
}

} // namespace spindle::layers
