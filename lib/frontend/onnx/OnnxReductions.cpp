// ONNX reductions over dimensions: means and sums, maxima of images.
#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"

namespace spindle {

/// The dimensions, ascending: an attribute in older operator sets, an input since; all but the
/// batch where none are named.
static llvm::Expected<std::vector<size_t>> axesOf(const OnnxNode &node) {
  const Shape &shape = node.input(0).shape;
  SPINDLE_ASSIGN(Shape named, node.integersOrInput("axes", 1));
  SPINDLE_ASSIGN(int64_t asIs, node.integer("noop_with_empty_axes", 0));
  std::vector<size_t> axes;
  for (int64_t axis : named) {
    SPINDLE_ASSIGN(size_t d, node.dimension(axis, shape.size()));
    axes.push_back(d);
  }
  if (named.empty() && asIs == 0)
    for (size_t d = 0; d < shape.size(); ++d)
      axes.push_back(d);
  llvm::sort(axes);
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  bool batched = !node.input(0).isConstant() && shape.size() >= 2;
  if (batched && llvm::is_contained(axes, size_t(0)) && node.builder.batch != 1)
    return node.refuse("a reduction over the batch is not supported");
  return axes;
}

static llvm::Expected<Tensor> withoutReduced(const OnnxNode &node, const Tensor &x,
                                             llvm::ArrayRef<size_t> axes) {
  SPINDLE_ASSIGN(int64_t keep, node.integer("keepdims", 1));
  if (keep != 0)
    return x;
  Shape shape;
  for (size_t d = 0; d < x.shape.size(); ++d)
    if (!llvm::is_contained(axes, d))
      shape.push_back(x.shape[d]);
  return node.builder.reshape(x, shape);
}

template <bool isMean> static llvm::Expected<Tensor> sum(const OnnxNode &node) {
  SPINDLE_ASSIGN(std::vector<size_t> axes, axesOf(node));
  SPINDLE_ASSIGN(Tensor result, node.builder.reduce(node.input(0), axes, isMean));
  return withoutReduced(node, result, axes);
}

/// Over rows and columns it is a global pooling.
static llvm::Expected<Tensor> maximum(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  SPINDLE_ASSIGN(std::vector<size_t> axes, axesOf(node));
  if (x.isConstant() || x.shape.size() != 4 || axes != std::vector<size_t>{2, 3})
    return node.refuse("a maximum is supported only over the rows and columns of images");
  Window window;
  window.kernel = {x.shape[2], x.shape[3]};
  SPINDLE_ASSIGN(Tensor result, node.builder.maxPool(x, window));
  return withoutReduced(node, result, axes);
}

llvm::ArrayRef<OnnxOperator> onnxReductions() {
  static const OnnxOperator table[] = {
      {"ReduceMax", 1, 2, maximum},
      {"ReduceMean", 1, 2, sum<true>},
      {"ReduceSum", 1, 2, sum<false>},
  };
  return table;
}

} // namespace spindle
