// Activation functions: rectifiers with and without a bound, and the staircases of networks trained
// for quantised activations.
#include "lib/frontend/AnnBuilder.h"

#include "fmt/format.h"
#include "mlir/IR/Diagnostics.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace spindle {

/// A bound that no float passes is none.
constexpr double unbounded = 1e30;

static bool isRectified(Value value, int depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (isa<snn::ReluOp>(op))
    return true;
  return isa<snn::MaxPool2dOp, snn::AvgPool2dOp, snn::SumPool2dOp, snn::ReshapeOp, snn::TransposeOp,
             snn::AddOp, snn::ConcatOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isRectified(operand, depth - 1); });
}

bool isRectified(Value value) { return isRectified(value, 16); }

/// Whether a value is the argument of the network, rearranged at most.
static bool isInput(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<snn::ReshapeOp, snn::TransposeOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return true;
}

Tensor AnnBuilder::rectifier(const Tensor &x, double maximum, int64_t levels) {
  FloatAttr bound = maximum < unbounded ? builder.getF32FloatAttr(float(maximum)) : FloatAttr();
  IntegerAttr steps = levels > 0 ? builder.getI64IntegerAttr(levels) : IntegerAttr();
  Tensor result;
  result.shape = x.shape;
  result.activation = snn::ReluOp::create(builder, location, x.activation.getType(), x.activation,
                                          bound, steps, StringAttr());
  return result;
}

llvm::Expected<Tensor> AnnBuilder::relu(const Tensor &x) {
  return clamp(x, 0, std::numeric_limits<double>::infinity());
}

llvm::Expected<Tensor> AnnBuilder::clamp(const Tensor &x, double least, double most) {
  if (!(least <= most))
    return refuse(fmt::format("clamping to {} … {} is no range", least, most));
  if (x.isConstant()) {
    Tensor result = x;
    for (double &value : result.values)
      value = std::min(std::max(value, least), most);
    return result;
  }
  if (x.floored) {
    // clip(⌊v⌋, 0, L) is L levels of (v − 1/2).
    if (least != 0 || most < 1 || most > 1 << 20 || most != std::floor(most))
      return refuse(fmt::format("rounding clamped to {} … {} is not supported, expected zero to a "
                                "whole number of levels",
                                least, most));
    Tensor inner = x;
    inner.floored = false;
    SPINDLE_ASSIGN(Tensor shifted,
                   arithmetic(Arithmetic::Subtract, inner, Tensor::constant({}, {0.5})));
    return rectifier(shifted, most, int64_t(most));
  }
  if (least <= -unbounded) {
    if (most >= unbounded)
      return x;
    if (most > 0 && !x.isPadded() && isRectified(x.activation))
      return rectifier(x, most, 0);
    Tensor result = x;
    result.ceiling = std::min(x.ceiling, most);
    return result;
  }
  double maximum = std::min(most, x.ceiling);
  bool harmless = least < 0 && !x.isPadded() && isRectified(x.activation);
  if ((least != 0 && !harmless) || !(maximum > 0))
    return refuse(fmt::format("clamping to {} … {} is not supported, only a rectifier: zero to a "
                              "positive number",
                              least, maximum));
  Tensor inner = x;
  inner.ceiling = std::numeric_limits<double>::infinity();
  SPINDLE_ASSIGN(Tensor present, plain(inner));
  return rectifier(present, maximum, 0);
}

llvm::Expected<Tensor> AnnBuilder::floor(const Tensor &x) {
  if (x.isConstant())
    return evaluate("rounding down", x, [](double value) { return std::floor(value); });
  SPINDLE_ASSIGN(Tensor result, plain(x));
  result.floored = true;
  return result;
}

/// factor · inner + bias, the same for all elements, of the scales that end in a value.
namespace {
struct Affine {
  Value inner;
  double factor = 1, bias = 0;
};
} // namespace

static std::optional<double> onlyValue(Value constant, double absent) {
  if (!constant)
    return absent;
  FailureOr<std::vector<float>> values = snn::constantFloats(constant);
  if (failed(values) || values->empty() || !llvm::all_equal(*values))
    return std::nullopt;
  return double(values->front());
}

static Affine affineOf(Value value) {
  Affine affine{value};
  while (auto scale = affine.inner.getDefiningOp<snn::ScaleOp>()) {
    std::optional<double> factor = onlyValue(scale.getFactor(), 1);
    std::optional<double> bias = onlyValue(scale.getBias(), 0);
    if (!factor || !bias)
      break;
    affine.bias += affine.factor * *bias;
    affine.factor *= *factor;
    affine.inner = scale.getInput();
  }
  return affine;
}

/// ⌊L · clip(x, 0, m) / m + 1/2⌋ is L / m times the staircase of L levels up to m.
llvm::Expected<Tensor> AnnBuilder::resolveFloor(const Tensor &x) {
  Affine affine = affineOf(x.activation);
  auto relu = affine.inner.getDefiningOp<snn::ReluOp>();
  double maximum =
      relu && relu.getMaximumAttr() ? relu.getMaximumAttr().getValueAsDouble() : unbounded;
  double levels = affine.factor * maximum, whole = std::round(levels);
  constexpr double tolerance = 1e-4;
  if (maximum >= unbounded || relu.getLevelsAttr() || whole < 1 || whole > 1 << 20 ||
      std::abs(levels - whole) > tolerance * whole || std::abs(affine.bias - 0.5) > tolerance)
    return refuse("rounding is supported only in a clip-floor-shift activation: "
                  "floor(clip(x / m, 0, 1) · levels + 1/2), or clip(floor(x), 0, levels)");
  Tensor inner;
  inner.shape = x.shape;
  inner.activation = relu.getInput();
  Tensor stairs = rectifier(inner, maximum, int64_t(whole));
  return scale(stairs, x.shape, Tensor::constant({}, {affine.factor}), Tensor::constant({}, {0}));
}

llvm::Expected<Tensor> AnnBuilder::quantize(const Tensor &from, double step, double least,
                                            double most) {
  if (!(step > 0) || !(most > 0) || !(least <= 0))
    return refuse(fmt::format("a grid of step {} from {} to {} is not supported, expected a "
                              "positive step and zero on the grid",
                              step, least, most));
  SPINDLE_ASSIGN(Tensor x, plain(from));
  if (isInput(x.activation)) { // the precision of the sample, not a layer of the network
    mlir::emitWarning(location) << fmt::format(
        "the input is not rounded to steps of {:g} from {:g} to {:g}, as it is here: samples keep "
        "their precision; round and cut them beforehand where that changes answers",
        step, step * least, step * most);
    return x;
  }
  if (least < 0 && !isRectified(x.activation))
    return refuse(
        "quantising values of both signs is not supported, only after a rectifier or "
        "with a zero point that cuts off negative values; import the model as it was before "
        "it was quantised");
  return rectifier(x, step * most, int64_t(most));
}

llvm::Expected<Tensor> AnnBuilder::dropAtEnd(const std::string &what, const Tensor &x, bool atEnd,
                                             const Shape &over) {
  if (!atEnd || spindle::sizeOf(over) != spindle::sizeOf(x.shape))
    return refuse(
        fmt::format("{} is supported only at the end of the network, over all classes", what));
  return x;
}

} // namespace spindle
