// Keras layers with weights: dense, convolutions, batch normalisation.
#include "lib/frontend/keras/KerasLayer.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <cmath>

namespace spindle {

static llvm::Error checkRank(const KerasLayer &layer, const Tensor &weight, size_t rank) {
  if (weight.shape.size() == rank)
    return llvm::Error::success();
  return layer.refuse(
      fmt::format("weights are {}, expected {} dimensions", toText(weight.shape), rank));
}

/// What the configuration says of the weights, where it does.
static llvm::Error checkExtents(const KerasLayer &layer, const Tensor &weight, const char *key,
                                llvm::ArrayRef<int64_t> extents) {
  if (!layer.has(key))
    return llvm::Error::success();
  SPINDLE_ASSIGN(Shape said, layer.integers(key, extents.size(), 0));
  if (llvm::ArrayRef(said) == extents)
    return llvm::Error::success();
  return layer.refuse(fmt::format("'{}' is {}, but the weights are {}; save the model again", key,
                                  fmt::join(said, " × "), toText(weight.shape)));
}

static llvm::Expected<Tensor> dense(const KerasLayer &layer) {
  SPINDLE_ASSIGN(Tensor kernel, layer.weight("kernel")); // inputs × units
  SPINDLE_RETURN_IF_ERROR(checkRank(layer, kernel, 2));
  SPINDLE_RETURN_IF_ERROR(checkExtents(layer, kernel, "units", kernel.shape[1]));
  SPINDLE_ASSIGN(Tensor sums, layer.builder.matmul(layer.input(), kernel));
  SPINDLE_ASSIGN(sums, layer.addBias(sums, sums.shape.size() - 1));
  return layer.activate(sums);
}

/// A convolution of images with channels first by `kernel`: filters, channels, then the window.
static llvm::Expected<Tensor> convolve(const KerasLayer &layer, const Tensor &image,
                                       const Tensor &kernel, int64_t groups) {
  SPINDLE_ASSIGN(Window window,
                 kerasWindow(layer, image, Shape(kernel.shape.begin() + 2, kernel.shape.end())));
  return layer.builder.conv2d(image, kernel, window, groups);
}

static llvm::Expected<Tensor> finish(const KerasLayer &layer, const Tensor &sums) {
  SPINDLE_ASSIGN(Tensor biased, layer.addBias(sums, 1));
  SPINDLE_ASSIGN(Tensor own, layer.ownOrder(biased));
  return layer.activate(own);
}

/// Kernels are stored window, channels, filters.
template <size_t dimensions> static llvm::Expected<Tensor> conv(const KerasLayer &layer) {
  SPINDLE_ASSIGN(Tensor kernel, layer.weight("kernel"));
  SPINDLE_RETURN_IF_ERROR(checkRank(layer, kernel, dimensions + 2));
  llvm::ArrayRef<int64_t> window = llvm::ArrayRef(kernel.shape).take_front(dimensions);
  SPINDLE_RETURN_IF_ERROR(checkExtents(layer, kernel, "kernel_size", window));
  SPINDLE_RETURN_IF_ERROR(checkExtents(layer, kernel, "filters", kernel.shape.back()));
  Shape order = dimensions == 1 ? Shape{2, 1, 0} : Shape{3, 2, 0, 1};
  SPINDLE_ASSIGN(kernel, layer.builder.transpose(kernel, order));
  SPINDLE_ASSIGN(Shape groups, layer.integers("groups", 1, 1));
  SPINDLE_ASSIGN(Tensor image, layer.channelsFirst(layer.input()));
  SPINDLE_ASSIGN(Tensor sums, convolve(layer, image, kernel, groups[0]));
  return finish(layer, sums);
}

/// One group for each channel; stored rows, columns, channels, filters of a channel.
static llvm::Expected<Tensor> depthwiseSums(const KerasLayer &layer, const Tensor &stored) {
  SPINDLE_RETURN_IF_ERROR(checkRank(layer, stored, 4));
  llvm::ArrayRef<int64_t> window = llvm::ArrayRef(stored.shape).take_front(2);
  SPINDLE_RETURN_IF_ERROR(checkExtents(layer, stored, "kernel_size", window));
  SPINDLE_RETURN_IF_ERROR(checkExtents(layer, stored, "depth_multiplier", stored.shape[3]));
  int64_t channels = stored.shape[2], filters = channels * stored.shape[3];
  SPINDLE_ASSIGN(Tensor kernel, layer.builder.transpose(stored, {2, 3, 0, 1}));
  SPINDLE_ASSIGN(kernel,
                 layer.builder.reshape(kernel, {filters, 1, stored.shape[0], stored.shape[1]}));
  SPINDLE_ASSIGN(Tensor image, layer.channelsFirst(layer.input()));
  return convolve(layer, image, kernel, channels);
}

static llvm::Expected<Tensor> depthwise(const KerasLayer &layer) {
  const char *role = layer.hasWeight("kernel") ? "kernel" : "depthwise_kernel"; // Keras 3, 2
  SPINDLE_ASSIGN(Tensor stored, layer.weight(role));
  SPINDLE_ASSIGN(Tensor sums, depthwiseSums(layer, stored));
  return finish(layer, sums);
}

/// Depthwise, then a convolution with a kernel of one pixel.
static llvm::Expected<Tensor> separable(const KerasLayer &layer) {
  SPINDLE_ASSIGN(Tensor stored, layer.weight("depthwise_kernel"));
  SPINDLE_ASSIGN(Tensor sums, depthwiseSums(layer, stored));
  SPINDLE_ASSIGN(Tensor point, layer.weight("pointwise_kernel"));
  SPINDLE_RETURN_IF_ERROR(checkRank(layer, point, 4));
  SPINDLE_ASSIGN(point, layer.builder.transpose(point, {3, 2, 0, 1}));
  SPINDLE_ASSIGN(sums, layer.builder.conv2d(sums, point, {}));
  return finish(layer, sums);
}

static llvm::Expected<Tensor> batchNormalization(const KerasLayer &layer) {
  const Tensor &x = layer.input();
  SPINDLE_ASSIGN(Shape axis, layer.integers("axis", 1, -1));
  int64_t rank = int64_t(x.shape.size()), along = axis[0] < 0 ? axis[0] + rank : axis[0];
  if (along < 1 || along >= rank)
    return layer.refuse(
        fmt::format("axis is {}, expected a dimension of {}", axis[0], toText(x.shape)));
  AnnBuilder::Statistics statistics;
  SPINDLE_ASSIGN(statistics.epsilon, layer.number("epsilon", 1e-3));
  SPINDLE_ASSIGN(statistics.mean, layer.weight("moving_mean"));
  SPINDLE_ASSIGN(statistics.variance, layer.weight("moving_variance"));
  SPINDLE_ASSIGN(bool scaled, layer.flag("scale", true));
  SPINDLE_ASSIGN(bool centred, layer.flag("center", true));
  Shape channels = {x.shape[along]};
  statistics.scale = Tensor::constant(channels, {1});
  statistics.bias = Tensor::constant(channels, {0});
  if (scaled) {
    SPINDLE_ASSIGN(statistics.scale, layer.weight("gamma"));
  }
  if (centred) {
    SPINDLE_ASSIGN(statistics.bias, layer.weight("beta"));
  }
  return layer.builder.normalize(x, size_t(along), statistics);
}

/// The statistic of a Normalization, learnt or given, with as many dimensions as the input.
static llvm::Expected<Tensor> statistic(const KerasLayer &layer, const char *name) {
  size_t rank = layer.input().shape.size();
  Tensor given;
  if (layer.has(name)) {
    SPINDLE_ASSIGN(std::vector<double> values, layer.numbers(name));
    given = Tensor::constant({int64_t(values.size())}, {values.begin(), values.end()});
    if (values.size() == 1)
      given.shape = {};
  } else {
    SPINDLE_ASSIGN(given, layer.weight(name));
  }
  SPINDLE_ASSIGN(Shape axes, layer.list("axis"));
  Shape shape(rank, 1), extents;
  for (int64_t axis : axes) {
    int64_t along = axis < 0 ? axis + int64_t(rank) : axis;
    if (along < 1 || along >= int64_t(rank))
      return layer.refuse(
          fmt::format("axis is {}, expected a dimension of {}", axis, toText(layer.input().shape)));
    shape[along] = layer.input().shape[along];
  }
  if (sizeOf(given.shape) != 1 && sizeOf(given.shape) != sizeOf(shape))
    return layer.refuse(
        fmt::format("{} is {}, expected {}", name, toText(given.shape), toText(shape)));
  if (sizeOf(given.shape) == 1)
    shape.assign(rank, 1);
  given.shape = shape;
  return given;
}

/// (x − mean) / standard deviation, or back with `invert`.
static llvm::Expected<Tensor> normalization(const KerasLayer &layer) {
  constexpr double least = 1e-7; // standard deviation that Keras divides by
  SPINDLE_ASSIGN(Tensor mean, statistic(layer, "mean"));
  SPINDLE_ASSIGN(Tensor deviation, statistic(layer, "variance"));
  SPINDLE_ASSIGN(bool isInverse, layer.flag("invert", false));
  for (double &value : deviation.values) {
    if (!(value >= 0)) // NaN, too
      return layer.refuse(fmt::format("variance is {}, expected 0 or more", value));
    value = std::max(std::sqrt(value), least);
  }
  if (isInverse) {
    SPINDLE_ASSIGN(Tensor wide,
                   layer.builder.arithmetic(Arithmetic::Multiply, layer.input(), deviation));
    return layer.builder.arithmetic(Arithmetic::Add, wide, mean);
  }
  SPINDLE_ASSIGN(Tensor centred,
                 layer.builder.arithmetic(Arithmetic::Subtract, layer.input(), mean));
  return layer.builder.arithmetic(Arithmetic::Divide, centred, deviation);
}

llvm::ArrayRef<KerasLayerKind> kerasWeights() {
  static const KerasLayerKind table[] = {
      {"BatchNormalization", batchNormalization},
      {"BatchNormalizationV1", batchNormalization},
      {"Conv1D", conv<1>},
      {"Conv2D", conv<2>},
      {"Dense", dense},
      {"DepthwiseConv2D", depthwise},
      {"Normalization", normalization},
      {"SeparableConv2D", separable},
  };
  return table;
}

} // namespace spindle
