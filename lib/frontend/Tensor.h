// A value of the model while it is imported.
#pragma once

#include "mlir/IR/Value.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

using Shape = std::vector<int64_t>;

/// Elements of a shape.
int64_t sizeOf(const Shape &shape);
/// `1x28x28`; `scalar` for no dimension.
std::string toText(const Shape &shape);

/// Either a constant, whose values are known, or an activation, a value of the graph under
/// construction. Shapes are those the model writes, with a batch of one.
struct Tensor {
  Shape shape;
  /// Of a constant, row-major; a single value stands for all elements; none for an uninitialised
  /// tensor.
  std::vector<double> values;
  /// Of an activation. Its type has `sampleShape(shape)`.
  mlir::Value activation;
  // What a file says of an activation in several operations waits here for the one that completes
  // it; AnnBuilder::plain puts it into the graph.
  /// Padding around it that the next window takes up, per dimension; included in `shape`, not in
  /// the activation. Empty: none.
  Shape low, high;
  /// The value of the padding; minus infinity where a maximum follows.
  double outside = 0;
  /// A bound from above that the next rectifier takes up.
  double ceiling = std::numeric_limits<double>::infinity();
  /// Rounded down, which the next bound completes to a staircase.
  bool floored = false;
  /// Put on this grid, which only the return to floats may see; zero: not.
  double gridStep = 0;
  /// Of a constant: stored as signed bytes, which a zero point says of its grid.
  bool isSignedByte = false;

  static Tensor constant(Shape shape, std::vector<double> values) {
    return {std::move(shape), std::move(values), {}, {}, {}};
  }
  bool isConstant() const { return !activation; }
  bool isPadded() const { return !low.empty(); }
  double at(size_t index) const { return values.size() == 1 ? values[0] : values[index]; }
  /// Whether it is a constant of this value everywhere.
  bool isAll(double value) const;
};

/// The shape without its batch: a leading extent of one is dropped where other dimensions remain.
Shape sampleShape(const Shape &shape);

/// The shape that both shapes broadcast to, aligned at the last dimension; empty optional when they
/// do not fit.
std::optional<Shape> broadcastShape(const Shape &a, const Shape &b);

/// The values of a constant repeated to `shape`, to which it broadcasts.
std::vector<double> broadcastValues(const Tensor &constant, const Shape &shape);

/// The values of a constant with permuted dimensions.
std::vector<double> transposeValues(const Tensor &constant, const Shape &permutation);

/// `shape` with its dimensions permuted.
Shape permuted(const Shape &shape, const Shape &permutation);

} // namespace spindle
