// Convolutions of groups of few filters, depthwise ones above all: vectors hold neighbouring
// pixels of a line, so that it does not matter how few filters read a channel. Some filters of a
// group share what they read.
#include "lib/emulation/layers/kernels/convolution/Convolution.h"
#include "lib/emulation/layers/kernels/convolution/ImageFrame.h"

namespace spindle::layers {

static constexpr llvm::StringLiteral kGroupedConvolutionKernel = R"(
func.func @$name(%signal: !llvm.ptr {llvm.noalias}, %weights: !llvm.ptr {llvm.noalias}, %biases: !llvm.ptr {llvm.noalias},
                 %frame: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %lanes = arith.constant 16 : i64
  %stride = arith.constant $stride : i64
  %outStride = arith.constant $outStride : i64
  %filters = arith.constant $filters : i64
  %together = arith.constant $together : i64
  %groupFilters = arith.constant $groupFilters : i64
  %channels = arith.constant $channels : i64
  %filterSize = arith.constant $filterSize : i64
  %taps = arith.constant $taps : i64
  %kernelRows = arith.constant $kernelRows : i64
  %kernelColumns = arith.constant $kernelColumns : i64
  %plane = arith.constant $plane : i64
  %nextLine = arith.constant $nextLine : i64
  %nextTap = arith.constant $nextTap : i64
  %columnStride = arith.constant $columnStride : i64
  %height = arith.constant $height : i64
  %columns = arith.constant $columns : i64
  %full = arith.constant $full : i64
  %outPlane = arith.constant $outPlane : i64
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %inLine = arith.constant dense<$inLine> : vector<16xi1>
  %all = arith.constant dense<true> : vector<16xi1>
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %signal[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %outAt = arith.muli %r, %outStride : i64
    %outRow = llvm.getelementptr %out[%outAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    $copy
    scf.for %f = %c0 to %filters step %together : i64 {
      %group = arith.divui %f, %groupFilters : i64
      %firstChannel = arith.muli %group, %channels : i64
      %imageAt = arith.muli %firstChannel, %plane : i64
      %image = llvm.getelementptr $image[%imageAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %filterAt = arith.muli %f, %filterSize : i64
      %filter = llvm.getelementptr %weights[%filterAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %bias = llvm.getelementptr %biases[%f] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %outPlaneAt = arith.muli %f, %outPlane : i64
      %outImage = llvm.getelementptr %outRow[%outPlaneAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      $biases
      scf.for %y = %c0 to %height step %c1 : i64 {
        %lineAt = arith.muli %y, %nextLine : i64
        %line = llvm.getelementptr %image[%lineAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %lineToAt = arith.muli %y, %columns : i64
        %lineTo = llvm.getelementptr %outImage[%lineToAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        scf.for %x = %c0 to %columns step %lanes : i64 {
          %windowAt = arith.muli %x, %columnStride : i64
          %window = llvm.getelementptr %line[%windowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %sums:$together = scf.for %c = %c0 to %channels step %c1 iter_args($outerArguments) -> ($types) : i64 {
            %planeAt = arith.muli %c, %plane : i64
            %planeFrom = llvm.getelementptr %window[%planeAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
            %kernelAt = arith.muli %c, %taps : i64
            %kernel = llvm.getelementptr %filter[%kernelAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
            %inner:$together = scf.for %i = %c0 to %kernelRows step %c1 iter_args($innerArguments) -> ($types) : i64 {
              %tapAt = arith.muli %i, %nextTap : i64
              %tap = llvm.getelementptr %planeFrom[%tapAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
              %kernelLineAt = arith.muli %i, %kernelColumns : i64
              %kernelLine = llvm.getelementptr %kernel[%kernelLineAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
              $products
              scf.yield $innerResults : $types
            }
            scf.yield $outerResults : $types
          }
          %isFull = arith.cmpi ult, %x, %full : i64
          %inside = arith.select %isFull, %all, %inLine : vector<16xi1>
          %to = llvm.getelementptr %lineTo[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          $stores
        }
      }
    }
  }
  return
}
)";

/// The inputs of sixteen windows at column $j of the kernel.
static constexpr llvm::StringLiteral kGroupInputs = R"(
              %inputsFrom$j = llvm.getelementptr %tap[$inputAt] : (!llvm.ptr) -> !llvm.ptr, f32
              %span$j = llvm.load %inputsFrom$j {alignment = 4 : i64} : !llvm.ptr -> $span
              %inputs$j = llvm.shufflevector %span$j, %span$j [$places] : $span)";

static constexpr llvm::StringLiteral kGroupProduct = R"(
              %weightFrom$k = llvm.getelementptr %kernelLine[$weightAt] : (!llvm.ptr) -> !llvm.ptr, f32
              %weight$k = llvm.load %weightFrom$k : !llvm.ptr -> f32
              %spread$k = vector.broadcast %weight$k : f32 to vector<16xf32>
              %product$k = arith.mulf %spread$k, %inputs$j : vector<16xf32>
              %sum$k = arith.addf $before, %product$k : vector<16xf32>)";

static constexpr llvm::StringLiteral kGroupBias = R"(
      %biasFrom$k = llvm.getelementptr %bias[$k] : (!llvm.ptr) -> !llvm.ptr, f32
      %oneBias$k = llvm.load %biasFrom$k : !llvm.ptr -> f32
      %bias$k = vector.broadcast %oneBias$k : f32 to vector<16xf32>)";

static constexpr llvm::StringLiteral kGroupStore = R"(
          %biased$k = arith.addf %sums#$k, %bias$k : vector<16xf32>
          %to$k = llvm.getelementptr %to[$planeAt] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.intr.masked.store $result, %to$k, %inside {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr)";

/// A line of the kernel: columns ascending, for each filter.
static std::string productsOf(Names names, const Convolution &conv, const CarriedSums &sums) {
  int64_t stride = conv.columns.stride, span = (int64_t(kVector) - 1) * stride + 1;
  std::string text;
  names.set("places", placesOf(kVector, [&](int64_t lane) { return lane * stride; }))
      .set("span", "vector<" + std::to_string(span) + "xf32>");
  for (int64_t j = 0; j < conv.columns.kernel; ++j) {
    text += names.set("j", j).set("inputAt", j * conv.columns.dilation).fill(kGroupInputs);
    for (int64_t filter = 0; filter < sums.count; ++filter) {
      names.set("before", sums.before(j, filter));
      text += names.set("k", sums.number(j, filter))
                  .set("weightAt", filter * conv.channels * conv.taps() + j)
                  .fill(kGroupProduct);
    }
  }
  return text;
}

Signal addGroupedConvolution(PlanBuilder &b, const Convolution &conv, int64_t groups,
                             const Signal &input) {
  const Axis &rows = conv.rows, &columns = conv.columns;
  Signal output = b.addSignal(Unit::Row, size_t(conv.filters * conv.pixels()), false);
  ImageFrame frame{conv.channels * groups, rows.input, columns.input, rows.before,
                   columns.before,         rows.after, columns.after};
  int64_t groupFilters = conv.filters / groups, together = 8;
  while (groupFilters % together != 0)
    together /= 2;
  int64_t rest = columns.output % int64_t(kVector);
  std::string inLine;
  for (int64_t lane = 0; lane < int64_t(kVector); ++lane)
    inLine += std::string(lane ? ", " : "[") + (lane < rest ? "true" : "false");

  Names names;
  names.set("stride", int64_t(b.bytesOf(input.buffer) / sizeof(float)))
      .set("outStride", int64_t(b.bytesOf(output.buffer) / sizeof(float)))
      .set("filters", conv.filters)
      .set("together", together)
      .set("groupFilters", groupFilters)
      .set("channels", conv.channels)
      .set("filterSize", conv.channels * conv.taps())
      .set("taps", conv.taps())
      .set("kernelRows", rows.kernel)
      .set("kernelColumns", columns.kernel)
      .set("plane", frame.plane())
      .set("nextLine", frame.line() * rows.stride)
      .set("nextTap", frame.line() * rows.dilation)
      .set("columnStride", columns.stride)
      .set("height", rows.output)
      .set("columns", columns.output)
      .set("full", columns.output - rest)
      .set("outPlane", conv.pixels())
      .set("inLine", inLine + "]")
      .set("image", frame.image())
      .set("copy", frame.copy());
  CarriedSums sums{together};
  sums.setLoops(names, "vector<16xf32>", columns.kernel);
  std::string biases, stores;
  for (int64_t k = 0; k < together; ++k) {
    names.set("k", k).set("planeAt", k * conv.pixels());
    names.set("result", names.fill(conv.bias.empty() ? "%sums#$k" : "%biased$k"));
    biases += names.fill(kGroupBias);
    stores += names.fill(kGroupStore);
  }
  names.set("biases", biases).set("stores", stores).set("products", productsOf(names, conv, sums));
  std::vector<float> bias(conv.bias);
  bias.resize(size_t(conv.filters));
  b.addStage(Work::Rows, kGroupedConvolutionKernel, names,
             {input.buffer, b.addParameter(conv.weights), b.addParameter(bias), frame.add(b),
              output.buffer});
  return output;
}

} // namespace spindle::layers
