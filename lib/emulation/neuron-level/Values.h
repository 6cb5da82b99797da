// What programs of the neuron level compute with.
#pragma once

#include "core/support/Error.h"

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace spindle::neuron_level {

using Shape = std::vector<int64_t>;

/// Elements of a shape.
size_t sizeOf(const Shape &shape);

/// `2x3`
std::string text(const Shape &shape);

/// Spike times in ms, finite, not negative, ascending; equal times are spikes at one instant.
using Train = std::vector<float>;

/// Stands for "no spike" in tensors of times.
constexpr float kNever = std::numeric_limits<float>::infinity();

struct Bundle {
  Shape shape;
  std::vector<Train> trains; // row-major
  bool operator==(const Bundle &) const = default;
};

template <typename Element> struct Array {
  Shape shape;
  std::vector<Element> values; // row-major
  bool operator==(const Array &) const = default;
};
using Floats = Array<float>;
using Indices = Array<int64_t>;

/// A number (f32, index or integer), a train, a bundle or a tensor.
using Value = std::variant<float, int64_t, Train, Bundle, Floats, Indices>;

/// An error of the user's data, still without its place.
llvm::Error dataError(std::string message);

/// The same error at a place; errors that have one keep it.
llvm::Error placed(llvm::Error error, const std::string &place);

} // namespace spindle::neuron_level
