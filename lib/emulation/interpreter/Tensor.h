// What the reference semantics is written in: a shape and its values, row-major.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spindle::interpreter {

using Shape = std::vector<int64_t>;

template <typename Scalar> struct Tensor {
  Shape shape;
  std::vector<Scalar> values;

  explicit Tensor(Shape extents = {0}) : shape(std::move(extents)) {
    size_t size = 1;
    for (int64_t extent : shape)
      size *= static_cast<size_t>(extent);
    values.resize(size);
  }
  Tensor(Shape extents, std::vector<Scalar> contents)
      : shape(std::move(extents)), values(std::move(contents)) {}

  /// The element of an image: channel, row, column.
  Scalar at(int64_t channel, int64_t row, int64_t column) const {
    return values[static_cast<size_t>((channel * shape[1] + row) * shape[2] + column)];
  }
  /// Whether the image has this pixel; outside lies the padding.
  bool holds(int64_t row, int64_t column) const {
    return row >= 0 && row < shape[1] && column >= 0 && column < shape[2];
  }
};

} // namespace spindle::interpreter
