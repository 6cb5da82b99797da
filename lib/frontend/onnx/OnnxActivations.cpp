// ONNX activation functions, roundings and the pairs that quantised networks write around them.
#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spindle {

static llvm::Expected<Tensor> relu(const OnnxNode &node) {
  return node.builder.relu(node.input(0));
}

/// The bounds are attributes before operator set 11, inputs since.
static llvm::Expected<Tensor> clip(const OnnxNode &node) {
  constexpr double largest = std::numeric_limits<float>::max();
  SPINDLE_ASSIGN(double least, node.numberOrInput("min", 1, -largest));
  SPINDLE_ASSIGN(double most, node.numberOrInput("max", 2, largest));
  return node.builder.clamp(node.input(0), least, most);
}

static llvm::Expected<Tensor> floor(const OnnxNode &node) {
  return node.builder.floor(node.input(0));
}

/// Half to even; of an activation ⌊x + 1/2⌋, which differs where x is exactly between.
static llvm::Expected<Tensor> round(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  if (x.isConstant())
    return node.builder.evaluate("Round", x, [](double value) { return std::nearbyint(value); });
  SPINDLE_ASSIGN(Tensor shifted,
                 node.builder.arithmetic(Arithmetic::Add, x, Tensor::constant({}, {0.5})));
  return node.builder.floor(shifted);
}

/// A function that keeps the order of the classes, at the end of a classifier. `over`: the
/// dimensions that have to hold all of them.
static llvm::Expected<Tensor> ordered(const OnnxNode &node, const Shape &over) {
  return node.builder.dropAtEnd("softmax", node.input(0), node.atEnd, over);
}

static llvm::Expected<Tensor> softmax(const OnnxNode &node) {
  const Shape &shape = node.input(0).shape;
  SPINDLE_ASSIGN(int64_t axis, node.integer("axis", node.opset < 13 ? 1 : -1));
  int64_t rank = int64_t(shape.size()), first = axis < 0 ? axis + rank : axis;
  if (first < 0 || first >= rank)
    return node.refuse(fmt::format("axis is {}, expected a dimension of {}", axis, toText(shape)));
  // Before operator set 13 all dimensions from the axis on are normalised together.
  return ordered(node, Shape(shape.begin() + first,
                             node.opset < 13 ? shape.end() : shape.begin() + first + 1));
}

/// The answer of a classifier is the largest output anyway.
static llvm::Expected<Tensor> argMax(const OnnxNode &node) {
  const Shape &shape = node.input(0).shape;
  SPINDLE_ASSIGN(int64_t axis, node.integer("axis", 0));
  SPINDLE_ASSIGN(size_t over, node.dimension(axis, shape.size()));
  return node.builder.dropAtEnd("ArgMax", node.input(0), node.atEnd, {shape[over]});
}

static llvm::Expected<Tensor> sigmoid(const OnnxNode &node) {
  return node.builder.dropAtEnd("sigmoid", node.input(0), node.atEnd, node.input(0).shape);
}

/// The range of the integers that a zero point has; without one `output_dtype` says them since
/// operator set 21.
static llvm::Expected<std::pair<double, double>> rangeOf(const OnnxNode &node) {
  SPINDLE_ASSIGN(int64_t type, node.integer("output_dtype", onnx::TensorProto::UINT8));
  bool isSigned = node.has(2) ? node.input(2).isSignedByte : type == onnx::TensorProto::INT8;
  if (!node.has(2) && !isSigned && type != onnx::TensorProto::UINT8 && type != 0)
    return node.refuse(fmt::format(
        "output_dtype is {}, expected UINT8 or INT8",
        onnx::TensorProto_DataType_Name(static_cast<onnx::TensorProto_DataType>(type))));
  return isSigned ? std::pair(-128.0, 127.0) : std::pair(0.0, 255.0);
}

/// Since operator set 21 a scale may be of a block of elements.
static llvm::Error refuseBlocks(const OnnxNode &node) {
  SPINDLE_ASSIGN(int64_t block, node.integer("block_size", 0));
  if (block == 0)
    return llvm::Error::success();
  return node.refuse(fmt::format("block_size is {}, expected 0, one scale for a tensor or for each "
                                 "channel",
                                 block));
}

static llvm::Expected<Tensor> quantizeLinear(const OnnxNode &node) {
  SPINDLE_RETURN_IF_ERROR(refuseBlocks(node));
  const Tensor &x = node.input(0), &step = node.input(1);
  Tensor zero = node.has(2) ? node.input(2) : Tensor::constant({}, {0});
  if (!step.isConstant() || !zero.isConstant() || step.values.size() != 1 ||
      zero.values.size() != 1)
    return node.refuse("scale and zero point must be one constant each");
  std::pair<double, double> range;
  SPINDLE_ASSIGN(range, rangeOf(node));
  auto [least, most] = range;
  double factor = step.at(0), shift = zero.at(0);
  if (x.isConstant())
    return node.builder.evaluate("QuantizeLinear", x, [=, low = least, high = most](double value) {
      return std::clamp(std::nearbyint(value / factor) + shift, low, high);
    });
  if (node.atEnd)
    return x;
  SPINDLE_ASSIGN(Tensor result, node.builder.quantize(x, factor, least - shift, most - shift));
  result.gridStep = factor;
  return result;
}

static llvm::Expected<Tensor> dequantizeLinear(const OnnxNode &node) {
  SPINDLE_RETURN_IF_ERROR(refuseBlocks(node));
  Tensor x = node.input(0);
  const Tensor &step = node.input(1);
  Tensor zero = node.has(2) ? node.input(2) : Tensor::constant({}, {0});
  if (!step.isConstant() || !zero.isConstant())
    return node.refuse("scale and zero point must be constants");
  if (!x.isConstant()) {
    if (node.atEnd)
      return x;
    if (x.gridStep == 0 || x.gridStep != step.at(0) || step.values.size() != 1)
      return node.refuse("expected a value that QuantizeLinear made with the same scale");
    x.gridStep = 0;
    return x;
  }
  SPINDLE_ASSIGN(int64_t axis, node.integer("axis", 1));
  auto along = [&](Tensor parameter) -> llvm::Expected<Tensor> {
    if (parameter.shape.size() != 1 || parameter.shape[0] == 1)
      return Tensor::constant({}, {parameter.at(0)});
    SPINDLE_ASSIGN(size_t channel, node.dimension(axis, x.shape.size()));
    parameter.shape.resize(x.shape.size() - channel, 1);
    return parameter;
  };
  SPINDLE_ASSIGN(Tensor factor, along(step));
  SPINDLE_ASSIGN(Tensor shift, along(zero));
  SPINDLE_ASSIGN(x, node.builder.arithmetic(Arithmetic::Subtract, x, shift));
  return node.builder.arithmetic(Arithmetic::Multiply, x, factor);
}

llvm::ArrayRef<OnnxOperator> onnxActivations() {
  static const OnnxOperator table[] = {
      {"ArgMax", 1, 1, argMax},
      {"Clip", 1, 3, clip},
      {"DequantizeLinear", 2, 3, dequantizeLinear},
      {"Floor", 1, 1, floor},
      {"LogSoftmax", 1, 1, softmax},
      {"QuantizeLinear", 2, 3, quantizeLinear},
      {"Relu", 1, 1, relu},
      {"Round", 1, 1, round},
      {"Sigmoid", 1, 1, sigmoid},
      {"Softmax", 1, 1, softmax},
  };
  return table;
}

} // namespace spindle
