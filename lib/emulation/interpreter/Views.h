// Rearrangements and the rectifiers: element by element, without sums.
#pragma once

#include "lib/emulation/interpreter/Tensor.h"

#include <algorithm>
#include <cmath>

namespace spindle::interpreter {

/// The same elements in row-major order under another shape.
template <typename Scalar> Tensor<Scalar> reshape(const Tensor<Scalar> &x, Shape shape) {
  return Tensor<Scalar>(std::move(shape), x.values);
}

/// Dimension d of the result is dimension permutation[d] of x.
template <typename Scalar>
Tensor<Scalar> transpose(const Tensor<Scalar> &x, const std::vector<int64_t> &permutation) {
  Shape shape;
  for (int64_t dimension : permutation)
    shape.push_back(x.shape[static_cast<size_t>(dimension)]);
  Tensor<Scalar> y(shape);
  std::vector<int64_t> index(shape.size(), 0); // in the result, counted up like an odometer
  for (Scalar &value : y.values) {
    std::vector<int64_t> from(shape.size());
    for (size_t d = 0; d < shape.size(); ++d)
      from[static_cast<size_t>(permutation[d])] = index[d];
    int64_t offset = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      offset = offset * x.shape[d] + from[d];
    value = x.values[static_cast<size_t>(offset)];
    for (size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];)
      index[d] = 0;
  }
  return y;
}

/// max(x, 0); not-a-number becomes zero.
template <typename Scalar> Tensor<Scalar> relu(Tensor<Scalar> x) {
  for (Scalar &value : x.values)
    value = value > 0 ? value : 0;
  return x;
}

/// min(max(x, 0), maximum).
template <typename Scalar> Tensor<Scalar> clampedRelu(Tensor<Scalar> x, float maximum) {
  x = relu(std::move(x));
  for (Scalar &value : x.values)
    value = value < Scalar(maximum) ? value : Scalar(maximum);
  return x;
}

/// clip(floor(x · perUnit + 1/2), 0, levels) · unit.
template <typename Scalar>
Tensor<Scalar> steppedRelu(Tensor<Scalar> x, float perUnit, float unit, float levels) {
  for (Scalar &value : x.values)
    value = std::floor(value * Scalar(perUnit) + Scalar(0.5));
  x = clampedRelu(std::move(x), levels);
  for (Scalar &value : x.values)
    value *= Scalar(unit);
  return x;
}

/// The inputs side by side along one dimension.
template <typename Scalar>
Tensor<Scalar> concat(const std::vector<const Tensor<Scalar> *> &inputs, size_t axis, Shape shape) {
  Tensor<Scalar> y(std::move(shape));
  size_t outer = 1;
  for (size_t d = 0; d < axis; ++d)
    outer *= static_cast<size_t>(y.shape[d]);
  auto next = y.values.begin();
  for (size_t block = 0; block < outer; ++block)
    for (const Tensor<Scalar> *input : inputs) {
      auto size = static_cast<std::ptrdiff_t>(input->values.size() / outer);
      auto from = input->values.begin() + static_cast<std::ptrdiff_t>(block) * size;
      next = std::copy(from, from + size, next);
    }
  return y;
}

} // namespace spindle::interpreter
