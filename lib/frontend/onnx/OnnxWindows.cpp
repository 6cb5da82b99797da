// ONNX operators that slide windows over images.
#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"

namespace spindle {

/// Padding so that the output has ceil(extent / stride) positions; the odd zero goes to the end, or
/// to the start for SAME_LOWER.
static void padToSame(Window &window, const Shape &image, bool oddAtStart) {
  for (size_t axis : {0, 1}) {
    int64_t extent = image[2 + axis], stride = std::max<int64_t>(window.strides[axis], 1);
    int64_t reach = window.dilations[axis] * (window.kernel[axis] - 1) + 1;
    int64_t positions = (extent + stride - 1) / stride;
    int64_t total = std::max<int64_t>((positions - 1) * stride + reach - extent, 0);
    window.padding[axis] = oddAtStart ? total - total / 2 : total / 2;
    window.padding[2 + axis] = total - window.padding[axis];
  }
}

/// The attributes that convolution and pooling share; `kernel` where the weights say it.
static llvm::Expected<Window> readWindow(const OnnxNode &node, const Shape &kernel) {
  Window window;
  const Shape &image = node.input(0).shape;
  if (image.size() != 4)
    return node.refuse(fmt::format("input is {}, expected an image: batch, channels, rows, columns",
                                   toText(image)));
  SPINDLE_ASSIGN(window.kernel, node.integers("kernel_shape", kernel));
  SPINDLE_ASSIGN(window.strides, node.integers("strides", {1, 1}));
  SPINDLE_ASSIGN(window.dilations, node.integers("dilations", {1, 1}));
  SPINDLE_ASSIGN(window.padding, node.integers("pads", {0, 0, 0, 0}));
  SPINDLE_ASSIGN(std::string automatic, node.word("auto_pad", "NOTSET"));
  if (window.kernel.size() != 2 || window.strides.size() != 2 || window.dilations.size() != 2)
    return node.refuse("kernel_shape, strides and dilations take two numbers");
  for (const Shape *numbers : {&window.kernel, &window.strides, &window.dilations})
    for (int64_t number : *numbers)
      if (number < 1 || number > 1 << 20)
        return node.refuse(fmt::format("kernel_shape, strides and dilations are from 1 to {}, "
                                       "found {}",
                                       1 << 20, number));
  if (!kernel.empty() && window.kernel != kernel)
    return node.refuse(fmt::format("kernel_shape is {}, the weights have {}", toText(window.kernel),
                                   toText(kernel)));
  if (automatic == "VALID")
    window.padding = {0, 0, 0, 0};
  else if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER")
    padToSame(window, image, automatic == "SAME_LOWER");
  else if (automatic != "NOTSET" && !automatic.empty())
    return node.refuse(fmt::format("auto_pad is '{}', expected NOTSET, VALID, SAME_UPPER or "
                                   "SAME_LOWER",
                                   automatic));
  return window;
}

static llvm::Expected<Tensor> conv(const OnnxNode &node) {
  const Tensor &weight = node.input(1);
  if (weight.shape.size() != 4)
    return node.refuse(fmt::format("weights are {}, expected filters, channels, rows, columns",
                                   toText(weight.shape)));
  SPINDLE_ASSIGN(Window window, readWindow(node, {weight.shape[2], weight.shape[3]}));
  SPINDLE_ASSIGN(int64_t groups, node.integer("group", 1));
  SPINDLE_ASSIGN(Tensor sum, node.builder.conv2d(node.input(0), weight, window, groups));
  if (!node.has(2))
    return sum;
  const Tensor &bias = node.input(2);
  if (!bias.isConstant() || bias.shape != Shape{weight.shape[0]})
    return node.refuse(fmt::format("bias is {}, expected a constant of {} filters",
                                   toText(bias.shape), weight.shape[0]));
  return node.builder.arithmetic(Arithmetic::Add, sum,
                                 Tensor::constant({weight.shape[0], 1, 1}, bias.values));
}

static llvm::Expected<Tensor> averagePool(const OnnxNode &node) {
  SPINDLE_ASSIGN(Window window, readWindow(node, {}));
  SPINDLE_ASSIGN(int64_t countIncludePad, node.integer("count_include_pad", 0));
  SPINDLE_ASSIGN(int64_t ceilMode, node.integer("ceil_mode", 0));
  if (ceilMode != 0 && window.padding.size() == 4)
    for (size_t axis : {0, 1}) {
      int64_t room = node.input(0).shape[2 + axis] + window.padding[axis] +
                     window.padding[2 + axis] - window.kernel[axis];
      if (room % window.strides[axis] != 0)
        return node.refuse("ceil_mode is not supported where a window reaches over the edge");
    }
  return node.builder.averagePool(node.input(0), window, countIncludePad != 0);
}

static llvm::Expected<Tensor> globalAveragePool(const OnnxNode &node) {
  const Tensor &x = node.input(0);
  if (x.shape.size() != 4)
    return node.refuse(fmt::format("input is {}, expected an image: batch, channels, rows, columns",
                                   toText(x.shape)));
  Window window;
  window.kernel = {x.shape[2], x.shape[3]};
  return node.builder.averagePool(x, window, true);
}

/// Zeros, which become the padding of the window that follows.
static llvm::Expected<Tensor> pad(const OnnxNode &node) {
  SPINDLE_ASSIGN(std::string mode, node.word("mode", "constant"));
  SPINDLE_ASSIGN(double value, node.number("value", 0));
  SPINDLE_ASSIGN(Shape pads, node.integersOrInput("pads", 1));
  if (mode != "constant" || value != 0 || (node.has(2) && !node.input(2).isAll(0)))
    return node.refuse("padding is supported only with zeros");
  if (node.has(3))
    return node.refuse("padding of chosen axes is not supported, give all dimensions");
  size_t half = pads.size() / 2;
  return node.builder.pad(node.input(0), Shape(pads.begin(), pads.begin() + half),
                          Shape(pads.begin() + half, pads.end()));
}

llvm::ArrayRef<OnnxOperator> onnxWindows() {
  static const OnnxOperator table[] = {
      {"AveragePool", 1, 1, averagePool},
      {"Conv", 2, 3, conv},
      {"GlobalAveragePool", 1, 1, globalAveragePool},
      {"Pad", 1, 4, pad},
  };
  return table;
}

} // namespace spindle
