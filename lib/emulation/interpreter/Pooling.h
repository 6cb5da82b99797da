// Windows over the channels of an image. Inputs outside the image are left out.
#pragma once

#include "lib/emulation/interpreter/Tensor.h"

#include <algorithm>
#include <limits>

namespace spindle::interpreter {

struct Pool2dGeometry {
  std::vector<int64_t> kernel, strides; // rows, columns
  std::vector<int64_t> padding;         // top, left, bottom, right
};

/// Calls `use(output, input)` for the inputs of every window, ascending.
template <typename Scalar, typename Use>
void forEachInput(const Tensor<Scalar> &x, const Pool2dGeometry &geometry, const Shape &shape,
                  Use use) {
  size_t o = 0;
  for (int64_t k = 0; k < shape[0]; ++k)
    for (int64_t r = 0; r < shape[1]; ++r)
      for (int64_t c = 0; c < shape[2]; ++c, ++o)
        for (int64_t i = 0; i < geometry.kernel[0]; ++i)
          for (int64_t j = 0; j < geometry.kernel[1]; ++j) {
            int64_t row = r * geometry.strides[0] + i - geometry.padding[0];
            int64_t column = c * geometry.strides[1] + j - geometry.padding[1];
            if (x.holds(row, column))
              use(o, x.at(k, row, column));
          }
}

/// The sum over each window.
template <typename Scalar>
Tensor<Scalar> sumPool2d(const Tensor<Scalar> &x, const Pool2dGeometry &geometry, Shape shape) {
  Tensor<Scalar> y(std::move(shape));
  forEachInput(x, geometry, y.shape, [&](size_t o, Scalar input) { y.values[o] += input; });
  return y;
}

/// That sum divided by the number of its inputs, or of all places of the kernel.
template <typename Scalar>
Tensor<Scalar> avgPool2d(const Tensor<Scalar> &x, const Pool2dGeometry &geometry,
                         bool countIncludePad, Shape shape) {
  Tensor<Scalar> y = sumPool2d(x, geometry, std::move(shape));
  std::vector<int64_t> counts(y.values.size(), 0);
  forEachInput(x, geometry, y.shape, [&](size_t o, Scalar) { ++counts[o]; });
  for (size_t o = 0; o < counts.size(); ++o)
    y.values[o] /= Scalar(countIncludePad ? geometry.kernel[0] * geometry.kernel[1] : counts[o]);
  return y;
}

/// The maximum of each window; not-a-number is passed over.
template <typename Scalar>
Tensor<Scalar> maxPool2d(const Tensor<Scalar> &x, const Pool2dGeometry &geometry, Shape shape) {
  Tensor<Scalar> y(std::move(shape));
  y.values.assign(y.values.size(), -std::numeric_limits<Scalar>::infinity());
  forEachInput(x, geometry, y.shape, [&](size_t o, Scalar input) {
    y.values[o] = input > y.values[o] ? input : y.values[o];
  });
  return y;
}

/// Maximum pooling in time: the largest sum of an input of the window so far, less what the output
/// has made of it already. `sums` (of the inputs) and `made` are brought up to date.
template <typename Scalar>
Tensor<Scalar> maxPoolInTime(const Tensor<Scalar> &x, const Pool2dGeometry &geometry, Shape shape,
                             std::vector<Scalar> &sums, std::vector<Scalar> &made) {
  for (size_t n = 0; n < sums.size(); ++n)
    sums[n] += x.values[n];
  Tensor<Scalar> y = maxPool2d(Tensor<Scalar>(x.shape, sums), geometry, std::move(shape));
  for (size_t o = 0; o < made.size(); ++o) {
    Scalar most = y.values[o];
    y.values[o] = most - made[o];
    made[o] = most;
  }
  return y;
}

} // namespace spindle::interpreter
