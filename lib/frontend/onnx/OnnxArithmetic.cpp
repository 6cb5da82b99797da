// ONNX operators that compute element by element or by matrix products.
#include "lib/frontend/onnx/OnnxNode.h"

namespace spindle {

/// Any number of inputs, one after the other.
template <Arithmetic kind> static llvm::Expected<Tensor> folded(const OnnxNode &node) {
  Tensor result = node.input(0);
  for (size_t k = 1; k < node.inputCount(); ++k) {
    SPINDLE_ASSIGN(result, node.builder.arithmetic(kind, result, node.input(k)));
  }
  return result;
}

static llvm::Expected<Tensor> mean(const OnnxNode &node) {
  SPINDLE_ASSIGN(Tensor sum, folded<Arithmetic::Add>(node));
  return node.builder.arithmetic(Arithmetic::Divide, sum,
                                 Tensor::constant({}, {double(node.inputCount())}));
}

static llvm::Expected<Tensor> negate(const OnnxNode &node) {
  return node.builder.arithmetic(Arithmetic::Multiply, node.input(0), Tensor::constant({}, {-1}));
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
  Tensor a = node.input(0), b = node.input(1);
  if (transA != 0) {
    SPINDLE_ASSIGN(a, builder.transpose(a, {1, 0}));
  }
  if (transB != 0) {
    SPINDLE_ASSIGN(b, builder.transpose(b, {1, 0}));
  }
  if (alpha != 1) {
    SPINDLE_ASSIGN(b, builder.arithmetic(Arithmetic::Multiply, b, Tensor::constant({}, {alpha})));
  }
  SPINDLE_ASSIGN(Tensor product, builder.matmul(a, b));
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
  return node.builder.normalize(
      node.input(0), 1, {node.input(3), node.input(4), node.input(1), node.input(2), epsilon});
}

llvm::ArrayRef<OnnxOperator> onnxArithmetic() {
  static const OnnxOperator table[] = {
      {"Add", 2, 2, folded<Arithmetic::Add>},
      {"BatchNormalization", 5, 5, batchNormalization},
      {"Div", 2, 2, folded<Arithmetic::Divide>},
      {"Gemm", 2, 3, gemm},
      {"MatMul", 2, 2, matmul},
      {"Max", 1, onnxAnyInputs, folded<Arithmetic::Maximum>},
      {"Mean", 1, onnxAnyInputs, mean},
      {"Min", 1, onnxAnyInputs, folded<Arithmetic::Minimum>},
      {"Mul", 2, 2, folded<Arithmetic::Multiply>},
      {"Neg", 1, 1, negate},
      {"Sub", 2, 2, folded<Arithmetic::Subtract>},
      {"Sum", 1, onnxAnyInputs, folded<Arithmetic::Add>},
  };
  return table;
}

} // namespace spindle
