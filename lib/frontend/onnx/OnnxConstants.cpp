// ONNX constants and the functions that only constants go through: the arithmetic of shapes that
// exporters write before a reshape, normalisations by hand.
#include "lib/frontend/onnx/OnnxModel.h"
#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

namespace spindle {

static llvm::Expected<Tensor> constant(const OnnxNode &node) {
  SPINDLE_ASSIGN(const onnx::TensorProto *value, node.tensor("value"));
  if (value)
    return readOnnxTensor(*value, node.builder.presentPlace());
  if (node.hasAttribute("value_float")) {
    SPINDLE_ASSIGN(double number, node.number("value_float", 0));
    return Tensor::constant({}, {number});
  }
  if (node.hasAttribute("value_int")) {
    SPINDLE_ASSIGN(int64_t number, node.integer("value_int", 0));
    return Tensor::constant({}, {double(number)});
  }
  if (node.hasAttribute("value_ints")) {
    SPINDLE_ASSIGN(Shape numbers, node.integers("value_ints", {}));
    return Tensor::constant({int64_t(numbers.size())},
                            std::vector<double>(numbers.begin(), numbers.end()));
  }
  if (node.hasAttribute("value_floats")) {
    SPINDLE_ASSIGN(std::vector<double> numbers, node.numbers("value_floats"));
    return Tensor::constant({int64_t(numbers.size())}, numbers);
  }
  return node.refuse("only constants given by a tensor or by numbers are supported");
}

static llvm::Expected<Tensor> constantOfShape(const OnnxNode &node) {
  SPINDLE_ASSIGN(Shape shape, node.constantIntegers(0));
  SPINDLE_ASSIGN(const onnx::TensorProto *value, node.tensor("value"));
  SPINDLE_RETURN_IF_ERROR(node.builder.checkComputed(shape));
  if (!value)
    return Tensor::constant(shape, {0});
  SPINDLE_ASSIGN(Tensor one, readOnnxTensor(*value, node.builder.presentPlace()));
  if (one.values.size() != 1)
    return node.refuse(fmt::format("value is {}, expected one element", toText(one.shape)));
  return Tensor::constant(shape, one.values);
}

/// All extents or, since operator set 15, some of them.
static llvm::Expected<Tensor> shapeOf(const OnnxNode &node) {
  const Shape &shape = node.input(0).shape;
  int64_t rank = int64_t(shape.size());
  SPINDLE_ASSIGN(int64_t start, node.integer("start", 0));
  SPINDLE_ASSIGN(int64_t end, node.integer("end", rank));
  start = std::clamp<int64_t>(start < 0 ? start + rank : start, 0, rank);
  end = std::clamp<int64_t>(end < 0 ? end + rank : end, start, rank);
  return Tensor::constant({end - start},
                          std::vector<double>(shape.begin() + start, shape.begin() + end));
}

/// Constants become whole numbers where the target is an integer; activations stay floats.
static llvm::Expected<Tensor> cast(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  SPINDLE_ASSIGN(int64_t to, node.integer("to", onnx::TensorProto::FLOAT));
  bool isFloat = to == onnx::TensorProto::FLOAT || to == onnx::TensorProto::DOUBLE ||
                 to == onnx::TensorProto::FLOAT16 || to == onnx::TensorProto::BFLOAT16;
  if (isFloat || (!x.isConstant() && node.atEnd))
    return x;
  if (!x.isConstant())
    return node.refuse("a cast of an activation to integers is not supported");
  return node.builder.evaluate("Cast", x, [](double value) { return std::trunc(value); });
}

template <double (*function)(double)>
static llvm::Expected<Tensor> onConstants(const OnnxNode &node) {
  return node.builder.evaluate("this function", node.input(0), function);
}

static double absolute(double x) { return std::abs(x); }
static double exponential(double x) { return std::exp(x); }
static double inverse(double x) { return 1 / x; }
static double logarithm(double x) { return std::log(x); }
static double root(double x) { return std::sqrt(x); }

static llvm::Expected<Tensor> power(const OnnxNode &node) {
  SPINDLE_ASSIGN(double exponent, node.numberOrInput("", 1, 1));
  return node.builder.evaluate("this function", node.input(0),
                               [=](double x) { return std::pow(x, exponent); });
}

llvm::ArrayRef<OnnxOperator> onnxConstants() {
  static const OnnxOperator table[] = {
      {"Abs", 1, 1, onConstants<absolute>},
      {"Cast", 1, 1, cast},
      {"Constant", 0, 0, constant},
      {"ConstantOfShape", 1, 1, constantOfShape},
      {"Exp", 1, 1, onConstants<exponential>},
      {"Log", 1, 1, onConstants<logarithm>},
      {"Pow", 2, 2, power},
      {"Reciprocal", 1, 1, onConstants<inverse>},
      {"Shape", 1, 1, shapeOf},
      {"Sqrt", 1, 1, onConstants<root>},
  };
  return table;
}

} // namespace spindle
