// Linear arrangements that no operation of their own exists for: slices, zero padding of values,
// resizing. Each dimension has a small map; their product becomes compressed rows.
#include "lib/frontend/AnnBuilder.h"

#include "fmt/format.h"

#include <algorithm>

using namespace mlir;

namespace spindle {

AxisMap takeInputs(const Shape &numbers) {
  AxisMap map;
  for (int64_t number : numbers) {
    map.emplace_back();
    if (number >= 0)
      map.back().emplace_back(number, 1.0);
  }
  return map;
}

AxisMap takeAll(int64_t extent) {
  Shape numbers;
  for (int64_t i = 0; i < extent; ++i)
    numbers.push_back(i);
  return takeInputs(numbers);
}

namespace {

/// The rows of a product of maps, one after the other, last dimension fastest.
class ProductRows {
public:
  ProductRows(const std::vector<AxisMap> &axisMaps, const Shape &inputShape)
      : maps(axisMaps), position(axisMaps.size(), 0), strides(inputShape.size(), 1) {
    for (size_t d = inputShape.size(); d-- > 1;)
      strides[d - 1] = strides[d] * inputShape[d];
  }

  /// Inputs, ascending, and weights of the present row.
  const std::vector<std::pair<int64_t, double>> &row() {
    entries.assign(1, {0, 1.0});
    for (size_t d = 0; d < maps.size(); ++d) {
      next.clear();
      for (auto [base, factor] : entries)
        for (auto [input, weight] : maps[d][position[d]])
          next.emplace_back(base + input * strides[d], factor * weight);
      entries.swap(next);
    }
    return entries;
  }
  void advance() {
    for (size_t d = maps.size(); d-- > 0;) {
      if (++position[d] < maps[d].size())
        return;
      position[d] = 0;
    }
  }

private:
  const std::vector<AxisMap> &maps;
  std::vector<size_t> position;
  Shape strides;
  std::vector<std::pair<int64_t, double>> entries, next;
};

} // namespace

llvm::Expected<Tensor> AnnBuilder::arrange(const Tensor &from, const std::vector<AxisMap> &maps,
                                           double elsewhere) {
  SPINDLE_ASSIGN(Tensor x, plain(from));
  Shape shape;
  bool identity = true;
  for (size_t d = 0; d < maps.size(); ++d) {
    shape.push_back(int64_t(maps[d].size()));
    identity &= maps[d] == takeAll(x.shape[d]);
  }
  if (identity)
    return x;
  SPINDLE_RETURN_IF_ERROR(checkComputed(shape, x));
  ProductRows rows(maps, x.shape);
  size_t outputs = spindle::sizeOf(shape);
  if (x.isConstant()) {
    std::vector<double> values;
    for (size_t o = 0; o < outputs; ++o, rows.advance()) {
      double sum = rows.row().empty() ? elsewhere : 0;
      for (auto [input, weight] : rows.row())
        sum += weight * x.at(input);
      values.push_back(sum);
    }
    return Tensor::constant(shape, std::move(values));
  }

  constexpr int64_t mostWeights = int64_t(1) << 24;
  double connections = 1; // of a product of maps: the product of their sums
  for (const AxisMap &map : maps) {
    size_t entries = 0;
    for (const auto &sources : map)
      entries += sources.size();
    connections *= double(entries);
  }
  if (connections > double(mostWeights))
    return refuse(fmt::format("needs {:.0f} connections from {} to {}, expected at most {}",
                              connections, toText(x.shape), toText(shape), mostWeights));
  if (connections == 0)
    return refuse(
        fmt::format("keeps no element of its input of {}, expected at least one", toText(x.shape)));
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> indices;
  std::vector<double> weights, bias;
  for (size_t o = 0; o < outputs; ++o, rows.advance()) {
    for (auto [input, weight] : rows.row()) {
      indices.push_back(int32_t(input));
      weights.push_back(weight);
    }
    bias.push_back(rows.row().empty() ? elsewhere : 0);
    offsets.push_back(int64_t(indices.size()));
  }
  bool hasBias = llvm::any_of(bias, [](double value) { return value != 0; });
  Shape sample = sampleShape(shape);
  auto type = RankedTensorType::get(sample, builder.getF32Type());
  Value added = hasBias ? constant(bias) : Value();
  Value factors = constant(weights);
  return activation(snn::SparseOp::create(builder, location, type, x.activation, factors, added,
                                          offsets, indices, layer),
                    shape);
}

llvm::Expected<Tensor> AnnBuilder::arrangeAxis(const Tensor &x, size_t axis, const AxisMap &map) {
  SPINDLE_RETURN_IF_ERROR(checkComputed(x.shape, x));
  std::vector<AxisMap> maps;
  for (size_t d = 0; d < x.shape.size(); ++d)
    maps.push_back(d == axis ? map : takeAll(x.shape[d]));
  return arrange(x, maps);
}

llvm::Expected<Tensor> AnnBuilder::concat(llvm::ArrayRef<Tensor> parts, size_t axis) {
  Shape shape = parts.front().shape;
  shape[axis] = 0;
  for (const Tensor &part : parts) {
    Shape rest = part.shape;
    if (axis < rest.size())
      rest[axis] = shape[axis];
    if (rest != shape)
      return refuse(fmt::format("cannot join {} and {} along dimension {}",
                                toText(parts.front().shape), toText(part.shape), axis));
    shape[axis] += part.shape[axis];
  }
  SPINDLE_RETURN_IF_ERROR(checkSize(shape));
  bool allConstant = llvm::all_of(parts, [](const Tensor &part) { return part.isConstant(); });
  if (allConstant) {
    Tensor result = Tensor::constant(shape, {});
    Shape outer(shape.begin(), shape.begin() + axis);
    for (int64_t o = 0; o < spindle::sizeOf(outer); ++o)
      for (const Tensor &part : parts) {
        int64_t block = spindle::sizeOf(Shape(part.shape.begin() + axis, part.shape.end()));
        for (int64_t i = 0; i < block; ++i)
          result.values.push_back(part.at(o * block + i));
      }
    return result;
  }
  bool batched = shape.size() >= 2 && parts.front().shape[0] == 1;
  if (batched && axis == 0)
    return refuse("joining samples of the batch is not supported");
  std::vector<Value> values;
  for (const Tensor &part : parts) {
    if (part.isConstant())
      return refuse("joining an activation and a constant is not supported");
    SPINDLE_ASSIGN(Tensor present, plain(part));
    values.push_back(present.activation);
  }
  auto type = RankedTensorType::get(sampleShape(shape), builder.getF32Type());
  return activation(
      snn::ConcatOp::create(builder, location, type, values, int64_t(axis) - (batched ? 1 : 0)),
      shape);
}

llvm::Expected<Tensor> AnnBuilder::reduce(const Tensor &x, const std::vector<size_t> &axes,
                                          bool mean) {
  bool overImage = x.shape.size() == 4 && axes == std::vector<size_t>{2, 3};
  bool overRow = x.shape.size() == 3 && axes == std::vector<size_t>{2};
  if (!x.isConstant() && (overImage || overRow)) {
    Window window;
    window.kernel = {overImage ? x.shape[2] : 1, x.shape.back()};
    SPINDLE_ASSIGN(Tensor average, averagePool(x, window, true));
    if (mean)
      return average;
    double count = double(window.kernel[0] * window.kernel[1]);
    return arithmetic(Arithmetic::Multiply, average, Tensor::constant({}, {count}));
  }
  SPINDLE_RETURN_IF_ERROR(checkComputed(x.shape, x));
  std::vector<AxisMap> maps;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    if (!llvm::is_contained(axes, d)) {
      maps.push_back(takeAll(x.shape[d]));
      continue;
    }
    AxisMap all(1);
    for (int64_t i = 0; i < x.shape[d]; ++i)
      all[0].emplace_back(i, mean ? 1.0 / double(x.shape[d]) : 1.0);
    maps.push_back(std::move(all));
  }
  return arrange(x, maps);
}

} // namespace spindle
