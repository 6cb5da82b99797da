// Windows that slide over images: convolution and average pooling.
#include "lib/frontend/AnnBuilder.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

using namespace mlir;

namespace spindle {

llvm::Expected<Shape> AnnBuilder::slide(const Tensor &x, Window &window) const {
  if (x.isConstant() || x.shape.size() != 4 || x.shape[0] != 1)
    return refuse(fmt::format("input is {}, expected an image: batch, channels, rows, columns",
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
    size.push_back(room / window.strides[axis] + 1);
  }
  // The zeros in front of the operation count as its own.
  if (x.isPadded()) {
    for (size_t d : {0, 1})
      if (x.low[d] + x.high[d] > 0)
        return refuse("zero padding of batch or channels is not supported");
    for (size_t axis : {0, 1}) {
      window.padding[axis] += x.low[2 + axis];
      window.padding[2 + axis] += x.high[2 + axis];
    }
  }
  return size;
}

llvm::Expected<Tensor> AnnBuilder::conv2d(const Tensor &x, const Tensor &weight, Window window,
                                          int64_t groups) {
  if (!weight.isConstant() || weight.values.empty() || weight.shape.size() != 4)
    return refuse("weights must be a constant: filters, channels, rows, columns");
  window.kernel = {weight.shape[2], weight.shape[3]};
  SPINDLE_ASSIGN(Shape size, slide(x, window));
  int64_t filters = weight.shape[0];
  if (groups < 1 || filters % groups != 0 || weight.shape[1] * groups != x.shape[1])
    return refuse(fmt::format("weights of {} in {} groups do not fit {} channels",
                              toText(weight.shape), groups, x.shape[1]));
  // On an image of one pixel it is a fully connected layer, as tosa writes it.
  if (groups == 1 && spindle::sizeOf(x.shape) == x.shape[1] && window.kernel == Shape{1, 1} &&
      window.padding == Shape{0, 0, 0, 0}) {
    SPINDLE_ASSIGN(Tensor vector, reshape(x, {1, x.shape[1]}));
    SPINDLE_ASSIGN(Tensor rows, reshape(weight, {filters, x.shape[1]}));
    SPINDLE_ASSIGN(Tensor columns, transpose(rows, {1, 0}));
    SPINDLE_ASSIGN(Tensor sums, matmul(vector, columns));
    return reshape(sums, {1, filters, 1, 1});
  }
  SPINDLE_RETURN_IF_ERROR(checkSize({filters, size[0], size[1]}));
  auto type = RankedTensorType::get({filters, size[0], size[1]}, builder.getF32Type());
  Value weights = constant(broadcastValues(weight, weight.shape), weight.shape);
  return activation(snn::Conv2dOp::create(builder, location, type, x.activation, weights, Value(),
                                          window.strides, window.padding, window.dilations, groups,
                                          layer),
                    {1, filters, size[0], size[1]});
}

llvm::Expected<Tensor> AnnBuilder::averagePool(const Tensor &x, Window window,
                                               bool countIncludePad) {
  bool ownPadding = llvm::any_of(window.padding, [](int64_t pad) { return pad > 0; });
  if (x.isPadded() && ownPadding && !countIncludePad)
    return refuse("pooling with uncounted padding over zero padding is not supported");
  if (llvm::any_of(window.dilations, [](int64_t dilation) { return dilation != 1; }))
    return refuse("average pooling with dilation is not supported");
  SPINDLE_ASSIGN(Shape size, slide(x, window));
  for (size_t side = 0; side < 4; ++side)
    if (window.padding[side] >= window.kernel[side % 2])
      return refuse(fmt::format("padding [{}] must be smaller than the kernel of {}",
                                fmt::join(window.padding, ", "), toText(window.kernel)));
  auto type = RankedTensorType::get({x.shape[1], size[0], size[1]}, builder.getF32Type());
  return activation(snn::AvgPool2dOp::create(builder, location, type, x.activation, window.kernel,
                                             window.strides, window.padding,
                                             countIncludePad || x.isPadded(), layer),
                    {1, x.shape[1], size[0], size[1]});
}

} // namespace spindle
