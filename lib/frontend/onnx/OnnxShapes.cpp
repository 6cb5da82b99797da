// ONNX operators that keep all elements and their order, or permute whole dimensions.
#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"

namespace spindle {

static llvm::Expected<Tensor> identity(const OnnxNode &node) { return node.input(0); }

static llvm::Expected<Tensor> flatten(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  SPINDLE_ASSIGN(int64_t axis, node.integer("axis", 1));
  // The end is an axis too, negative ones count back from the last dimension.
  SPINDLE_ASSIGN(size_t split, node.dimension(axis, x.shape.size() + (axis < 0 ? 0 : 1)));
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
    SPINDLE_ASSIGN(size_t d, node.dimension(axis, x.shape.size()));
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
    SPINDLE_ASSIGN(size_t d, node.dimension(axis, rank));
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

/// Blocks of the channels become blocks of the image (ONNX: DCR, CRD) or the other way round.
static llvm::Expected<Tensor> depthToSpace(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  SPINDLE_ASSIGN(int64_t block, node.integer("blocksize", 0));
  SPINDLE_ASSIGN(std::string mode, node.word("mode", "DCR"));
  if (x.shape.size() != 4 || block < 1 || block > 1 << 10 || x.shape[1] % (block * block) != 0)
    return node.refuse(fmt::format("blocks of {} do not fit {}", block, toText(x.shape)));
  int64_t channels = x.shape[1] / (block * block), rows = x.shape[2], columns = x.shape[3];
  bool blockFirst = mode == "DCR";
  SPINDLE_ASSIGN(Tensor split,
                 node.builder.reshape(x, blockFirst
                                             ? Shape{1, block, block, channels, rows, columns}
                                             : Shape{1, channels, block, block, rows, columns}));
  SPINDLE_ASSIGN(Tensor moved, node.builder.transpose(split, blockFirst ? Shape{0, 3, 4, 1, 5, 2}
                                                                        : Shape{0, 1, 4, 2, 5, 3}));
  return node.builder.reshape(moved, {1, channels, rows * block, columns * block});
}

static llvm::Expected<Tensor> spaceToDepth(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  SPINDLE_ASSIGN(int64_t block, node.integer("blocksize", 0));
  if (x.shape.size() != 4 || block < 1 || x.shape[2] % block != 0 || x.shape[3] % block != 0)
    return node.refuse(fmt::format("blocks of {} do not fit {}", block, toText(x.shape)));
  int64_t channels = x.shape[1], rows = x.shape[2] / block, columns = x.shape[3] / block;
  SPINDLE_ASSIGN(Tensor split, node.builder.reshape(x, {1, channels, rows, block, columns, block}));
  SPINDLE_ASSIGN(Tensor moved, node.builder.transpose(split, {0, 3, 5, 1, 2, 4}));
  return node.builder.reshape(moved, {1, channels * block * block, rows, columns});
}

llvm::ArrayRef<OnnxOperator> onnxShapes() {
  static const OnnxOperator table[] = {
      {"DepthToSpace", 1, 1, depthToSpace}, {"Dropout", 1, 3, identity},
      {"Flatten", 1, 1, flatten},           {"Identity", 1, 1, identity},
      {"Reshape", 2, 2, reshape},           {"SpaceToDepth", 1, 1, spaceToDepth},
      {"Squeeze", 1, 2, squeeze},           {"Transpose", 1, 1, transpose},
      {"Unsqueeze", 1, 2, unsqueeze},
  };
  return table;
}

} // namespace spindle
