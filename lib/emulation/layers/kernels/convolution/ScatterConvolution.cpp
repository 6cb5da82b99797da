// Convolutions event by event: each adds the filters' weights to the sums of the pixels it reaches.
// The channels of a pixel stand together; sums lie in a frame with room for what falls outside.
#include "lib/emulation/layers/kernels/convolution/Convolution.h"

#include <algorithm>

namespace spindle::layers {

static constexpr llvm::StringLiteral kScatterConvolutionKernel = R"(
func.func @$name(%list: !llvm.ptr {llvm.noalias}, %ends: !llvm.ptr {llvm.noalias}, %weights: !llvm.ptr {llvm.noalias},
                 %biases: !llvm.ptr {llvm.noalias}, %frame: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %blocks = arith.constant $blocks : i64
  %channels = arith.constant $channels : i64
  %capacity = arith.constant $capacity : i64
  %endsStride = arith.constant $endsStride : i64
  %stride = arith.constant $stride : i64
  %blockSize = arith.constant $blockSize : i64
  %blockOut = arith.constant $blockOut : i64
  %channelSize = arith.constant $channelSize : i64
  %height = arith.constant $height : i64
  %line = arith.constant $line : i64
  %wide = arith.constant $wide : i64
  %frameRow = arith.constant $frameRow : i64
  %outRow = arith.constant $outRow : i64
  %zeros = arith.constant dense<0.0> : $pixels
  %inside = llvm.getelementptr %frame[$origin] : (!llvm.ptr) -> !llvm.ptr, f32
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %endsAt = arith.muli %r, %endsStride : i64
    %rowEnds = llvm.getelementptr %ends[%endsAt] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %listAt = arith.muli %r, %capacity : i64
    %entries = llvm.getelementptr %list[%listAt] : (!llvm.ptr, i64) -> !llvm.ptr, $type
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %out[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.for %b = %c0 to %blocks step %c1 : i64 {
      %blockAt = arith.muli %b, %blockSize : i64
      %block = llvm.getelementptr %weights[%blockAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %all = scf.for %c = %c0 to %channels step %c1 iter_args(%begin = %c0) -> (i64) : i64 {
        %endFrom = llvm.getelementptr %rowEnds[%c] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        %end = llvm.load %endFrom : !llvm.ptr -> i64
        %channelAt = arith.muli %c, %channelSize : i64
        %channel = llvm.getelementptr %block[%channelAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        $loads
        scf.for %e = %begin to %end step %c1 : i64 {
          %entryFrom = llvm.getelementptr %entries[%e] : (!llvm.ptr, i64) -> !llvm.ptr, $type
          %narrow = llvm.load %entryFrom : !llvm.ptr -> $type
          %entry = arith.extui %narrow : $type to i64
          %sums = llvm.getelementptr %frame[%entry] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          $additions
        }
        scf.yield %end : i64
      }
      %biasAt = arith.muli %b, %wide : i64
      %biasFrom = llvm.getelementptr %biases[%biasAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %bias = llvm.load %biasFrom {alignment = $align : i64} : !llvm.ptr -> $pixels
      %outAt = arith.muli %b, %blockOut : i64
      %blockTo = llvm.getelementptr %row[%outAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      scf.for %y = %c0 to %height step %c1 : i64 {
        %frameAt = arith.muli %y, %frameRow : i64
        %frameFrom = llvm.getelementptr %inside[%frameAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %lineAt = arith.muli %y, %outRow : i64
        %lineTo = llvm.getelementptr %blockTo[%lineAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        scf.for %x = %c0 to %line step %wide : i64 {
          %from = llvm.getelementptr %frameFrom[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %to = llvm.getelementptr %lineTo[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %sum = llvm.load %from {alignment = $align : i64} : !llvm.ptr -> $pixels
          llvm.store %zeros, %from {alignment = $align : i64} : $pixels, !llvm.ptr
          %biased = arith.addf %sum, %bias : $pixels
          llvm.store $result, %to {alignment = $align : i64} : $pixels, !llvm.ptr
        }
      }
    }
  }
  return
}
)";

static constexpr llvm::StringLiteral kScatterLoad = R"(
        %weightFrom$k = llvm.getelementptr %channel[$weightAt] : (!llvm.ptr) -> !llvm.ptr, f32
        %weight$k = llvm.load %weightFrom$k {alignment = $align : i64} : !llvm.ptr -> $vector)";

static constexpr llvm::StringLiteral kScatterAddition = R"(
          %at$k = llvm.getelementptr %sums[$sumAt] : (!llvm.ptr) -> !llvm.ptr, f32
          %before$k = llvm.load %at$k {alignment = $align : i64} : !llvm.ptr -> $vector
          %after$k = arith.addf %before$k, %weight$k : $vector
          llvm.store %after$k, %at$k {alignment = $align : i64} : $vector, !llvm.ptr)";

namespace {

/// Where in the frame the first weight adds the event of each pixel.
std::vector<uint32_t> places(const Convolution &conv) {
  std::vector<uint32_t> result;
  for (int64_t y = 0; y < conv.rows.input; ++y)
    for (int64_t x = 0; x < conv.columns.input; ++x) {
      int64_t row = y + conv.rows.before - conv.rows.first();
      int64_t column = x + conv.columns.before - conv.columns.first();
      result.push_back(uint32_t((row * conv.columns.extent() + column) * conv.block));
    }
  return result;
}

/// The loads of all weights of a channel, and the additions of an event.
void setTaps(Names &names, const Convolution &conv) {
  std::string loads, additions;
  int64_t line = conv.columns.extent();
  for (int64_t i = 0; i < conv.rows.kernel; ++i)
    for (int64_t j = 0; j < conv.columns.kernel; ++j) {
      int64_t tap = i * conv.columns.kernel + j;
      names.set("k", tap).set("weightAt", tap * conv.block);
      names.set("sumAt", -(i * conv.rows.dilation * line + j * conv.columns.dilation) * conv.block);
      loads += names.fill(kScatterLoad);
      additions += names.fill(kScatterAddition);
    }
  names.set("loads", loads).set("additions", additions);
}

} // namespace

EventList addScatterConvolution(PlanBuilder &b, const Convolution &conv, const Signal &input,
                                const Signal &output) {
  EventList events = addEventList(b, input, size_t(conv.channels), places(conv));
  int64_t line = conv.columns.extent();
  size_t frame = b.addFloats(Unit::Thread, size_t(conv.rows.extent() * line * conv.block));

  // Two pixels of few filters fill a vector, where lines have no pixel left over.
  int64_t wide = conv.columns.output % 2 == 0 ? std::max<int64_t>(conv.block, kVector) : conv.block;
  std::vector<float> bias = packBias(conv);
  if (wide > conv.block) {
    bias.resize(size_t(wide));
    std::copy_n(bias.begin(), conv.block, bias.begin() + conv.block);
  }

  Names names;
  names.set("vector", "vector<" + std::to_string(conv.block) + "xf32>")
      .set("align", std::min<int64_t>(64, conv.block * 4))
      .set("blocks", conv.blocks)
      .set("channels", conv.channels)
      .set("capacity", int64_t(events.capacity))
      .set("type", typeOf(events))
      .set("endsStride", int64_t(b.bytesOf(events.ends) / sizeof(int64_t)))
      .set("stride", int64_t(b.bytesOf(output.buffer) / sizeof(float)))
      .set("blockSize", conv.channels * conv.taps() * conv.block)
      .set("channelSize", conv.taps() * conv.block)
      .set("blockOut", conv.pixels() * conv.block)
      .set("height", conv.rows.output)
      .set("line", conv.columns.output * conv.block)
      .set("wide", wide)
      .set("pixels", "vector<" + std::to_string(wide) + "xf32>")
      .set("frameRow", line * conv.block)
      .set("outRow", conv.columns.output * conv.block)
      .set("origin", -(conv.rows.first() * line + conv.columns.first()) * conv.block)
      .set("result", conv.bias.empty() ? "%sum" : "%biased");
  setTaps(names, conv);
  b.addStage(Work::Rows, kScatterConvolutionKernel, names,
             {events.entries, events.ends, b.addParameter(packWeights(conv)), b.addParameter(bias),
              frame, output.buffer});
  return events;
}

} // namespace spindle::layers
