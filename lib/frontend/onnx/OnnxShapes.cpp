// ONNX operators that arrange elements, and the arithmetic of shapes that exporters write before
// them.
#include "lib/frontend/onnx/OnnxModel.h"
#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"

namespace spindle {

static llvm::Expected<Tensor> identity(const OnnxNode &node) { return node.input(0); }

static llvm::Expected<Tensor> constant(const OnnxNode &node) {
  SPINDLE_ASSIGN(const onnx::TensorProto *value, node.tensor("value"));
  if (!value)
    return node.refuse("only constants given by a tensor are supported");
  return readOnnxTensor(*value, node.builder.presentPlace());
}

/// A dimension counted from the end where negative.
static llvm::Expected<size_t> dimension(const OnnxNode &node, int64_t axis, size_t rank) {
  int64_t result = axis < 0 ? axis + int64_t(rank) : axis;
  if (result < 0 || result >= int64_t(rank))
    return node.refuse(fmt::format("axis is {}, expected a dimension of {}", axis, rank));
  return size_t(result);
}

static llvm::Expected<Tensor> flatten(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  SPINDLE_ASSIGN(int64_t axis, node.integer("axis", 1));
  // The end is an axis too, negative ones count back from the last dimension.
  SPINDLE_ASSIGN(size_t split, dimension(node, axis, x.shape.size() + (axis < 0 ? 0 : 1)));
  auto middle = x.shape.begin() + split;
  return node.builder.reshape(
      x, {sizeOf(Shape(x.shape.begin(), middle)), sizeOf(Shape(middle, x.shape.end()))});
}

/// 0 copies an extent, −1 takes what remains; the batch of the file counts as one.
static llvm::Expected<Tensor> reshape(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  SPINDLE_ASSIGN(Shape shape, node.constantIntegers(1));
  SPINDLE_ASSIGN(int64_t allowZero, node.integer("allowzero", 0));
  if (!x.isConstant() && !shape.empty() && shape[0] == node.builder.batch)
    shape[0] = 1;
  int64_t known = 1, open = -1;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0 && allowZero == 0 && d < x.shape.size())
      shape[d] = x.shape[d];
    if (shape[d] == -1 && open < 0)
      open = int64_t(d);
    else if (shape[d] < 1 || __builtin_mul_overflow(known, shape[d], &known))
      return node.refuse(fmt::format("{} is no shape for {}", toText(shape), toText(x.shape)));
  }
  if (open >= 0)
    shape[open] = sizeOf(x.shape) / known;
  return node.builder.reshape(x, shape);
}

static llvm::Expected<Tensor> squeeze(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  SPINDLE_ASSIGN(Shape axes, node.integersOrInput("axes", 1));
  std::vector<bool> dropped(x.shape.size(), false);
  for (int64_t axis : axes) {
    SPINDLE_ASSIGN(size_t d, dimension(node, axis, x.shape.size()));
    if (x.shape[d] != 1)
      return node.refuse(fmt::format("dimension {} of {} is not one", axis, toText(x.shape)));
    dropped[d] = true;
  }
  Shape shape;
  for (size_t d = 0; d < x.shape.size(); ++d)
    if (!dropped[d] && !(axes.empty() && x.shape[d] == 1))
      shape.push_back(x.shape[d]);
  return node.builder.reshape(x, shape);
}

static llvm::Expected<Tensor> unsqueeze(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  SPINDLE_ASSIGN(Shape axes, node.integersOrInput("axes", 1));
  size_t rank = x.shape.size() + axes.size();
  std::vector<bool> added(rank, false);
  for (int64_t axis : axes) {
    SPINDLE_ASSIGN(size_t d, dimension(node, axis, rank));
    if (added[d])
      return node.refuse(fmt::format("axis {} is given twice", axis));
    added[d] = true;
  }
  Shape shape;
  for (size_t d = 0, next = 0; d < rank; ++d)
    shape.push_back(added[d] ? 1 : x.shape[next++]);
  return node.builder.reshape(x, shape);
}

static llvm::Expected<Tensor> transpose(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  Shape reversed;
  for (size_t d = x.shape.size(); d-- > 0;)
    reversed.push_back(int64_t(d));
  SPINDLE_ASSIGN(Shape permutation, node.integers("perm", reversed));
  return node.builder.transpose(x, permutation);
}

// `x.view(x.size(0), -1)` is exported as Shape, Gather, Unsqueeze, Concat, Reshape; all but the
// last work on constants here.

static llvm::Expected<Tensor> shapeOf(const OnnxNode &node) {
  const Shape &shape = node.input(0).shape;
  return Tensor::constant({int64_t(shape.size())}, std::vector<double>(shape.begin(), shape.end()));
}

static llvm::Expected<Tensor> gather(const OnnxNode &node) {
  const Tensor &from = node.input(0), &index = node.input(1);
  SPINDLE_ASSIGN(int64_t axis, node.integer("axis", 0));
  if (!from.isConstant() || from.shape.size() != 1 || axis != 0)
    return node.refuse("gathering is supported only from a constant vector");
  SPINDLE_ASSIGN(Shape indices, node.constantIntegers(1));
  Tensor result = Tensor::constant(index.shape, {});
  for (int64_t i : indices) {
    SPINDLE_ASSIGN(size_t position, dimension(node, i, from.shape[0]));
    result.values.push_back(from.at(position));
  }
  return result;
}

static llvm::Expected<Tensor> concat(const OnnxNode &node) {
  Tensor result = Tensor::constant({0}, {});
  for (size_t k = 0; node.has(k); ++k) {
    const Tensor &part = node.input(k);
    if (!part.isConstant() || part.shape.size() != 1)
      return node.refuse("joining is supported only of constant vectors");
    for (int64_t i = 0; i < part.shape[0]; ++i)
      result.values.push_back(part.at(i));
    result.shape[0] += part.shape[0];
  }
  return result;
}

llvm::ArrayRef<OnnxOperator> onnxShapes() {
  static const OnnxOperator table[] = {
      {"Concat", 1, 64, concat},      {"Constant", 0, 0, constant},   {"Dropout", 1, 3, identity},
      {"Flatten", 1, 1, flatten},     {"Gather", 2, 2, gather},       {"Identity", 1, 1, identity},
      {"Reshape", 2, 2, reshape},     {"Shape", 1, 1, shapeOf},       {"Squeeze", 1, 2, squeeze},
      {"Transpose", 1, 1, transpose}, {"Unsqueeze", 1, 2, unsqueeze},
  };
  return table;
}

} // namespace spindle
