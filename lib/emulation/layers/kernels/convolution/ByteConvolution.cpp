// Convolutions of sums of spikes by integer weights: dot products of four bytes, sums of a line of
// pixels in registers.
#include "lib/emulation/lanes/HostTarget.h"
#include "lib/emulation/layers/kernels/convolution/PooledImage.h"

#include <cmath>

namespace spindle::layers {

static constexpr llvm::StringLiteral kByteConvolutionKernel = R"(
func.func @$name(%bytes: !llvm.ptr {llvm.noalias}, %weights: !llvm.ptr {llvm.noalias}, %biases: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %stride = arith.constant $stride : i64
  %outStride = arith.constant $outStride : i64
  %parts = arith.constant $parts : i64
  %partSize = arith.constant $partSize : i64
  %vector = arith.constant 16 : i64
  %height = arith.constant $height : i64
  %nextLine = arith.constant $nextLine : i64
  %outLine = arith.constant $outLine : i64
  %kernelRows = arith.constant $kernelRows : i64
  %kernelRow = arith.constant $kernelRow : i64
  %nextTap = arith.constant $nextTap : i64
  %step = arith.constant $step : i64
  %full = arith.constant $full : i64
  %columnBytes = arith.constant $columnBytes : i64
  %block = arith.constant $block : i64
  %plane = arith.constant $plane : i64
  %zeros = arith.constant dense<0> : vector<16xi32>
  %inputs = arith.constant dense<$inputs> : vector<16xf32>
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %bytes[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %outAt = arith.muli %r, %outStride : i64
    %outRow = llvm.getelementptr %out[%outAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.for %p = %c0 to %parts step %c1 : i64 {
      %partAt = arith.muli %p, %partSize : i64
      %part = llvm.getelementptr %weights[%partAt] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %filter = arith.muli %p, %vector : i64
      %biasFrom = llvm.getelementptr %biases[%filter] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %bias = llvm.load %biasFrom {alignment = 64 : i64} : !llvm.ptr -> vector<16xf32>
      %b = arith.divui %filter, %block : i64
      %planeAt = arith.muli %b, %plane : i64
      %inBlock = arith.remui %filter, %block : i64
      %filterAt = arith.addi %planeAt, %inBlock : i64
      %filterTo = llvm.getelementptr %outRow[%filterAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      scf.for %y = %c0 to %height step %c1 : i64 {
        %lineAt = arith.muli %y, %nextLine : i64
        %lineFrom = llvm.getelementptr %row[%lineAt] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %lineToAt = arith.muli %y, %outLine : i64
        %lineTo = llvm.getelementptr %filterTo[%lineToAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        scf.for %x = %c0 to %full step %step : i64 {$columns
        }
        $rest
      }
    }
  }
  return
}
)";

/// The sums of neighbouring columns from %x on.
static constexpr llvm::StringLiteral kByteColumns = R"(
          %columnAt = arith.muli %x, %columnBytes : i64
          %columnFrom = llvm.getelementptr %lineFrom[%columnAt] : (!llvm.ptr, i64) -> !llvm.ptr, i8
          %sums:$count = scf.for %i = %c0 to %kernelRows step %c1 iter_args($arguments) -> ($types) : i64 {
            %tapAt = arith.muli %i, %nextTap : i64
            %tap = llvm.getelementptr %columnFrom[%tapAt] : (!llvm.ptr, i64) -> !llvm.ptr, i8
            %kernelAt = arith.muli %i, %kernelRow : i64
            %kernel = llvm.getelementptr %part[%kernelAt] : (!llvm.ptr, i64) -> !llvm.ptr, i8
            $products
            scf.yield $results : $types
          }
          %pixelAt = arith.muli %x, %block : i64
          %pixel = llvm.getelementptr %lineTo[%pixelAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          $stores)";

static constexpr llvm::StringLiteral kByteWeight = R"(
            %weightFrom$g = llvm.getelementptr %kernel[$weightAt] : (!llvm.ptr) -> !llvm.ptr, i8
            %weight$g = llvm.load %weightFrom$g {alignment = 64 : i64} : !llvm.ptr -> vector<64xi8>)";

static constexpr llvm::StringLiteral kByteProduct = R"(
            %from$k = llvm.getelementptr %tap[$inputAt] : (!llvm.ptr) -> !llvm.ptr, i8
            %four$k = llvm.load %from$k {alignment = 1 : i64} : !llvm.ptr -> i32
            %spread$k = vector.broadcast %four$k : i32 to vector<16xi32>
            %input$k = llvm.bitcast %spread$k : vector<16xi32> to vector<64xi8>
            %sum$k = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"($before, %input$k, %weight$g) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>)";

static constexpr llvm::StringLiteral kByteStore = R"(
          %float$k = arith.sitofp %sums#$k : vector<16xi32> to vector<16xf32>
          $divide
          %biased$k = arith.addf $quotient, %bias : vector<16xf32>
          %to$k = llvm.getelementptr %pixel[$pixelAt] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.store $result, %to$k {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr)";

/// Sums on the way are exact in f32, too: products of quotients by a power of two, less than 2^24
/// of the last digit.
bool isByteConvolution(const Convolution &conv, const SpikePooling &pooling) {
  int64_t inputs = windowsOf(pooling.op).inputs(), size = conv.channels * conv.taps();
  bool isExact = mlir::isa<snn::SumPool2dOp>(pooling.op) || llvm::isPowerOf2_64(uint64_t(inputs));
  const Axis &rows = conv.rows, &columns = conv.columns;
  bool isPadded = rows.before || rows.after || columns.before || columns.after;
  if (!lanes::hasByteProducts() || !isExact || isPadded || columns.dilation != 1 ||
      conv.block < int64_t(kVector))
    return false;
  for (int64_t f = 0; f < conv.filters; ++f) {
    double most = 0;
    for (int64_t k = 0; k < size; ++k) {
      float weight = conv.weights[size_t(f * size + k)];
      if (weight != std::trunc(weight) || weight < INT8_MIN || weight > INT8_MAX)
        return false;
      most += std::abs(double(weight)) * double(inputs);
    }
    if (most > 1 << 24)
      return false;
  }
  return true;
}

/// Dot products of a line of the kernel.
static int64_t groupsOf(const Convolution &conv) {
  return (conv.columns.kernel * conv.channels + 3) / 4;
}

/// Parts of sixteen filters × kernel rows × groups × filters × four bytes: columns, then channels.
static std::vector<int8_t> packBytes(const Convolution &conv) {
  int64_t line = conv.columns.kernel * conv.channels, vector = int64_t(kVector);
  std::vector<int8_t> packed;
  for (int64_t part = 0; part * vector < conv.filters; ++part)
    for (int64_t i = 0; i < conv.rows.kernel; ++i)
      for (int64_t group = 0; group < groupsOf(conv); ++group)
        for (int64_t lane = 0; lane < 4 * vector; ++lane) {
          int64_t f = part * vector + lane / 4, n = 4 * group + lane % 4;
          int64_t j = n / conv.channels, channel = n % conv.channels;
          size_t at = size_t(
              ((f * conv.channels + channel) * conv.rows.kernel + i) * conv.columns.kernel + j);
          packed.push_back(f < conv.filters && n < line ? int8_t(conv.weights[at]) : int8_t(0));
        }
  return packed;
}

static std::string columnsOf(Names names, const Convolution &conv, int64_t count,
                             mlir::Operation *pooling) {
  CarriedSums sums{count};
  std::string products, stores;
  for (int64_t group = 0; group < groupsOf(conv); ++group) {
    products +=
        names.set("g", group).set("weightAt", group * 4 * int64_t(kVector)).fill(kByteWeight);
    for (int64_t column = 0; column < count; ++column) {
      names.set("before", sums.before(group, column));
      products += names.set("k", sums.number(group, column))
                      .set("inputAt", column * conv.columns.stride * conv.channels + 4 * group)
                      .fill(kByteProduct);
    }
  }
  for (int64_t column = 0; column < count; ++column) {
    names.set("k", column).set("pixelAt", column * conv.block);
    names.set("quotient",
              setDivision(names, pooling, names.fill("%average$k"), names.fill("%float$k")));
    names.set("result", names.fill(conv.bias.empty() ? "$quotient" : "%biased$k"));
    stores += names.fill(kByteStore);
  }
  names.set("count", count)
      .set("types", names.list(count, "vector<16xi32>"))
      .set("arguments", names.list(count, "%carried$k = %zeros"))
      .set("results", sums.after(groupsOf(conv)))
      .set("products", products)
      .set("stores", stores);
  return names.fill(kByteColumns);
}

Signal addByteConvolution(PlanBuilder &b, const Convolution &conv, const SpikePooling &pooling) {
  size_t input = addPooledBytes(b, pooling);
  Signal output = addResult(b, conv);
  Image image = conv.image();
  const Axis &rows = conv.rows, &columns = conv.columns;
  int64_t line = columns.input * conv.channels, groups = groupsOf(conv), vector = int64_t(kVector);
  int64_t step = std::min<int64_t>(columns.output, 14), rest = columns.output % step;
  Names names;
  names.set("stride", int64_t(b.bytesOf(input)))
      .set("outStride", int64_t(b.bytesOf(output.buffer) / sizeof(float)))
      .set("parts", (conv.filters + vector - 1) / vector)
      .set("partSize", rows.kernel * groups * 4 * vector)
      .set("height", rows.output)
      .set("nextLine", line * rows.stride)
      .set("outLine", image.line * conv.block)
      .set("kernelRows", rows.kernel)
      .set("kernelRow", groups * 4 * vector)
      .set("nextTap", line * rows.dilation)
      .set("step", step)
      .set("full", columns.output - rest)
      .set("columnBytes", columns.stride * conv.channels)
      .set("block", conv.block)
      .set("plane", image.plane() * conv.block)
      .set("inputs", std::to_string(windowsOf(pooling.op).inputs()) + ".0");
  names.setLine("columns", step, rest,
                [&](int64_t count) { return columnsOf(names, conv, count, pooling.op); });
  b.addStage(
      Work::Rows, kByteConvolutionKernel, names,
      {input, b.addParameter(packBytes(conv)), b.addParameter(packBias(conv)), output.buffer});
  return output;
}

} // namespace spindle::layers
