// ONNX operators that compute element by element or by matrix products.
#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"

#include <cmath>

namespace spindle {

template <Arithmetic kind> static llvm::Expected<Tensor> arithmetic(const OnnxNode &node) {
  return node.builder.arithmetic(kind, node.input(0), node.input(1));
}

static llvm::Expected<Tensor> relu(const OnnxNode &node) {
  return node.builder.relu(node.input(0));
}

static llvm::Expected<Tensor> matmul(const OnnxNode &node) {
  return node.builder.matmul(node.input(0), node.input(1));
}

/// alpha · A · B + beta · C
static llvm::Expected<Tensor> gemm(const OnnxNode &node) {
  SPINDLE_ASSIGN(double alpha, node.number("alpha", 1));
  SPINDLE_ASSIGN(double beta, node.number("beta", 1));
  SPINDLE_ASSIGN(int64_t transA, node.integer("transA", 0));
  SPINDLE_ASSIGN(int64_t transB, node.integer("transB", 0));
  AnnBuilder &builder = node.builder;
  if (transA != 0)
    return node.refuse("transA is not supported");
  Tensor b = node.input(1);
  if (transB != 0) {
    SPINDLE_ASSIGN(b, builder.transpose(b, {1, 0}));
  }
  if (alpha != 1) {
    SPINDLE_ASSIGN(b, builder.arithmetic(Arithmetic::Multiply, b, Tensor::constant({}, {alpha})));
  }
  SPINDLE_ASSIGN(Tensor product, builder.matmul(node.input(0), b));
  if (!node.has(2) || beta == 0)
    return product;
  Tensor c = node.input(2);
  if (beta != 1) {
    SPINDLE_ASSIGN(c, builder.arithmetic(Arithmetic::Multiply, c, Tensor::constant({}, {beta})));
  }
  return builder.arithmetic(Arithmetic::Add, product, c);
}

/// (x − mean) / sqrt(variance + epsilon) · scale + bias with the statistics of the training.
static llvm::Expected<Tensor> batchNormalization(const OnnxNode &node) {
  SPINDLE_ASSIGN(double epsilon, node.number("epsilon", 1e-5));
  SPINDLE_ASSIGN(int64_t training, node.integer("training_mode", 0));
  SPINDLE_ASSIGN(int64_t spatial, node.integer("spatial", 1));
  if (training != 0 || spatial != 1)
    return node.refuse("training_mode and spatial = 0 are not supported");
  const Tensor &x = node.input(0);
  int64_t channels = x.shape.size() < 2 ? 0 : x.shape[1];
  for (size_t k = 1; k < 5; ++k)
    if (!node.input(k).isConstant() || node.input(k).shape != Shape{channels})
      return node.refuse(fmt::format("input {} is {}, expected a constant of {} channels", k,
                                     toText(node.input(k).shape), channels));
  std::vector<double> factor, bias;
  for (int64_t k = 0; k < channels; ++k) {
    double deviation = std::sqrt(node.input(4).at(k) + epsilon);
    factor.push_back(node.input(1).at(k) / deviation);
    bias.push_back(node.input(2).at(k) - node.input(3).at(k) * factor.back());
  }
  Shape shape(x.shape.size() - 1, 1); // channels, then ones
  shape[0] = channels;
  SPINDLE_ASSIGN(Tensor scaled,
                 node.builder.arithmetic(Arithmetic::Multiply, x, Tensor::constant(shape, factor)));
  return node.builder.arithmetic(Arithmetic::Add, scaled, Tensor::constant(shape, bias));
}

/// Over all elements of a sample softmax keeps their order, so at the end of a classifier it is
/// left out.
static llvm::Expected<Tensor> softmax(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  int64_t rank = int64_t(x.shape.size());
  SPINDLE_ASSIGN(int64_t axis, node.integer("axis", node.opset < 13 ? 1 : -1));
  if (axis < 0)
    axis += rank;
  if (axis < 0 || axis >= rank)
    return node.refuse(
        fmt::format("axis is {}, expected a dimension of {}", axis, toText(x.shape)));
  // Before operator set 13 all dimensions from the axis on are normalised together.
  Shape over(x.shape.begin() + axis, node.opset < 13 ? x.shape.end() : x.shape.begin() + axis + 1);
  if (!node.atEnd || sizeOf(over) != sizeOf(x.shape))
    return node.refuse("softmax is supported only at the end of the network, over all classes");
  return x;
}

llvm::ArrayRef<OnnxOperator> onnxArithmetic() {
  static const OnnxOperator table[] = {
      {"Add", 2, 2, arithmetic<Arithmetic::Add>},
      {"BatchNormalization", 5, 5, batchNormalization},
      {"Div", 2, 2, arithmetic<Arithmetic::Divide>},
      {"Gemm", 2, 3, gemm},
      {"LogSoftmax", 1, 1, softmax},
      {"MatMul", 2, 2, matmul},
      {"Mul", 2, 2, arithmetic<Arithmetic::Multiply>},
      {"Relu", 1, 1, relu},
      {"Softmax", 1, 1, softmax},
      {"Sub", 2, 2, arithmetic<Arithmetic::Subtract>},
  };
  return table;
}

} // namespace spindle
