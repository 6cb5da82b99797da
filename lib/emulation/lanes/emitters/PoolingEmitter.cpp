// Pooling, and the frame around images.
#include "lib/emulation/lanes/emitters/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

using namespace mlir;

namespace spindle::lanes {

size_t emitPadding(KernelBuilder &b, size_t input, SmallVectorImpl<int64_t> &shape,
                   ArrayRef<int64_t> padding, float frame) {
  if (llvm::all_of(padding, [](int64_t extent) { return extent == 0; }))
    return input;
  SmallVector<int64_t> inner(shape.begin(), shape.end());
  shape[1] += padding[0] + padding[2];
  shape[2] += padding[1] + padding[3];
  // Nobody but @setup writes the frame. Sums never are negative zero, so that a zero added to them
  // changes nothing.
  int64_t elements = shape[0] * shape[1] * shape[2];
  size_t framed = b.addLaneBuffer(elements);
  if (frame != 0)
    emitReset(b, framed, elements, {frame});
  Value from = b.view(input, inner), to = b.view(framed, shape);
  b.loop(inner, [&](ValueRange at) {
    b.store(b.load(from, at), to,
            {at[0], b.at({{at[1], 1}}, padding[0]), b.at({{at[2], 1}}, padding[1])});
  });
  return framed;
}

using Combine = llvm::function_ref<Value(Value, Value)>;
using Finish = llvm::function_ref<void(Value, ValueRange)>;

/// Combines the inputs of each window of a framed image, ascending, and hands over the result with
/// its place.
template <typename Op>
static void emitWindows(KernelBuilder &b, Op op, size_t input, ArrayRef<int64_t> shape,
                        float initial, Combine combine, Finish finish) {
  Value image = b.view(input, shape);
  ArrayRef<int64_t> stride = op.getStrides();
  b.loop(snn::shapeOf(op.getOutput()), [&](ValueRange at) {
    KernelBuilder::Values result =
        b.reduce(op.getKernel(), {b.splat(initial)}, [&](ValueRange k, ValueRange carried) {
          Value row = b.at({{at[1], stride[0]}, {k[0], 1}});
          Value column = b.at({{at[2], stride[1]}, {k[1], 1}});
          return KernelBuilder::Values{combine(carried[0], b.load(image, {at[0], row, column}))};
        });
    finish(result[0], at);
  });
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

void emitAvgPool2d(KernelBuilder &b, snn::AvgPool2dOp op, const Signals &signals) {
  ArrayRef<int64_t> out = snn::shapeOf(op.getOutput());
  SmallVector<int64_t> shape(snn::shapeOf(op.getInput()));
  size_t input = emitPadding(b, signals.input(), shape, op.getPadding());
  Value result = b.view(signals.output, out);
  Value divisor = b.view(b.addParameter(divisors(op)), out.drop_front());
  auto add = [&](Value sum, Value x) { return b.make<arith::AddFOp>(sum, x); };
  emitWindows(b, op, input, shape, 0, add, [&](Value sum, ValueRange at) {
    Value count = b.broadcast(b.load(divisor, {at[1], at[2]}));
    b.store(b.make<arith::DivFOp>(sum, count), result, at);
  });
}

void emitSumPool2d(KernelBuilder &b, snn::SumPool2dOp op, const Signals &signals) {
  SmallVector<int64_t> shape(snn::shapeOf(op.getInput()));
  size_t input = emitPadding(b, signals.input(), shape, op.getPadding());
  Value result = b.view(signals.output, snn::shapeOf(op.getOutput()));
  auto add = [&](Value sum, Value x) { return b.make<arith::AddFOp>(sum, x); };
  emitWindows(b, op, input, shape, 0, add,
              [&](Value sum, ValueRange at) { b.store(sum, result, at); });
}

static Value larger(KernelBuilder &b, Value best, Value x) {
  Value better = b.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, x, best);
  return b.make<arith::SelectOp>(better, x, best);
}

constexpr float kLowest = -std::numeric_limits<float>::infinity();

void emitMaxPool2d(KernelBuilder &b, snn::MaxPool2dOp op, const Signals &signals) {
  if (snn::runsInTime(op.getInput().getType())) {
    size_t made = b.addLaneBuffer(snn::sizeOf(op.getOutput()));
    emitReset(b, made, snn::sizeOf(op.getOutput()), {0});
    return emitMaxPoolInTime(b, op, signals, made);
  }
  SmallVector<int64_t> shape(snn::shapeOf(op.getInput()));
  size_t input = emitPadding(b, signals.input(), shape, op.getPadding(), kLowest);
  Value result = b.view(signals.output, snn::shapeOf(op.getOutput()));
  emitWindows(
      b, op, input, shape, kLowest, [&](Value best, Value x) { return larger(b, best, x); },
      [&](Value best, ValueRange at) { b.store(best, result, at); });
}

void emitMaxPoolInTime(KernelBuilder &b, snn::MaxPool2dOp op, const Signals &signals, size_t made) {
  SmallVector<int64_t> shape(snn::shapeOf(op.getInput()));
  int64_t inputs = snn::sizeOf(op.getInput());
  size_t sums = b.addLaneBuffer(inputs);
  emitReset(b, sums, inputs, {0});
  emitAccumulate(b, signals.input(), sums, inputs);
  size_t framed = emitPadding(b, sums, shape, op.getPadding(), kLowest);
  ArrayRef<int64_t> out = snn::shapeOf(op.getOutput());
  Value before = b.view(made, out), result = b.view(signals.output, out);
  emitWindows(
      b, op, framed, shape, kLowest, [&](Value best, Value x) { return larger(b, best, x); },
      [&](Value most, ValueRange at) {
        b.store(b.make<arith::SubFOp>(most, b.load(before, at)), result, at);
        b.store(most, before, at);
      });
}

} // namespace spindle::lanes
