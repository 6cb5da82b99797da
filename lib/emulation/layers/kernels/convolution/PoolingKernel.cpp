// Pooling of rows in the natural order, sixteen windows of a line at a time. The last of them may
// lie behind the line: what they put out is overwritten by the next line.
#include "lib/emulation/layers/kernels/convolution/ImageFrame.h"

#include "llvm/ADT/TypeSwitch.h"

namespace spindle::layers {

static constexpr llvm::StringLiteral kPoolingKernel = R"(
func.func @$name(%signal: !llvm.ptr {llvm.noalias}, %frame: !llvm.ptr {llvm.noalias}, %divisors: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %stride = arith.constant $stride : i64
  %outStride = arith.constant $outStride : i64
  %channels = arith.constant $channels : i64
  %plane = arith.constant $plane : i64
  %outPlane = arith.constant $outPlane : i64
  %height = arith.constant $height : i64
  %columns = arith.constant $columns : i64
  %line = arith.constant $nextLine : i64
  %step = arith.constant $step : i64
  %lanes = arith.constant 16 : i64
  %none = arith.constant dense<$none> : vector<16xf32>
  $room
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %signal[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %outAt = arith.muli %r, %outStride : i64
    %outRow = llvm.getelementptr %out[%outAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    $copy
    scf.for %c = %c0 to %channels step %c1 : i64 {
      %planeAt = arith.muli %c, %plane : i64
      %image = llvm.getelementptr $image[%planeAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %outPlaneAt = arith.muli %c, %outPlane : i64
      %outImage = llvm.getelementptr %outRow[%outPlaneAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      scf.for %y = %c0 to %height step %c1 : i64 {
        %lineAt = arith.muli %y, %line : i64
        %lineFrom = llvm.getelementptr %image[%lineAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %toAt = arith.muli %y, %columns : i64
        %lineTo = llvm.getelementptr %outImage[%toAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        scf.for %x = %c0 to %columns step %lanes : i64 {
          %windowAt = arith.muli %x, %step : i64
          %window = llvm.getelementptr %lineFrom[%windowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          $combine
          %to = llvm.getelementptr %lineTo[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          $divide
          llvm.store $result, %to {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
        }
      }
    }
  }
  return
}
)";

/// One line of the windows.
static constexpr llvm::StringLiteral kPoolingLine = R"(
          %from$k = llvm.getelementptr %window[$at] : (!llvm.ptr) -> !llvm.ptr, f32
          %line$k = llvm.load %from$k {alignment = 4 : i64} : !llvm.ptr -> $span)";

/// The inputs at one place of sixteen windows.
static constexpr llvm::StringLiteral kPoolingInput = R"(
          %x$k = llvm.shufflevector %line$line, %line$line [$places16] : $span)";
static constexpr llvm::StringLiteral kPoolingAddition = R"(
          %sum$k = arith.addf $sum, %x$k : vector<16xf32>)";
static constexpr llvm::StringLiteral kPoolingMaximum = R"(
          %isMore$k = arith.cmpf ogt, %x$k, $sum : vector<16xf32>
          %sum$k = arith.select %isMore$k, %x$k, $sum : vector<16xi1>, vector<16xf32>)";

/// The sums of windows by the numbers of their inputs.
static constexpr llvm::StringLiteral kPoolingDivision = R"(
          %placeAt = arith.addi %toAt, %x : i64
          %placesFrom = llvm.getelementptr %divisors[%placeAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %places = llvm.load %placesFrom {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
          %average = arith.divf $sum, %places : vector<16xf32>)";

/// Room around the image that no maximum sees.
static constexpr llvm::StringLiteral kPoolingRoom = R"(
  %framedSize = arith.constant $framedSize : i64
  scf.for %i = %c0 to %framedSize step %lanes : i64 {
    %roomTo = llvm.getelementptr %frame[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %none, %roomTo {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr
  })";

/// Combines every place, lines and columns ascending.
static std::string combine(Names &names, llvm::ArrayRef<int64_t> kernel, int64_t stride,
                           int64_t line, llvm::StringRef step) {
  constexpr int64_t lanes = int64_t(kVector);
  int64_t span = (lanes - 1) * stride + kernel[1];
  names.set("span", "vector<" + std::to_string(span) + "xf32>").set("sum", "%none");
  std::string text;
  for (int64_t i = 0; i < kernel[0]; ++i) {
    int64_t first = i * kernel[1];
    text += names.set("k", first).set("line", first).set("at", i * line).fill(kPoolingLine);
    for (int64_t j = 0; j < kernel[1]; ++j) {
      names.set("places16", placesOf(lanes, [&](int64_t lane) { return lane * stride + j; }));
      text += names.set("k", first + j).fill(kPoolingInput);
      text += names.fill(step);
      names.set("sum", names.fill("%sum$k"));
    }
  }
  return text;
}

Windows windowsOf(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, Windows>(op)
      .Case<snn::AvgPool2dOp, snn::SumPool2dOp, snn::MaxPool2dOp>([](auto pool) {
        return Windows{pool.getKernel(), pool.getStrides(), pool.getPadding(),
                       snn::shapeOf(pool.getOutput())};
      });
}

std::string setDivision(Names &names, mlir::Operation *op, const std::string &average,
                        const std::string &sum) {
  bool isAverage = mlir::isa<snn::AvgPool2dOp>(op);
  names.set("divide",
            isAverage ? average + " = arith.divf " + sum + ", %inputs : vector<16xf32>" : "");
  return isAverage ? average : sum;
}

/// What the sum of each window is divided by, window by window.
static std::vector<float> divisors(const ImageFrame &frame, const Windows &windows,
                                   bool countsPadding) {
  auto inside = [](int64_t first, int64_t kernel, int64_t extent) {
    return std::min(extent, first + kernel) - std::max<int64_t>(0, first);
  };
  auto [height, width] = std::pair(windows.kernel[0], windows.kernel[1]);
  std::vector<float> result;
  for (int64_t y = 0; y < windows.out[1]; ++y)
    for (int64_t x = 0; x < windows.out[2]; ++x)
      result.push_back(float(
          countsPadding ? height * width
                        : inside(y * windows.strides[0] - frame.top, height, frame.rows) *
                              inside(x * windows.strides[1] - frame.left, width, frame.columns)));
  result.resize(result.size() + kVector, 1.0f);
  return result;
}

Signal addPooling(PlanBuilder &b, mlir::Operation *op, const Signal &input) {
  auto average = mlir::dyn_cast<snn::AvgPool2dOp>(op);
  bool isMaximum = mlir::isa<snn::MaxPool2dOp>(op);
  Windows windows = windowsOf(op);
  llvm::ArrayRef<int64_t> in = snn::shapeOf(op->getOperand(0)), out = windows.out,
                          padding = windows.padding;
  ImageFrame frame{in[0], in[1], in[2], padding[0], padding[1], padding[2], padding[3]};
  Signal output = b.addSignal(Unit::Row, size_t(snn::sizeOf(op->getResult(0))), false);
  Names names;
  names.set("stride", int64_t(b.bytesOf(input.buffer) / sizeof(float)))
      .set("outStride", int64_t(b.bytesOf(output.buffer) / sizeof(float)))
      .set("channels", in[0])
      .set("plane", frame.plane())
      .set("outPlane", out[1] * out[2])
      .set("height", out[1])
      .set("columns", out[2])
      .set("nextLine", frame.line() * windows.strides[0])
      .set("step", windows.strides[1])
      .set("none", isMaximum ? "0xFF800000" : "0.0")
      .set("framedSize", in[0] * frame.plane())
      .set("image", frame.image())
      .set("copy", frame.copy());
  names.set("room", isMaximum && frame.isNeeded() ? names.fill(kPoolingRoom) : "");
  names.set("combine", combine(names, windows.kernel, windows.strides[1], frame.line(),
                               isMaximum ? kPoolingMaximum : kPoolingAddition));
  names.set("result", average ? "%average" : names.fill("$sum"));
  names.set("divide", average ? names.fill(kPoolingDivision) : "");
  std::vector<float> counts;
  if (average)
    counts = divisors(frame, windows, average.getCountIncludePad());
  b.addStage(Work::Rows, kPoolingKernel, names,
             {input.buffer, frame.add(b), b.addParameter(counts), output.buffer});
  return output;
}

Signal addMaximumInTime(PlanBuilder &b, snn::MaxPool2dOp op, const Signal &input,
                        PopulationBuffers *booked) {
  size_t made = 0;
  Signal most = addPooling(b, op, addSumOverTime(b, input));
  Signal output = addChange(b, most, input.binary, made);
  if (booked)
    *booked = {std::nullopt, output, made, output.layout};
  return output;
}

} // namespace spindle::layers
