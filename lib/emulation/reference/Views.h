// Rearrangements and the rectifier: element by element, without sums.
#pragma once

#include "lib/emulation/reference/Tensor.h"

namespace spindle::reference {

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

} // namespace spindle::reference
