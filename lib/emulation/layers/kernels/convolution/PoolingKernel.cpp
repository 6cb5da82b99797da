// Pooling of rows in the natural order, sixteen windows of a line at a time. The last of them may
// lie after the line: what they output is overwritten by the next line.
#include "lib/emulation/layers/kernels/convolution/ImageFrame.h"

#include "llvm/ADT/TypeSwitch.h"

#include <limits>

namespace spindle::layers {

Windows windowsOf(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, Windows>(op)
      .Case<snn::AvgPool2dOp, snn::SumPool2dOp, snn::MaxPool2dOp>([](auto pool) {
        return Windows{pool.getKernel(), pool.getStrides(), pool.getPadding(),
                       snn::shapeOf(pool.getOutput())};
      });
}

Number pooledSum(mlir::Operation *op, Number sum) {
  return mlir::isa<snn::AvgPool2dOp>(op) ? sum / windowsOf(op).inputs() : sum;
}

/// The sums or maxima of sixteen windows: every place, lines and columns ascending.
static Number combine(StageKernel &k, const Windows &windows, Array window, int64_t line,
                      bool isMaximum) {
  int64_t stride = windows.strides[1], span = (lanes::kLanes - 1) * stride + windows.kernel[1];
  Number result = k.vectorOf(isMaximum ? -std::numeric_limits<double>::infinity() : 0);
  for (int64_t i = 0; i < windows.kernel[0]; ++i) {
    Number inputs = (window + i * line).vector(span);
    for (int64_t j = 0; j < windows.kernel[1]; ++j) {
      Number x = inputs.shuffled(lanes::kLanes, [&](int64_t lane) { return lane * stride + j; });
      result = isMaximum ? select(x > result, x, result) : result + x;
    }
  }
  return result;
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
  std::vector<float> counts;
  if (average)
    counts = divisors(frame, windows, average.getCountIncludePad());

  StageKernel k(b, Work::Rows);
  RowArray rows = k.floatRows(input.buffer);
  Array room = k.floats(frame.add(b)), inputs = k.floats(b.addParameter(counts));
  RowArray outRows = k.floatRows(output.buffer);
  if (isMaximum && frame.isNeeded()) // no maximum sees the room around the image
    k.loop({in[0] * frame.plane(), lanes::kLanes}, [&](Number i) {
      (room + i).storeAligned(k.vectorOf(-std::numeric_limits<double>::infinity()));
    });
  k.forRows([&](Number r) {
    Array row = rows[r], outRow = outRows[r], images = frame.around(k, row, room);
    k.loop(in[0], [&](Number c) {
      Array image = images + c * frame.plane(), imageTo = outRow + c * (out[1] * out[2]);
      k.loop(out[1], [&](Number y) {
        Array line = image + y * (frame.line() * windows.strides[0]);
        Number first = y * out[2];
        Array lineTo = imageTo + first;
        k.loop({out[2], lanes::kLanes}, [&](Number x) {
          Number result =
              combine(k, windows, line + x * windows.strides[1], frame.line(), isMaximum);
          (lineTo + x).store(average ? result / (inputs + (first + x)).vector() : result);
        });
      });
    });
  });
  b.addStage(std::move(k));
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
