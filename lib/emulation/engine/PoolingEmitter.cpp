// Average pooling, and the frame of zeros around images.
#include "lib/emulation/engine/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::engine {

size_t emitPadding(KernelBuilder &b, size_t input, SmallVectorImpl<int64_t> &shape,
                   ArrayRef<int64_t> padding) {
  if (llvm::all_of(padding, [](int64_t extent) { return extent == 0; }))
    return input;
  SmallVector<int64_t> inner(shape.begin(), shape.end());
  shape[1] += padding[0] + padding[2];
  shape[2] += padding[1] + padding[3];
  // Nobody writes the frame, which is zero from the start. Sums never are negative zero, so that a
  // zero added to them changes nothing.
  size_t framed = b.addLaneBuffer(shape[0] * shape[1] * shape[2]);
  Value from = b.view(input, inner), to = b.view(framed, shape);
  b.loop(inner, [&](ValueRange at) {
    b.store(b.load(from, at), to,
            {at[0], b.at({{at[1], 1}}, padding[0]), b.at({{at[2], 1}}, padding[1])});
  });
  return framed;
}

/// The number each window's sum is divided by, row by row.
static std::vector<float> divisors(snn::AvgPool2dOp op) {
  ArrayRef<int64_t> in = snn::shapeOf(op.getInput()), out = snn::shapeOf(op.getOutput());
  ArrayRef<int64_t> kernel = op.getKernel(), stride = op.getStrides(), padding = op.getPadding();
  auto inside = [&](size_t axis, int64_t position) {
    int64_t first = position * stride[axis] - padding[axis];
    return std::min(in[axis + 1], first + kernel[axis]) - std::max<int64_t>(0, first);
  };
  std::vector<float> result;
  for (int64_t row = 0; row < out[1]; ++row)
    for (int64_t column = 0; column < out[2]; ++column)
      result.push_back(static_cast<float>(
          op.getCountIncludePad() ? kernel[0] * kernel[1] : inside(0, row) * inside(1, column)));
  return result;
}

void emitAvgPool2d(KernelBuilder &b, snn::AvgPool2dOp op, Signals signals) {
  ArrayRef<int64_t> kernel = op.getKernel(), stride = op.getStrides();
  ArrayRef<int64_t> out = snn::shapeOf(op.getOutput());
  SmallVector<int64_t> shape(snn::shapeOf(op.getInput()));
  size_t input = emitPadding(b, signals.input, shape, op.getPadding());
  Value image = b.view(input, shape), result = b.view(signals.output, out);
  Value divisor = b.view(b.addParameter(divisors(op)), out.drop_front());
  b.loop(out, [&](ValueRange at) {
    KernelBuilder::Values sum = b.reduce(kernel, {b.splat(0)}, [&](ValueRange k, ValueRange sums) {
      Value row = b.at({{at[1], stride[0]}, {k[0], 1}});
      Value column = b.at({{at[2], stride[1]}, {k[1], 1}});
      return KernelBuilder::Values{
          b.make<arith::AddFOp>(sums[0], b.load(image, {at[0], row, column}))};
    });
    Value count = b.broadcast(b.load(divisor, {at[1], at[2]}));
    b.store(b.make<arith::DivFOp>(sum[0], count), result, at);
  });
}

} // namespace spindle::engine
