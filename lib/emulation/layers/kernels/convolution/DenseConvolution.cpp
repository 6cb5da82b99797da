// Convolutions pixel by pixel: the sums of some columns stand in registers over all inputs. For
// inputs of which many are not zero.
#include "lib/emulation/lanes/HostTarget.h"
#include "lib/emulation/layers/kernels/convolution/Convolution.h"
#include "lib/emulation/layers/kernels/convolution/ImageFrame.h"

namespace spindle::layers {

static constexpr llvm::StringLiteral kDenseConvolutionKernel = R"(
func.func @$name(%signal: !llvm.ptr {llvm.noalias}, %weights: !llvm.ptr {llvm.noalias}, %biases: !llvm.ptr {llvm.noalias},
                 %frame: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %stride = arith.constant $stride : i64
  %outStride = arith.constant $outStride : i64
  %blocks = arith.constant $blocks : i64
  %channels = arith.constant $channels : i64
  %filters = arith.constant $filters : i64
  %blockSize = arith.constant $blockSize : i64
  %channelSize = arith.constant $channelSize : i64
  %kernelRow = arith.constant $kernelRow : i64
  %kernelRows = arith.constant $kernelRows : i64
  %blockOut = arith.constant $blockOut : i64
  %height = arith.constant $height : i64
  %plane = arith.constant $plane : i64
  %nextLine = arith.constant $nextLine : i64
  %nextTap = arith.constant $nextTap : i64
  %columnStride = arith.constant $columnStride : i64
  %outLine = arith.constant $outLine : i64
  %step = arith.constant $step : i64
  %full = arith.constant $full : i64
  %zeros = arith.constant dense<0.0> : $vector
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %signal[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %outAt = arith.muli %r, %outStride : i64
    %outRow = llvm.getelementptr %out[%outAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    $copy
    scf.for %b = %c0 to %blocks step %c1 : i64 {
      %blockAt = arith.muli %b, %blockSize : i64
      %block = llvm.getelementptr %weights[%blockAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %biasAt = arith.muli %b, %filters : i64
      %biasFrom = llvm.getelementptr %biases[%biasAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %bias = llvm.load %biasFrom {alignment = $align : i64} : !llvm.ptr -> $vector
      %blockOutAt = arith.muli %b, %blockOut : i64
      %blockTo = llvm.getelementptr %outRow[%blockOutAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      scf.for %y = %c0 to %height step %c1 : i64 {
        %lineAt = arith.muli %y, %nextLine : i64
        %lineFrom = llvm.getelementptr $image[%lineAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %lineToAt = arith.muli %y, %outLine : i64
        %lineTo = llvm.getelementptr %blockTo[%lineToAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        scf.for %x = %c0 to %full step %step : i64 {$columns
        }
        $rest
      }
    }
  }
  return
}
)";

/// The sums of neighbouring columns from %x on: channels, kernel rows and columns ascending.
static constexpr llvm::StringLiteral kConvolutionColumns = R"(
          %columnAt = arith.muli %x, %columnStride : i64
          %columnFrom = llvm.getelementptr %lineFrom[%columnAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %sums:$count = scf.for %c = %c0 to %channels step %c1 iter_args($outerArguments) -> ($types) : i64 {
            %planeAt = arith.muli %c, %plane : i64
            %planeFrom = llvm.getelementptr %columnFrom[%planeAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
            %channelAt = arith.muli %c, %channelSize : i64
            %channel = llvm.getelementptr %block[%channelAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
            %inner:$count = scf.for %i = %c0 to %kernelRows step %c1 iter_args($innerArguments) -> ($types) : i64 {
              %tapAt = arith.muli %i, %nextTap : i64
              %tap = llvm.getelementptr %planeFrom[%tapAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
              %kernelAt = arith.muli %i, %kernelRow : i64
              %kernel = llvm.getelementptr %channel[%kernelAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
              $products
              scf.yield $innerResults : $types
            }
            scf.yield $outerResults : $types
          }
          %pixelAt = arith.muli %x, %filters : i64
          %pixel = llvm.getelementptr %lineTo[%pixelAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          $stores)";

static constexpr llvm::StringLiteral kConvolutionWeight = R"(
              %weightFrom$j = llvm.getelementptr %kernel[$weightAt] : (!llvm.ptr) -> !llvm.ptr, f32
              %weight$j = llvm.load %weightFrom$j {alignment = $align : i64} : !llvm.ptr -> $vector)";

static constexpr llvm::StringLiteral kConvolutionProduct = R"(
              %from$k = llvm.getelementptr %tap[$inputAt] : (!llvm.ptr) -> !llvm.ptr, f32
              %input$k = llvm.load %from$k : !llvm.ptr -> f32
              %spread$k = vector.broadcast %input$k : f32 to $vector
              %product$k = arith.mulf %weight$j, %spread$k : $vector
              %sum$k = arith.addf $before, %product$k : $vector)";

static constexpr llvm::StringLiteral kConvolutionStore = R"(
          %biased$k = arith.addf %sums#$k, %bias : $vector
          %to$k = llvm.getelementptr %pixel[$pixelAt] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.store $result, %to$k {alignment = $align : i64} : $vector, !llvm.ptr)";

static std::string columnsOf(Names names, const Convolution &conv, int64_t count, int64_t pixel) {
  CarriedSums sums{count};
  std::string products, stores;
  for (int64_t j = 0; j < conv.columns.kernel; ++j) {
    products += names.set("j", j).set("weightAt", j * conv.block).fill(kConvolutionWeight);
    for (int64_t column = 0; column < count; ++column) {
      names.set("before", sums.before(j, column));
      products +=
          names.set("k", sums.number(j, column))
              .set("inputAt", (column * conv.columns.stride + j * conv.columns.dilation) * pixel)
              .fill(kConvolutionProduct);
    }
  }
  for (int64_t column = 0; column < count; ++column) {
    names.set("k", column).set("pixelAt", column * conv.block);
    names.set("result", names.fill(conv.bias.empty() ? "%sums#$k" : "%biased$k"));
    stores += names.fill(kConvolutionStore);
  }
  sums.setLoops(names, "$vector", conv.columns.kernel);
  names.set("count", count).set("products", products).set("stores", stores);
  return names.fill(kConvolutionColumns);
}

namespace {

/// Floats from a channel, line or pixel of the input to the next one.
struct Places {
  int64_t plane, line, pixel;
};

} // namespace

void addDenseConvolution(PlanBuilder &b, const Convolution &conv, const Signal &input,
                         const Signal &output, std::optional<EventCount> events) {
  const Axis &rows = conv.rows, &columns = conv.columns;
  ImageFrame framed{conv.channels,  rows.input, columns.input, rows.before,
                    columns.before, rows.after, columns.after};
  size_t frame = framed.add(b);
  Places places{framed.plane(), framed.line(), 1};
  if (input.layout.image.channels > 0) // never with a frame
    places = {1, input.layout.image.line * input.layout.image.block(), input.layout.image.block()};
  int64_t registers = lanes::registerSums() < 16 ? 4 : 14; // of one vector register each
  int64_t most = std::max<int64_t>(1, registers / std::max<int64_t>(1, conv.block / 16));
  int64_t step = std::min(columns.output, most), rest = columns.output % step;

  Names names;
  names.set("vector", "vector<" + std::to_string(conv.block) + "xf32>")
      .set("align", std::min<int64_t>(64, conv.block * 4))
      .set("stride", int64_t(b.bytesOf(input.buffer) / sizeof(float)))
      .set("outStride", int64_t(b.bytesOf(output.buffer) / sizeof(float)))
      .set("blocks", conv.blocks)
      .set("channels", conv.channels)
      .set("filters", conv.block)
      .set("blockSize", conv.channels * conv.taps() * conv.block)
      .set("channelSize", conv.taps() * conv.block)
      .set("kernelRow", columns.kernel * conv.block)
      .set("kernelRows", rows.kernel)
      .set("blockOut", conv.image().plane() * conv.block)
      .set("height", rows.output)
      .set("plane", places.plane)
      .set("nextLine", places.line * rows.stride)
      .set("nextTap", places.line * rows.dilation)
      .set("columnStride", columns.stride * places.pixel)
      .set("outLine", conv.image().line * conv.block)
      .set("step", step)
      .set("full", columns.output - rest)
      .set("image", framed.image())
      .set("copy", framed.copy());
  names.setLine("columns", step, rest,
                [&](int64_t count) { return columnsOf(names, conv, count, places.pixel); });
  std::vector<size_t> buffers{input.buffer, b.addParameter(packWeights(conv)),
                              b.addParameter(packBias(conv)), frame, output.buffer};
  if (events)
    b.addAlternative(kDenseConvolutionKernel, names, std::move(buffers), *events);
  else
    b.addStage(Work::Rows, kDenseConvolutionKernel, names, std::move(buffers));
}

} // namespace spindle::layers
