// What weighs the elements of an image in windows.
#pragma once

#include "core/support/Error.h"
#include "dialects/snn/Snn.h"

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <optional>

namespace spindle::snn_to_loops {

/// Filters over an image. Sums of windows are filters, too, each with ones for its own channel, and
/// elements that are taken as they are, or times a factor of their channel, are windows of one.
struct WindowFilters {
  llvm::SmallVector<int64_t> from, to; // channels, rows, columns
  std::array<int64_t, 2> kernel{1, 1}, strides{1, 1}, dilations{1, 1}, padding{0, 0};
  std::vector<int64_t> weights; // filters × channels × kernel

  int64_t weight(int64_t filter, int64_t channel, int64_t row, int64_t column) const {
    return weights[size_t(((filter * from[0] + channel) * kernel[0] + row) * kernel[1] + column)];
  }
  int64_t channelOf(int64_t input) const { return input / (from[1] * from[2]); }
  /// Row or column of an input.
  int64_t at(int64_t input, size_t axis) const {
    return axis == 1 ? input % from[2] : input / from[2] % from[1];
  }
};

/// Of snn.conv2d, snn.sum_pool2d or snn.scale; none where the operation has no windows: a scale
/// that differs between the elements of a channel, no image, another operation. Errors: weights
/// that are not constant, or no integers.
llvm::Expected<std::optional<WindowFilters>> filtersOf(mlir::Operation *op);
/// Of an image that is taken as it is.
WindowFilters identityFilters(llvm::ArrayRef<int64_t> image);

} // namespace spindle::snn_to_loops
