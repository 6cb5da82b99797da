// Rules of tosa 1.0, which keeps images as batch, row, column, channel.
#include "lib/frontend/mlir/MlirLifter.h"

#include "fmt/format.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace spindle {

static llvm::Expected<Tensor> constant(MlirLifter &lifter, tosa::ConstOp op) {
  return constantOf(lifter, op.getValues());
}

static llvm::Expected<Tensor> constantShape(MlirLifter &lifter, tosa::ConstShapeOp op) {
  return constantOf(lifter, op.getValues());
}

static llvm::Error checkZeroPoint(MlirLifter &lifter, Value zeroPoint) {
  SPINDLE_ASSIGN(Tensor value, lifter.lookup(zeroPoint));
  if (!value.isAll(0))
    return lifter.refuse(
        "zero points other than zero are not supported, the network must be float");
  return llvm::Error::success();
}

static llvm::Expected<Tensor> matmul(MlirLifter &lifter, tosa::MatMulOp op) {
  SPINDLE_RETURN_IF_ERROR(checkZeroPoint(lifter, op.getAZp()));
  SPINDLE_RETURN_IF_ERROR(checkZeroPoint(lifter, op.getBZp()));
  SPINDLE_ASSIGN(Tensor a, lifter.lookup(op.getA()));
  SPINDLE_ASSIGN(Tensor b, lifter.lookup(op.getB()));
  return lifter.builder.matmul(a, b);
}

/// tosa pads top, bottom, left, right.
static Shape paddingOf(ArrayRef<int64_t> pad) { return {pad[0], pad[2], pad[1], pad[3]}; }

/// `weight` filter, channel, row, column.
template <typename Op>
static llvm::Expected<Tensor> conv(MlirLifter &lifter, Op op, const Tensor &weight,
                                   int64_t groups) {
  AnnBuilder &builder = lifter.builder;
  SPINDLE_RETURN_IF_ERROR(checkZeroPoint(lifter, op.getInputZp()));
  SPINDLE_RETURN_IF_ERROR(checkZeroPoint(lifter, op.getWeightZp()));
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getInput()));
  SPINDLE_ASSIGN(Tensor image, builder.transpose(x, channelsFirst));
  Window window;
  window.padding = paddingOf(op.getPad());
  window.strides.assign(op.getStride().begin(), op.getStride().end());
  window.dilations.assign(op.getDilation().begin(), op.getDilation().end());
  SPINDLE_ASSIGN(Tensor sum, builder.conv2d(image, weight, window, groups));
  SPINDLE_ASSIGN(Tensor bias, lifter.lookup(op.getBias()));
  SPINDLE_ASSIGN(Tensor column, builder.reshape(bias, {spindle::sizeOf(bias.shape), 1, 1}));
  SPINDLE_ASSIGN(sum, builder.arithmetic(Arithmetic::Add, sum, column));
  return builder.transpose(sum, channelsLast);
}

static llvm::Expected<Tensor> conv2d(MlirLifter &lifter, tosa::Conv2DOp op) {
  SPINDLE_ASSIGN(Tensor weight, lifter.lookup(op.getWeight())); // filter, row, column, channel
  SPINDLE_ASSIGN(weight, lifter.builder.transpose(weight, channelsFirst));
  return conv(lifter, op, weight, 1);
}

static llvm::Expected<Tensor> depthwise(MlirLifter &lifter, tosa::DepthwiseConv2DOp op) {
  SPINDLE_ASSIGN(Tensor weight, lifter.lookup(op.getWeight())); // row, column, channel, multiplier
  SPINDLE_ASSIGN(weight, lifter.builder.transpose(weight, {2, 3, 0, 1}));
  int64_t channels = weight.shape[0];
  SPINDLE_ASSIGN(weight, lifter.builder.reshape(weight, {channels * weight.shape[1], 1,
                                                         weight.shape[2], weight.shape[3]}));
  return conv(lifter, op, weight, channels);
}

