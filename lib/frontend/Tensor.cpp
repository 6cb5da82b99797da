#include "lib/frontend/Tensor.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <numeric>
#include <optional>

namespace spindle {

int64_t sizeOf(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

std::string toText(const Shape &shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

bool Tensor::isAll(double value) const {
  return isConstant() && !values.empty() &&
         llvm::all_of(values, [&](double element) { return element == value; });
}

Shape sampleShape(const Shape &shape) {
  if (shape.size() >= 2 && shape.front() == 1)
    return Shape(shape.begin() + 1, shape.end());
  return shape;
}

Shape permuted(const Shape &shape, const Shape &permutation) {
  Shape result;
  for (int64_t dimension : permutation)
    result.push_back(shape[dimension]);
  return result;
}

std::optional<Shape> broadcastShape(const Shape &a, const Shape &b) {
  const Shape &longer = a.size() >= b.size() ? a : b, &shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  size_t offset = longer.size() - shorter.size();
  for (size_t d = 0; d < shorter.size(); ++d) {
    int64_t &extent = result[offset + d];
    if (extent == 1)
      extent = shorter[d];
    else if (shorter[d] != 1 && shorter[d] != extent)
      return std::nullopt;
  }
  return result;
}

/// Reads a tensor in the order of another one: element o of the result is the element of the tensor
/// at Σ coordinate(d) · strides(d).
static std::vector<double> gather(const Tensor &tensor, const Shape &shape, const Shape &strides) {
  std::vector<double> result;
  result.reserve(sizeOf(shape));
  Shape coordinate(shape.size(), 0);
  int64_t index = 0;
  for (int64_t o = 0, size = sizeOf(shape); o < size; ++o) {
    result.push_back(tensor.at(index));
    for (size_t d = shape.size(); d-- > 0;) {
      index += strides[d];
      if (++coordinate[d] < shape[d])
        break;
      index -= strides[d] * shape[d];
      coordinate[d] = 0;
    }
  }
  return result;
}

/// Row-major strides.
static Shape stridesOf(const Shape &shape) {
  Shape strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

std::vector<double> broadcastValues(const Tensor &constant, const Shape &shape) {
  Shape own = stridesOf(constant.shape), strides(shape.size(), 0);
  size_t offset = shape.size() - constant.shape.size();
  for (size_t d = 0; d < own.size(); ++d)
    strides[offset + d] = constant.shape[d] == 1 ? 0 : own[d];
  return gather(constant, shape, strides);
}

std::vector<double> transposeValues(const Tensor &constant, const Shape &permutation) {
  if (constant.values.size() <= 1)
    return constant.values;
  return gather(constant, permuted(constant.shape, permutation),
                permuted(stridesOf(constant.shape), permutation));
}

} // namespace spindle
