// ONNX operators that choose, repeat or join elements along dimensions.
#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"

#include <algorithm>
#include <climits>

namespace spindle {

static llvm::Expected<Tensor> gather(const OnnxNode &node) {
  const Tensor &from = node.input(0), &index = node.input(1);
  SPINDLE_ASSIGN(int64_t axis, node.integer("axis", 0));
  SPINDLE_ASSIGN(size_t along, node.dimension(axis, from.shape.size()));
  SPINDLE_ASSIGN(Shape indices, node.constantIntegers(1));
  SPINDLE_RETURN_IF_ERROR(node.builder.checkComputed(from.shape, from));
  for (int64_t &i : indices) {
    SPINDLE_ASSIGN(size_t position, node.dimension(i, size_t(from.shape[along])));
    i = int64_t(position);
  }
  SPINDLE_ASSIGN(Tensor taken, node.builder.arrangeAxis(from, along, takeInputs(indices)));
  // The dimension is replaced by those of the indices.
  Shape shape = from.shape;
  shape.erase(shape.begin() + along);
  shape.insert(shape.begin() + along, index.shape.begin(), index.shape.end());
  return node.builder.reshape(taken, shape);
}

static llvm::Expected<Tensor> concat(const OnnxNode &node) {
  std::vector<Tensor> parts;
  for (size_t k = 0; k < node.inputCount(); ++k)
    parts.push_back(node.input(k));
  SPINDLE_ASSIGN(int64_t axis, node.integer("axis", 1));
  SPINDLE_ASSIGN(size_t along, node.dimension(axis, parts.front().shape.size()));
  return node.builder.concat(parts, along);
}

/// The positions that a slice visits; its ends are cut to the extent as ONNX says.
static Shape visited(int64_t start, int64_t end, int64_t step, int64_t extent) {
  auto fromEnd = [&](int64_t position) { return position < 0 ? position + extent : position; };
  Shape positions;
  if (step > 0) {
    start = std::clamp<int64_t>(fromEnd(start), 0, extent);
    end = std::clamp<int64_t>(fromEnd(end), 0, extent);
    for (int64_t i = start; i < end; i += std::min(step, extent))
      positions.push_back(i);
  } else {
    start = std::clamp<int64_t>(fromEnd(start), -1, extent - 1);
    end = std::clamp<int64_t>(fromEnd(end), -1, extent - 1);
    for (int64_t i = start; i > end; i += std::max(step, -extent))
      positions.push_back(i);
  }
  return positions;
}

/// Starts, ends, axes, steps: attributes before operator set 10, inputs since.
static llvm::Expected<Tensor> slice(const OnnxNode &node) {
  Tensor x = node.input(0);
  SPINDLE_ASSIGN(Shape starts, node.integersOrInput("starts", 1, /*isBound=*/true));
  SPINDLE_ASSIGN(Shape ends, node.integersOrInput("ends", 2, /*isBound=*/true));
  SPINDLE_ASSIGN(Shape axes, node.integersOrInput("axes", 3));
  SPINDLE_ASSIGN(Shape steps, node.integersOrInput("steps", 4));
  if (axes.empty())
    for (size_t k = 0; k < starts.size(); ++k)
      axes.push_back(int64_t(k));
  if (steps.empty())
    steps.assign(starts.size(), 1);
  if (starts.size() != ends.size() || starts.size() != axes.size() ||
      starts.size() != steps.size() || llvm::is_contained(steps, 0))
    return node.refuse(fmt::format("{} starts, {} ends, {} axes and {} steps do not fit, or a step "
                                   "is zero",
                                   starts.size(), ends.size(), axes.size(), steps.size()));
  for (size_t k = 0; k < starts.size(); ++k) {
    SPINDLE_ASSIGN(size_t along, node.dimension(axes[k], x.shape.size()));
    SPINDLE_RETURN_IF_ERROR(node.builder.checkComputed(x.shape, x));
    Shape positions = visited(starts[k], ends[k], steps[k], x.shape[along]);
    if (positions.empty())
      return node.refuse(
          fmt::format("nothing remains of dimension {} of {}", along, toText(x.shape)));
    SPINDLE_ASSIGN(x, node.builder.arrangeAxis(x, along, takeInputs(positions)));
  }
  return x;
}

/// One of the parts: sizes by attribute before operator set 13, by input since, equal where not
/// given.
static llvm::Expected<Tensor> split(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  SPINDLE_ASSIGN(int64_t axis, node.integer("axis", 0));
  SPINDLE_ASSIGN(size_t along, node.dimension(axis, x.shape.size()));
  SPINDLE_ASSIGN(Shape sizes, node.integersOrInput("split", 1));
  int64_t extent = x.shape[along], count = int64_t(node.outputCount());
  if (sizes.empty())
    for (int64_t k = 0, size = (extent + count - 1) / count; k < count; ++k)
      sizes.push_back(std::min(size, extent - k * size));
  int64_t total = 0;
  for (int64_t size : sizes)
    total += size < 1 || size > extent ? extent + 1 : size;
  if (int64_t(sizes.size()) != count || total != extent)
    return node.refuse(fmt::format("{} parts for {} outputs do not make up the {} of dimension {}",
                                   sizes.size(), count, extent, along));
  int64_t start = 0;
  for (size_t k = 0; k < node.output; ++k)
    start += sizes[k];
  Shape positions;
  for (int64_t i = 0; i < sizes[node.output]; ++i)
    positions.push_back(start + i);
  return node.builder.arrangeAxis(x, along, takeInputs(positions));
}

/// Where each position of a padded dimension comes from; negative numbers cut off.
static Shape paddedFrom(const std::string &mode, int64_t extent, int64_t low, int64_t high) {
  Shape from;
  for (int64_t i = -low; i < extent + high; ++i) {
    int64_t period = std::max<int64_t>(2 * (extent - 1), 1), at = i;
    if (mode == "edge")
      at = std::clamp<int64_t>(i, 0, extent - 1);
    else if (mode == "wrap")
      at = (i % extent + extent) % extent;
    else if (mode == "reflect") {
      at = (i % period + period) % period;
      at = std::min(at, period - at);
    }
    from.push_back(at >= 0 && at < extent ? at : -1);
  }
  return from;
}

/// Zeros become the padding of the window that follows.
static llvm::Expected<Tensor> pad(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  SPINDLE_ASSIGN(std::string mode, node.word("mode", "constant"));
  SPINDLE_ASSIGN(double value, node.numberOrInput("value", 2, 0));
  SPINDLE_ASSIGN(Shape pads, node.integersOrInput("pads", 1));
  Shape axes;
  if (node.has(3)) {
    SPINDLE_ASSIGN(axes, node.constantIntegers(3));
  } else {
    for (size_t d = 0; d < x.shape.size(); ++d)
      axes.push_back(int64_t(d));
  }
  if (pads.size() != 2 * axes.size())
    return node.refuse(
        fmt::format("pads are {} numbers, expected two for each of {} dimensions of {}",
                    pads.size(), axes.size(), toText(x.shape)));
  Shape low(x.shape.size(), 0), high(x.shape.size(), 0);
  for (size_t k = 0; k < axes.size(); ++k) {
    SPINDLE_ASSIGN(size_t d, node.dimension(axes[k], x.shape.size()));
    low[d] = pads[k];
    high[d] = pads[axes.size() + k];
  }
  if (mode == "constant")
    return node.builder.pad(x, low, high, value);
  if (mode != "edge" && mode != "reflect" && mode != "wrap")
    return node.refuse(fmt::format("mode is '{}', expected constant, edge, reflect or wrap", mode));
  Shape padded = x.shape;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    constexpr int64_t limit = 1 << 20;
    if (std::min(low[d], high[d]) < -limit || std::max(low[d], high[d]) > limit)
      return node.refuse(fmt::format("padding must be between -{} and {}", limit, limit));
    padded[d] += low[d] + high[d];
  }
  SPINDLE_RETURN_IF_ERROR(node.builder.checkComputed(padded, x));
  std::vector<AxisMap> maps;
  for (size_t d = 0; d < x.shape.size(); ++d)
    maps.push_back(takeInputs(paddedFrom(mode, x.shape[d], low[d], high[d])));
  return node.builder.arrange(x, maps);
}