/// Padding is not counted.
static llvm::Expected<Tensor> averagePool(MlirLifter &lifter, tosa::AvgPool2dOp op) {
  AnnBuilder &builder = lifter.builder;
  SPINDLE_RETURN_IF_ERROR(checkZeroPoint(lifter, op.getInputZp()));
  SPINDLE_RETURN_IF_ERROR(checkZeroPoint(lifter, op.getOutputZp()));
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getInput()));
  SPINDLE_ASSIGN(Tensor image, builder.transpose(x, channelsFirst));
  Window window;
  window.kernel.assign(op.getKernel().begin(), op.getKernel().end());
  window.strides.assign(op.getStride().begin(), op.getStride().end());
  window.padding = paddingOf(op.getPad());
  SPINDLE_ASSIGN(Tensor average, builder.averagePool(image, window, /*countIncludePad=*/false));
  return builder.transpose(average, channelsLast);
}

static llvm::Expected<Tensor> maxPool(MlirLifter &lifter, tosa::MaxPool2dOp op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getInput()));
  SPINDLE_ASSIGN(Tensor image, lifter.builder.transpose(x, channelsFirst));
  Window window;
  window.kernel.assign(op.getKernel().begin(), op.getKernel().end());
  window.strides.assign(op.getStride().begin(), op.getStride().end());
  window.padding = paddingOf(op.getPad());
  SPINDLE_ASSIGN(Tensor most, lifter.builder.maxPool(image, window));
  return lifter.builder.transpose(most, channelsLast);
}

/// From zero up: a rectifier.
static llvm::Expected<Tensor> clamp(MlirLifter &lifter, tosa::ClampOp op) {
  SPINDLE_ASSIGN(Tensor least, constantOf(lifter, op.getMinVal()));
  SPINDLE_ASSIGN(Tensor most, constantOf(lifter, op.getMaxVal()));
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getInput()));
  return lifter.builder.clamp(x, least.at(0), most.at(0));
}

static llvm::Expected<Tensor> floor(MlirLifter &lifter, tosa::FloorOp op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op->getOperand(0)));
  return lifter.builder.floor(x);
}

static llvm::Expected<Tensor> concat(MlirLifter &lifter, tosa::ConcatOp op) {
  std::vector<Tensor> parts;
  for (Value input : op.getInput1()) {
    SPINDLE_ASSIGN(Tensor part, lifter.lookup(input));
    parts.push_back(std::move(part));
  }
  return lifter.builder.concat(parts, op.getAxis());
}

/// The whole numbers of a constant operand.
static llvm::Expected<Shape> wholeNumbers(MlirLifter &lifter, Value value, size_t count) {
  SPINDLE_ASSIGN(Tensor tensor, lifter.lookup(value));
  Shape numbers;
  for (size_t k = 0; k < count; ++k)
    numbers.push_back(int64_t(tensor.at(k)));
  return numbers;
}

static llvm::Expected<Tensor> slice(MlirLifter &lifter, tosa::SliceOp op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getInput1()));
  SPINDLE_ASSIGN(Shape start, wholeNumbers(lifter, op.getStart(), x.shape.size()));
  SPINDLE_ASSIGN(Shape size, lifter.shapeOf(op.getType(), !x.isConstant()));
  Shape low, high;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    low.push_back(-start[d]);
    high.push_back(start[d] + size[d] - x.shape[d]);
  }
  return lifter.builder.pad(x, low, high);
}

static llvm::Expected<Tensor> reduceSum(MlirLifter &lifter, tosa::ReduceSumOp op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getInput()));
  return lifter.builder.reduce(x, {size_t(op.getAxis())}, /*mean=*/false);
}

