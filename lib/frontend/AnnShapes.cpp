// Operations that only arrange elements.
#include "lib/frontend/AnnBuilder.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <numeric>

using namespace mlir;

namespace spindle {

llvm::Expected<Tensor> AnnBuilder::reshape(const Tensor &x, const Shape &shape) {
  SPINDLE_RETURN_IF_ERROR(checkPlain(x));
  SPINDLE_RETURN_IF_ERROR(checkSize(shape));
  if (spindle::sizeOf(shape) != spindle::sizeOf(x.shape))
    return refuse(fmt::format("{} cannot be arranged as {}, the number of elements differs",
                              toText(x.shape), toText(shape)));
  if (x.isConstant())
    return Tensor::constant(shape, x.values);
  if (shape.empty())
    return refuse("an activation without dimensions is not supported");
  return activation(x.activation, shape);
}

llvm::Expected<Tensor> AnnBuilder::transpose(const Tensor &x, const Shape &permutation) {
  Shape sorted = permutation, dimensions(x.shape.size());
  llvm::sort(sorted);
  std::iota(dimensions.begin(), dimensions.end(), 0);
  if (sorted != dimensions)
    return refuse(fmt::format("permutation [{}] does not name each dimension of {} once",
                              fmt::join(permutation, ", "), toText(x.shape)));
  Shape shape = permuted(x.shape, permutation);
  if (x.isConstant())
    return Tensor::constant(shape, transposeValues(x, permutation));

  // Zeros to come are no part of the value yet.
  Shape present = x.shape;
  for (size_t d = 0; d < x.low.size(); ++d)
    present[d] -= x.low[d] + x.high[d];
  Shape order = permutation;
  Shape from = present;
  if (present.size() >= 2 && present[0] == 1 && permutation[0] == 0) {
    from = sampleShape(present); // the batch stays in front
    order.erase(order.begin());
    for (int64_t &dimension : order)
      --dimension;
  }
  Value source =
      snn::withShape(x.activation.getType(), from) == x.activation.getType()
          ? x.activation
          : snn::ReshapeOp::create(builder, location, snn::withShape(x.activation.getType(), from),
                                   x.activation)
                .getOutput();
  Value moved = snn::TransposeOp::create(
      builder, location, snn::withShape(source.getType(), permuted(from, order)), source, order);
  SPINDLE_ASSIGN(Tensor result, activation(moved, permuted(present, permutation)));
  result.shape = shape;
  if (x.isPadded()) {
    result.low = permuted(x.low, permutation);
    result.high = permuted(x.high, permutation);
  }
  return result;
}

llvm::Expected<Tensor> AnnBuilder::pad(const Tensor &x, const Shape &low, const Shape &high) {
  size_t rank = x.shape.size();
  if (low.size() != rank || high.size() != rank)
    return refuse(fmt::format("padding of {} dimensions for {}", low.size(), toText(x.shape)));
  Tensor result = x;
  bool any = false;
  for (size_t d = 0; d < rank; ++d) {
    if (low[d] < 0 || high[d] < 0 || low[d] > 1 << 20 || high[d] > 1 << 20)
      return refuse("padding must be between 0 and 1048576");
    any |= low[d] + high[d] > 0;
    result.shape[d] += low[d] + high[d];
  }
  if (!any)
    return x;
  if (x.isConstant())
    return refuse("padding of a constant is not supported");
  SPINDLE_RETURN_IF_ERROR(checkSize(result.shape));
  result.low.resize(rank);
  result.high.resize(rank);
  for (size_t d = 0; d < rank; ++d) {
    result.low[d] += low[d];
    result.high[d] += high[d];
  }
  return result;
}

} // namespace spindle
