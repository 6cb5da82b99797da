// Windows that slide over images: convolution and pooling.
#include "lib/frontend/AnnBuilder.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

using namespace mlir;

namespace spindle {

void padToSame(Window &window, const Shape &rowsAndColumns, bool oddAtStart) {
  for (size_t axis : {0, 1}) {
    int64_t extent = rowsAndColumns[axis], stride = std::max<int64_t>(window.strides[axis], 1);
    int64_t reach = window.dilations[axis] * (window.kernel[axis] - 1) + 1;
    int64_t positions = (extent + stride - 1) / stride;
    int64_t total = std::max<int64_t>((positions - 1) * stride + reach - extent, 0);
    window.padding[axis] = oddAtStart ? total - total / 2 : total / 2;
    window.padding[2 + axis] = total - window.padding[axis];
  }
}

llvm::Expected<Shape> AnnBuilder::slide(const Tensor &x, Window &window) const {
  if (x.isConstant())
    return refuse("a window over a constant is not supported, expected what depends on the input");
  if (x.shape.size() != 4 || x.shape[0] != 1)
    return refuse(
        fmt::format("input is {}, expected an image of one sample: 1, channels, rows, columns",
                    toText(x.shape)));
  auto check = [&](const char *what, const Shape &numbers, size_t count,
                   int64_t least) -> llvm::Error {
    constexpr int64_t most = 1 << 20;
    if (numbers.size() == count &&
        llvm::all_of(numbers, [&](int64_t n) { return n >= least && n <= most; }))
      return llvm::Error::success();
    return refuse(fmt::format("{} is [{}], expected {} numbers from {} to {}", what,
                              fmt::join(numbers, ", "), count, least, most));
  };
  SPINDLE_RETURN_IF_ERROR(check("kernel", window.kernel, 2, 1));
  SPINDLE_RETURN_IF_ERROR(check("strides", window.strides, 2, 1));
  SPINDLE_RETURN_IF_ERROR(check("padding", window.padding, 4, 0));
  SPINDLE_RETURN_IF_ERROR(check("dilations", window.dilations, 2, 1));

  Shape size;
  for (size_t axis : {0, 1}) {
    int64_t padded = x.shape[2 + axis] + window.padding[axis] + window.padding[2 + axis];
    int64_t room = padded - (window.dilations[axis] * (window.kernel[axis] - 1) + 1);
    if (room < 0)
      return refuse(fmt::format("kernel of {} does not fit the padded input of {}",
                                toText(window.kernel), toText(x.shape)));
    int64_t stride = window.strides[axis], positions = room / stride + 1;
    // Counted up, a last window that starts inside the image reaches over its edge.
    if (window.countUp && room % stride != 0 &&
        positions * stride < x.shape[2 + axis] + window.padding[axis]) {
      window.padding[2 + axis] += stride - room % stride;
      ++positions;
    }
    size.push_back(positions);
  }
  SPINDLE_RETURN_IF_ERROR(checkSize({x.shape[1], size[0], size[1]}));
  return size;
}

llvm::Expected<Tensor> AnnBuilder::imageFor(const Tensor &from, Window &window) {
  Tensor x = from;
  // Neither channels nor other values than zero are an edge of the image.
  if (x.isPadded() && (x.low[0] + x.high[0] + x.low[1] + x.high[1] > 0 || x.outside != 0)) {
    SPINDLE_ASSIGN(x, plain(x));
  }
  for (size_t axis : {0, 1})
    if (x.isPadded()) {
      window.padding[axis] += x.low[2 + axis];
      window.padding[2 + axis] += x.high[2 + axis];
      x.shape[2 + axis] -= x.low[2 + axis] + x.high[2 + axis];
    }
  x.low.clear();
  x.high.clear();
  return plain(x);
}

llvm::Expected<Tensor> AnnBuilder::asRow(const Tensor &x) {
  if (x.isConstant() || x.shape.size() != 3)
    return x;
  Tensor row = x;
  row.shape.insert(row.shape.begin() + 2, 1);
  if (x.isPadded()) {
    row.low.insert(row.low.begin() + 2, 0);
    row.high.insert(row.high.begin() + 2, 0);
  }
  Shape present = row.shape;
  for (size_t d = 0; d < row.low.size(); ++d)
    present[d] -= row.low[d] + row.high[d];
  SPINDLE_ASSIGN(Tensor seen, activation(x.activation, present));
  row.activation = seen.activation;
  return row;
}

llvm::Expected<Tensor> AnnBuilder::fromRow(const Tensor &x, const Tensor &like) {
  if (like.shape.size() != 3)
    return x;
  return reshape(x, {1, x.shape[1], x.shape[3]});
}

llvm::Expected<Tensor> AnnBuilder::conv2d(const Tensor &x, const Tensor &weight, Window window,
                                          int64_t groups) {
  Tensor kernel = weight;
  if (x.shape.size() == 3 && kernel.shape.size() == 3)
    kernel.shape.insert(kernel.shape.begin() + 2, 1);
  if (!kernel.isConstant() || kernel.values.empty() || kernel.shape.size() != 4)
    return refuse("weights must be a constant: filters, channels, rows, columns");
  window.kernel = {kernel.shape[2], kernel.shape[3]};
  SPINDLE_ASSIGN(Tensor image, asRow(x));
  SPINDLE_ASSIGN(Shape size, slide(image, window));
  SPINDLE_ASSIGN(image, imageFor(image, window));
  int64_t filters = kernel.shape[0], channels = image.shape[1];
  if (groups < 1 || filters % groups != 0 || kernel.shape[1] * groups != channels)
    return refuse(fmt::format("weights of {} in {} groups do not fit {} channels",
                              toText(weight.shape), groups, channels));
  // On an image of one pixel it is a fully connected layer, as tosa writes it.
  if (groups == 1 && spindle::sizeOf(image.shape) == channels && window.kernel == Shape{1, 1} &&
      window.padding == Shape{0, 0, 0, 0}) {
    SPINDLE_ASSIGN(Tensor vector, reshape(image, {1, channels}));
    SPINDLE_ASSIGN(Tensor rows, reshape(kernel, {filters, channels}));
    SPINDLE_ASSIGN(Tensor columns, transpose(rows, {1, 0}));
    SPINDLE_ASSIGN(Tensor sums, matmul(vector, columns));
    return reshape(sums, x.shape.size() == 3 ? Shape{1, filters, 1} : Shape{1, filters, 1, 1});
  }
  SPINDLE_RETURN_IF_ERROR(checkSize({filters, size[0], size[1]}));
  auto type = RankedTensorType::get({filters, size[0], size[1]}, builder.getF32Type());
  Value weights = constant(broadcastValues(kernel, kernel.shape), kernel.shape);
  SPINDLE_ASSIGN(Tensor sums,
                 activation(snn::Conv2dOp::create(builder, location, type, image.activation,
                                                  weights, Value(), window.strides, window.padding,
                                                  window.dilations, groups, layer),
                            {1, filters, size[0], size[1]}));
  return fromRow(sums, x);
}

/// Whether every window holds at least one input, as poolings want it.
static bool isInside(const Window &window) {
  for (size_t side = 0; side < 4; ++side)
    if (window.padding[side] >= window.kernel[side % 2])
      return false;
  return true;
}

llvm::Error AnnBuilder::checkPool(const Window &window) const {
  if (llvm::any_of(window.dilations, [](int64_t dilation) { return dilation != 1; }))
    return refuse("pooling with dilation is not supported");
  if (window.padding.size() == 4 && window.kernel.size() == 2 && !isInside(window))
    return refuse(fmt::format("padding [{}] must be smaller than the kernel of {}",
                              fmt::join(window.padding, ", "), toText(window.kernel)));
  return llvm::Error::success();
}

llvm::Expected<Tensor> AnnBuilder::averagePool(const Tensor &x, Window window,
                                               bool countIncludePad) {
  SPINDLE_ASSIGN(Tensor image, asRow(x));
  SPINDLE_RETURN_IF_ERROR(checkPool(window));
  bool ownPadding = llvm::any_of(window.padding, [](int64_t pad) { return pad > 0; });
  Window asked = window;
  SPINDLE_ASSIGN(Shape size, slide(image, window));
  bool overEdge = window.padding != asked.padding;
  if (overEdge && countIncludePad && ownPadding)
    return refuse("ceil_mode with counted padding is not supported where a window reaches over "
                  "the edge");
  // The zeros of a value count, those of the window perhaps not: then they are kept apart.
  Window merged = window;
  if (image.isPadded()) {
    SPINDLE_ASSIGN(Tensor whole, imageFor(image, merged));
    if (image.outside != 0 || overEdge || (ownPadding && !countIncludePad) || !isInside(merged)) {
      SPINDLE_ASSIGN(image, plain(image));
    } else {
      image = whole;
      window = merged;
      countIncludePad = true;
    }
  }
  SPINDLE_ASSIGN(image, plain(image));
  auto type = RankedTensorType::get({image.shape[1], size[0], size[1]}, builder.getF32Type());
  SPINDLE_ASSIGN(Tensor average,
                 activation(snn::AvgPool2dOp::create(builder, location, type, image.activation,
                                                     window.kernel, window.strides, window.padding,
                                                     countIncludePad && !overEdge, layer),
                            {1, image.shape[1], size[0], size[1]}));
  return fromRow(average, x);
}

llvm::Expected<Tensor> AnnBuilder::maxPool(const Tensor &x, Window window) {
  SPINDLE_ASSIGN(Tensor image, asRow(x));
  SPINDLE_RETURN_IF_ERROR(checkPool(window));
  SPINDLE_ASSIGN(Shape size, slide(image, window));
  // Zeros beside values that are never negative change no maximum, the lowest number never does.
  constexpr double lowest = -1e30;
  if (image.isPadded() && (image.outside < lowest || isRectified(image.activation))) {
    Window merged = window;
    Tensor zeros = image;
    zeros.outside = std::max(image.outside, 0.0);
    SPINDLE_ASSIGN(Tensor whole, imageFor(zeros, merged));
    if (isInside(merged) && image.outside <= 0) {
      image = whole;
      window = merged;
    }
  }
  SPINDLE_ASSIGN(image, plain(image));
  auto type = RankedTensorType::get({image.shape[1], size[0], size[1]}, builder.getF32Type());
  SPINDLE_ASSIGN(Tensor most, activation(snn::MaxPool2dOp::create(
                                             builder, location, type, image.activation,
                                             window.kernel, window.strides, window.padding, layer),
                                         {1, image.shape[1], size[0], size[1]}));
  return fromRow(most, x);
}

} // namespace spindle