/// Output o lies at (o · scale_d + offset) / scale_n of the input, cut to its edges.
static AxisMap resized(int64_t in, int64_t out, int64_t numerator, int64_t denominator,
                       int64_t offset, bool nearest) {
  AxisMap map(out);
  for (int64_t o = 0; o < out; ++o) {
    double position = double(o * denominator + offset) / double(numerator);
    int64_t left = int64_t(std::floor(position));
    double share = position - double(left);
    if (nearest) {
      left += share >= 0.5 ? 1 : 0;
      share = 0;
    }
    int64_t first = std::clamp<int64_t>(left, 0, in - 1);
    int64_t second = std::clamp<int64_t>(left + 1, 0, in - 1);
    if (first == second || share == 0) {
      map[o].emplace_back(first, 1.0);
    } else {
      map[o].emplace_back(first, 1 - share);
      map[o].emplace_back(second, share);
    }
  }
  return map;
}

/// The scales are positive: the verifier of the operation has seen them.
static llvm::Expected<Tensor> resize(MlirLifter &lifter, tosa::ResizeOp op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getInput()));
  SPINDLE_ASSIGN(Shape scale, wholeNumbers(lifter, op.getScale(), 4));
  SPINDLE_ASSIGN(Shape offset, wholeNumbers(lifter, op.getOffset(), 2));
  SPINDLE_ASSIGN(Shape shape, lifter.shapeOf(op.getType(), /*isActivation=*/true));
  bool nearest = op.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR;
  return lifter.builder.arrange(
      x,
      {takeAll(x.shape[0]), resized(x.shape[1], shape[1], scale[0], scale[1], offset[0], nearest),
       resized(x.shape[2], shape[2], scale[2], scale[3], offset[1], nearest), takeAll(x.shape[3])});
}

static llvm::Expected<Tensor> reshape(MlirLifter &lifter, tosa::ReshapeOp op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getInput1()));
  SPINDLE_ASSIGN(Shape shape, lifter.shapeOf(op.getType(), !x.isConstant()));
  return lifter.builder.reshape(x, shape);
}

static llvm::Expected<Tensor> transpose(MlirLifter &lifter, tosa::TransposeOp op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getInput1()));
  return lifter.builder.transpose(x, Shape(op.getPerms().begin(), op.getPerms().end()));
}

/// The padding alternates: before and after, for each dimension.
static llvm::Expected<Tensor> pad(MlirLifter &lifter, tosa::PadOp op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getInput1()));
  SPINDLE_ASSIGN(Tensor amounts, lifter.lookup(op.getPadding()));
  SPINDLE_ASSIGN(Tensor value, lifter.lookup(op.getPadConst()));
  Shape low, high;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    low.push_back(int64_t(amounts.at(2 * d)));
    high.push_back(int64_t(amounts.at(2 * d + 1)));
  }
  return lifter.builder.pad(x, low, high, value.at(0));
}

static llvm::Expected<Tensor> identity(MlirLifter &lifter, tosa::IdentityOp op) {
  return lifter.lookup(op.getInput1());
}

static double inverse(double x) { return 1 / x; }

std::vector<LiftRule> tosaRules() {
  return {rule<tosa::ConstOp>(constant),
          rule(constantShape),
          rule(liftArithmetic<tosa::AddOp, Arithmetic::Add>),
          rule(liftArithmetic<tosa::SubOp, Arithmetic::Subtract>),
          rule(liftArithmetic<tosa::MulOp, Arithmetic::Multiply>),
          rule(liftArithmetic<tosa::MaximumOp, Arithmetic::Maximum>),
          rule(liftArithmetic<tosa::MinimumOp, Arithmetic::Minimum>),
          rule<tosa::MatMulOp>(matmul),
          rule(conv2d),
          rule(depthwise),
          rule(averagePool),
          rule<tosa::MaxPool2dOp>(maxPool),
          rule(clamp),
          rule(floor),
          rule<tosa::ConcatOp>(concat),
          rule<tosa::SliceOp>(slice),
          rule(resize),
          rule(reduceSum),
          rule<tosa::ReshapeOp>(reshape),
          rule(transpose),
          rule<tosa::PadOp>(pad),
          rule(identity),
          rule(liftFunction<tosa::ReciprocalOp, inverse>),
          rule(liftFunction<tosa::RsqrtOp, inverseRoot>)};
}

} // namespace spindle
