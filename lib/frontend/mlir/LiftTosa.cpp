// Rules of tosa 1.0, which keeps images as batch, row, column, channel.
#include "lib/frontend/mlir/MlirLifter.h"

#include "fmt/format.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

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

template <typename Op, Arithmetic kind>
static llvm::Expected<Tensor> arithmetic(MlirLifter &lifter, Op op) {
  SPINDLE_ASSIGN(Tensor a, lifter.lookup(op->getOperand(0)));
  SPINDLE_ASSIGN(Tensor b, lifter.lookup(op->getOperand(1)));
  return lifter.builder.arithmetic(kind, a, b);
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

/// From zero to a bound that no float passes: a rectifier.
static llvm::Expected<Tensor> clamp(MlirLifter &lifter, tosa::ClampOp op) {
  SPINDLE_ASSIGN(Tensor least, constantOf(lifter, op.getMinVal()));
  SPINDLE_ASSIGN(Tensor most, constantOf(lifter, op.getMaxVal()));
  constexpr double unbounded = 1e30;
  if (!least.isAll(0) || most.at(0) < unbounded)
    return lifter.refuse(fmt::format("clamping to {} … {} is not supported, only a rectifier: zero "
                                     "to the largest float",
                                     least.at(0), most.at(0)));
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getInput()));
  return lifter.builder.relu(x);
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
  if (!value.isAll(0))
    return lifter.refuse("padding is supported only with zeros");
  Shape low, high;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    low.push_back(int64_t(amounts.at(2 * d)));
    high.push_back(int64_t(amounts.at(2 * d + 1)));
  }
  return lifter.builder.pad(x, low, high);
}

static llvm::Expected<Tensor> identity(MlirLifter &lifter, tosa::IdentityOp op) {
  return lifter.lookup(op.getInput1());
}

template <typename Op, double (*function)(double)>
static llvm::Expected<Tensor> onConstants(MlirLifter &lifter, Op op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op->getOperand(0)));
  return lifter.builder.evaluate(Op::getOperationName().str(), x, function);
}

static double inverse(double x) { return 1 / x; }
static double inverseRoot(double x) { return 1 / std::sqrt(x); }

std::vector<LiftRule> tosaRules() {
  return {rule(constant),
          rule(constantShape),
          rule(arithmetic<tosa::AddOp, Arithmetic::Add>),
          rule(arithmetic<tosa::SubOp, Arithmetic::Subtract>),
          rule(arithmetic<tosa::MulOp, Arithmetic::Multiply>),
          rule(arithmetic<tosa::MaximumOp, Arithmetic::Maximum>),
          rule(matmul),
          rule(conv2d),
          rule(depthwise),
          rule(averagePool),
          rule(clamp),
          rule(reshape),
          rule(transpose),
          rule(pad),
          rule(identity),
          rule(onConstants<tosa::ReciprocalOp, inverse>),
          rule(onConstants<tosa::RsqrtOp, inverseRoot>)};
}

} // namespace spindle
