// Keras layers with weights: dense, convolutions, batch normalisation.
#include "lib/frontend/keras/KerasLayer.h"

#include "fmt/format.h"

namespace spindle {

static llvm::Expected<Tensor> dense(const KerasLayer &layer) {
  SPINDLE_ASSIGN(Tensor kernel, layer.weight("kernel")); // inputs × units
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

static llvm::Error checkRank(const KerasLayer &layer, const Tensor &weight, size_t rank) {
  if (weight.shape.size() == rank)
    return llvm::Error::success();
  return layer.refuse(
      fmt::format("weights are {}, expected {} dimensions", toText(weight.shape), rank));
}

/// Kernels are stored window, channels, filters.
template <size_t dimensions> static llvm::Expected<Tensor> conv(const KerasLayer &layer) {
  SPINDLE_ASSIGN(Tensor kernel, layer.weight("kernel"));
  SPINDLE_RETURN_IF_ERROR(checkRank(layer, kernel, dimensions + 2));
  Shape order = dimensions == 1 ? Shape{2, 1, 0} : Shape{3, 2, 0, 1};
  SPINDLE_ASSIGN(kernel, layer.builder.transpose(kernel, order));
  SPINDLE_ASSIGN(double groups, layer.number("groups", 1));
  SPINDLE_ASSIGN(Tensor image, layer.channelsFirst(layer.input()));
  SPINDLE_ASSIGN(Tensor sums, convolve(layer, image, kernel, int64_t(groups)));
  return finish(layer, sums);
}

/// One group for each channel; stored rows, columns, channels, filters of a channel.
static llvm::Expected<Tensor> depthwiseSums(const KerasLayer &layer, const Tensor &stored) {
  SPINDLE_RETURN_IF_ERROR(checkRank(layer, stored, 4));
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

llvm::ArrayRef<KerasLayerKind> kerasWeights() {
  static const KerasLayerKind table[] = {
      {"BatchNormalization", batchNormalization},
      {"BatchNormalizationV1", batchNormalization},
      {"Conv1D", conv<1>},
      {"Conv2D", conv<2>},
      {"Dense", dense},
      {"DepthwiseConv2D", depthwise},
      {"SeparableConv2D", separable},
  };
  return table;
}

} // namespace spindle
