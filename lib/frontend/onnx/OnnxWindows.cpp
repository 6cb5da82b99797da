// ONNX operators that slide windows over images.
#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"

namespace spindle {

/// The numbers of a window over one dimension as those over an image of one row.
static void liftToRow(Window &window) {
  for (Shape *numbers : {&window.kernel, &window.strides, &window.dilations})
    numbers->insert(numbers->begin(), 1);
  if (window.padding.size() == 2)
    window.padding = {0, window.padding[0], 0, window.padding[1]};
}

/// The attributes that convolution and pooling share; `kernel` where the weights say it. Windows
/// are over rows and columns; signals of one dimension are images of one row.
static llvm::Expected<Window> readWindow(const OnnxNode &node, const Shape &kernel) {
  Window window;
  const Shape &image = node.input(0).shape;
  if (image.size() != 4 && image.size() != 3)
    return node.refuse(fmt::format("input is {}, expected an image: batch, channels, rows, columns",
                                   toText(image)));
  size_t dimensions = image.size() - 2;
  SPINDLE_ASSIGN(window.kernel, node.integers("kernel_shape", kernel));
  SPINDLE_ASSIGN(window.strides, node.integers("strides", Shape(dimensions, 1)));
  SPINDLE_ASSIGN(window.dilations, node.integers("dilations", Shape(dimensions, 1)));
  SPINDLE_ASSIGN(window.padding, node.integers("pads", Shape(2 * dimensions, 0)));
  SPINDLE_ASSIGN(std::string automatic, node.word("auto_pad", "NOTSET"));
  if (window.kernel.size() != dimensions || window.strides.size() != dimensions ||
      window.dilations.size() != dimensions)
    return node.refuse(
        fmt::format("kernel_shape, strides and dilations take {} numbers", dimensions));
  for (const Shape *numbers : {&window.kernel, &window.strides, &window.dilations})
    for (int64_t number : *numbers)
      if (number < 1 || number > 1 << 20)
        return node.refuse(fmt::format("kernel_shape, strides and dilations are from 1 to {}, "
                                       "found {}",
                                       1 << 20, number));
  if (!kernel.empty() && window.kernel != kernel)
    return node.refuse(fmt::format("kernel_shape is {}, the weights have {}", toText(window.kernel),
                                   toText(kernel)));
  if (window.padding.size() != 2 * dimensions)
    return node.refuse(
        fmt::format("pads are {} numbers, expected {}", window.padding.size(), 2 * dimensions));
  if (dimensions == 1)
    liftToRow(window);
  if (automatic == "VALID")
    window.padding = {0, 0, 0, 0};
  else if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER")
    padToSame(window, {dimensions == 1 ? 1 : image[2], image.back()}, automatic == "SAME_LOWER");
  else if (automatic != "NOTSET" && !automatic.empty())
    return node.refuse(fmt::format("auto_pad is '{}', expected NOTSET, VALID, SAME_UPPER or "
                                   "SAME_LOWER",
                                   automatic));
  return window;
}

static llvm::Expected<Tensor> conv(const OnnxNode &node) {
  const Tensor &weight = node.input(1);
  if (weight.shape.size() != node.input(0).shape.size() || weight.shape.size() < 3)
    return node.refuse(
        fmt::format("weights are {}, expected filters, channels and the kernel for an input of {}",
                    toText(weight.shape), toText(node.input(0).shape)));
  SPINDLE_ASSIGN(Window window,
                 readWindow(node, Shape(weight.shape.begin() + 2, weight.shape.end())));
  SPINDLE_ASSIGN(int64_t groups, node.integer("group", 1));
  SPINDLE_ASSIGN(Tensor sum, node.builder.conv2d(node.input(0), weight, window, groups));
  if (!node.has(2))
    return sum;
  const Tensor &bias = node.input(2);
  if (!bias.isConstant() || bias.shape != Shape{weight.shape[0]})
    return node.refuse(fmt::format("bias is {}, expected a constant of {} filters",
                                   toText(bias.shape), weight.shape[0]));
  Shape channels(weight.shape.size() - 1, 1);
  channels[0] = weight.shape[0];
  return node.builder.arithmetic(Arithmetic::Add, sum, Tensor::constant(channels, bias.values));
}

static llvm::Expected<Tensor> averagePool(const OnnxNode &node) {
  SPINDLE_ASSIGN(Window window, readWindow(node, {}));
  SPINDLE_ASSIGN(int64_t countIncludePad, node.integer("count_include_pad", 0));
  SPINDLE_ASSIGN(int64_t ceilMode, node.integer("ceil_mode", 0));
  window.countUp = ceilMode != 0;
  return node.builder.averagePool(node.input(0), window, countIncludePad != 0);
}

static llvm::Expected<Tensor> maxPool(const OnnxNode &node) {
  SPINDLE_ASSIGN(Window window, readWindow(node, {}));
  SPINDLE_ASSIGN(int64_t ceilMode, node.integer("ceil_mode", 0));
  window.countUp = ceilMode != 0;
  return node.builder.maxPool(node.input(0), window);
}

/// One window over the whole image.
template <bool isMean> static llvm::Expected<Tensor> globalPool(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  if (x.shape.size() != 4 && x.shape.size() != 3)
    return node.refuse(fmt::format("input is {}, expected an image: batch, channels, rows, columns",
                                   toText(x.shape)));
  Window window;
  window.kernel = {x.shape.size() == 3 ? 1 : x.shape[2], x.shape.back()};
  return isMean ? node.builder.averagePool(x, window, true) : node.builder.maxPool(x, window);
}

llvm::ArrayRef<OnnxOperator> onnxWindows() {
  static const OnnxOperator table[] = {
      {"AveragePool", 1, 1, averagePool},
      {"Conv", 2, 3, conv},
      {"GlobalAveragePool", 1, 1, globalPool<true>},
      {"GlobalMaxPool", 1, 1, globalPool<false>},
      {"MaxPool", 1, 1, maxPool},
  };
  return table;
}

} // namespace spindle