/// Repeats constants; an activation keeps its size.
static llvm::Expected<Tensor> expand(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  SPINDLE_ASSIGN(Shape target, node.constantIntegers(1));
  if (!x.isConstant() && !target.empty() && target[0] == node.builder.batch)
    target[0] = 1;
  std::optional<Shape> shape = broadcastShape(x.shape, target);
  if (!shape)
    return node.refuse(fmt::format("{} does not broadcast to {}", toText(x.shape), toText(target)));
  SPINDLE_RETURN_IF_ERROR(node.builder.checkSize(*shape));
  if (!x.isConstant() && sizeOf(*shape) == sizeOf(x.shape))
    return node.builder.reshape(x, *shape);
  SPINDLE_RETURN_IF_ERROR(node.builder.checkComputed(*shape, x));
  std::vector<AxisMap> maps;
  SPINDLE_ASSIGN(Tensor wide, node.builder.reshape(x, [&] {
    Shape aligned(shape->size() - x.shape.size(), 1);
    aligned.insert(aligned.end(), x.shape.begin(), x.shape.end());
    return aligned;
  }()));
  for (size_t d = 0; d < shape->size(); ++d)
    maps.push_back(wide.shape[d] == (*shape)[d] ? takeAll(wide.shape[d])
                                                : takeInputs(Shape((*shape)[d], 0)));
  return node.builder.arrange(wide, maps);
}

llvm::ArrayRef<OnnxOperator> onnxArrangements() {
  static const OnnxOperator table[] = {
      {"Concat", 1, onnxAnyInputs, concat},
      {"Expand", 2, 2, expand},
      {"Gather", 2, 2, gather},
      {"Pad", 1, 4, pad},
      {"Slice", 1, 5, slice},
      {"Split", 1, 2, split, /*manyOutputs=*/true},
  };
  return table;
}

} // namespace spindle
