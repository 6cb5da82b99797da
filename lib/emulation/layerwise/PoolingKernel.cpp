// Pooling of rows in the natural order, sixteen windows of a line at a time. The last of them may
// lie behind the line: what they put out is overwritten by the next line.
#include "lib/emulation/layerwise/PlanBuilder.h"

namespace spindle::layerwise {

static constexpr llvm::StringLiteral kText = R"(
func.func @$name(%signal: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
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
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %places = arith.constant dense<$places.0> : vector<16xf32>
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %signal[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %outAt = arith.muli %r, %outStride : i64
    %outRow = llvm.getelementptr %out[%outAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.for %c = %c0 to %channels step %c1 : i64 {
      %planeAt = arith.muli %c, %plane : i64
      %image = llvm.getelementptr %row[%planeAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
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
          $additions
          %to = llvm.getelementptr %lineTo[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %average = arith.divf $sum, %places : vector<16xf32>
          llvm.store $result, %to {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
        }
      }
    }
  }
  return
}
)";

/// One line of the windows.
static constexpr llvm::StringLiteral kLine = R"(
          %from$k = llvm.getelementptr %window[$at] : (!llvm.ptr) -> !llvm.ptr, f32
          %line$k = llvm.load %from$k {alignment = 4 : i64} : !llvm.ptr -> $span)";

/// The inputs at one place of sixteen windows.
static constexpr llvm::StringLiteral kAddition = R"(
          %x$k = llvm.shufflevector %line$line, %line$line [$places16] : $span
          %sum$k = arith.addf $sum, %x$k : vector<16xf32>)";

/// The addition of every place, lines and columns ascending.
static std::string additionsOf(Names &names, llvm::ArrayRef<int64_t> kernel, int64_t stride,
                               int64_t line) {
  constexpr int64_t kLanes = int64_t(kVector);
  int64_t span = (kLanes - 1) * stride + kernel[1];
  names.set("span", "vector<" + std::to_string(span) + "xf32>").set("sum", "%zeros");
  std::string text;
  for (int64_t i = 0; i < kernel[0]; ++i) {
    int64_t first = i * kernel[1];
    text += names.set("k", first).set("line", first).set("at", i * line).fill(kLine);
    for (int64_t j = 0; j < kernel[1]; ++j) {
      std::string places;
      for (int64_t lane = 0; lane < kLanes; ++lane)
        places += (lane ? ", " : "") + std::to_string(lane * stride + j);
      text += names.set("k", first + j).set("places16", places).fill(kAddition);
      names.set("sum", names.fill("%sum$k"));
    }
  }
  return text;
}

Signal addPooling(PlanBuilder &b, mlir::Operation *op, const Signal &input) {
  auto average = mlir::dyn_cast<snn::AvgPool2dOp>(op);
  auto sum = mlir::dyn_cast<snn::SumPool2dOp>(op);
  llvm::ArrayRef<int64_t> kernel = average ? average.getKernel() : sum.getKernel();
  llvm::ArrayRef<int64_t> strides = average ? average.getStrides() : sum.getStrides();
  llvm::ArrayRef<int64_t> in = snn::shapeOf(op->getOperand(0)),
                          out = snn::shapeOf(op->getResult(0));
  Signal output = b.addSignal(Unit::Row, size_t(snn::sizeOf(op->getResult(0))), false);
  Names names;
  names.set("stride", int64_t(b.bytesOf(input.buffer) / sizeof(float)))
      .set("outStride", int64_t(b.bytesOf(output.buffer) / sizeof(float)))
      .set("channels", in[0])
      .set("plane", in[1] * in[2])
      .set("outPlane", out[1] * out[2])
      .set("height", out[1])
      .set("columns", out[2])
      .set("nextLine", in[2] * strides[0])
      .set("step", strides[1])
      .set("places", kernel[0] * kernel[1]);
  names.set("additions", additionsOf(names, kernel, strides[1], in[2]));
  names.set("result", average ? "%average" : names.fill("$sum"));
  b.addStage(Work::Rows, kText, names, {input.buffer, output.buffer});
  return output;
}

} // namespace spindle::layerwise
