// A convolution as its kernels want it: the channels of a pixel stand together, in vectors of up to
// 64 filters.
#pragma once

#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

/// Rows or columns.
struct Axis {
  int64_t input, output, kernel, stride, dilation, before, after; // the last two: padding

  /// Weights after the first one reach so far.
  int64_t reach() const { return (kernel - 1) * dilation; }
  /// With a stride of one: the output that an event at 0 reaches by the last weight, or the first
  /// one, and as many as events reach from there on.
  int64_t first() const { return std::min<int64_t>(0, before - reach()); }
  int64_t extent() const { return std::max(output - 1, input - 1 + before) - first() + 1; }
};

struct Convolution {
  int64_t channels, filters; // that each filter reads; of all groups
  Axis rows, columns;
  int64_t block, blocks; // filters in one vector: a power of two from 8 on
  std::vector<float> weights, bias;

  int64_t taps() const { return rows.kernel * columns.kernel; }
  int64_t pixels() const { return rows.output * columns.output; }
  Image image() const { return {filters, rows.output, columns.output}; } // of the result
};

/// Blocks and packing are those of one group.
Convolution readConvolution(snn::Conv2dOp op);

/// Blocks × channels × kernel rows × columns × filters of a block.
std::vector<float> packWeights(const Convolution &conv);
/// One for each filter of each block; zeros where there is none.
std::vector<float> packBias(const Convolution &conv);
Layout layoutOf(const Image &image);
/// Rows of the result.
Signal addResult(PlanBuilder &b, const Convolution &conv);

/// Event by event into rows of the result; strides must be one. Gives the events.
EventList addScatterConvolution(PlanBuilder &b, const Convolution &conv, const Signal &input,
                                const Signal &output);
/// Pixel by pixel over all inputs, in the natural order or, without padding, of an image of one
/// plane. With `events` it is the alternative of the last stage.
void addDenseConvolution(PlanBuilder &b, const Convolution &conv, const Signal &input,
                         const Signal &output, std::optional<EventCount> events = std::nullopt);
/// Rows of the result in the natural order.
Signal addGroupedConvolution(PlanBuilder &b, const Convolution &conv, int64_t groups,
                             const Signal &input);

} // namespace spindle::layers
