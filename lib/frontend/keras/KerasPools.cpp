// Keras poolings, over windows and over whole images.
#include "lib/frontend/keras/KerasLayer.h"

#include "fmt/format.h"

namespace spindle {

enum class Pooling { Average, Maximum };

static llvm::Expected<Tensor> pooled(const KerasLayer &layer, Pooling kind, const Tensor &image,
                                     const Window &window) {
  // Keras leaves padding out of averages and maxima.
  return kind == Pooling::Average ? layer.builder.averagePool(image, window, false)
                                  : layer.builder.maxPool(image, window);
}

/// Windows do not overlap unless `strides` says so.
template <Pooling kind, size_t dimensions>
static llvm::Expected<Tensor> pool(const KerasLayer &layer) {
  SPINDLE_ASSIGN(Shape kernel, layer.integers("pool_size", dimensions, 2));
  SPINDLE_ASSIGN(Tensor image, layer.channelsFirst(layer.input()));
  SPINDLE_ASSIGN(Window window,
                 kerasWindow(layer, image, kernel, layer.has("strides") ? "strides" : "pool_size"));
  SPINDLE_ASSIGN(Tensor result, pooled(layer, kind, image, window));
  return layer.ownOrder(result);
}

template <Pooling kind, size_t dimensions>
static llvm::Expected<Tensor> globalPool(const KerasLayer &layer) {
  SPINDLE_ASSIGN(Tensor image, layer.channelsFirst(layer.input()));
  if (image.shape.size() != dimensions + 2)
    return layer.refuse(fmt::format("input is {}, expected batch, channels and {} dimensions",
                                    toText(layer.input().shape), dimensions));
  Window window;
  window.kernel = {dimensions == 1 ? 1 : image.shape[2], image.shape.back()};
  SPINDLE_ASSIGN(Tensor result, pooled(layer, kind, image, window));
  SPINDLE_ASSIGN(bool kept, layer.flag("keepdims", false));
  if (kept)
    return layer.ownOrder(result);
  return layer.builder.reshape(result, {1, image.shape[1]});
}

llvm::ArrayRef<KerasLayerKind> kerasPools() {
  static const KerasLayerKind table[] = {
      {"AveragePooling1D", pool<Pooling::Average, 1>},
      {"AveragePooling2D", pool<Pooling::Average, 2>},
      {"GlobalAveragePooling1D", globalPool<Pooling::Average, 1>},
      {"GlobalAveragePooling2D", globalPool<Pooling::Average, 2>},
      {"GlobalMaxPooling1D", globalPool<Pooling::Maximum, 1>},
      {"GlobalMaxPooling2D", globalPool<Pooling::Maximum, 2>},
      {"MaxPooling1D", pool<Pooling::Maximum, 1>},
      {"MaxPooling2D", pool<Pooling::Maximum, 2>},
  };
  return table;
}

} // namespace spindle
