// Operations that only arrange elements.
#include "lib/frontend/AnnBuilder.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace mlir;

namespace spindle {

llvm::Expected<Tensor> AnnBuilder::reshape(const Tensor &from, const Shape &shape) {
  SPINDLE_ASSIGN(Tensor x, plain(from));
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
  SPINDLE_ASSIGN(Tensor seen, activation(moved, permuted(present, permutation)));
  Tensor result = x; // what waits goes along
  result.activation = seen.activation;
  result.shape = shape;
  if (x.isPadded()) {
    result.low = permuted(x.low, permutation);
    result.high = permuted(x.high, permutation);
  }
  return result;
}

/// Extents of `low` zeros (cut off where negative), the elements, `high` zeros.
static AxisMap padded(int64_t extent, int64_t low, int64_t high) {
  Shape numbers;
  for (int64_t i = -low; i < extent + high; ++i)
    numbers.push_back(i >= 0 && i < extent ? i : -1);
  return takeInputs(numbers);
}

llvm::Expected<Tensor> AnnBuilder::pad(const Tensor &from, const Shape &low, const Shape &high,
                                       double outside) {
  size_t rank = from.shape.size();
  if (low.size() != rank || high.size() != rank)
    return checkError(
        place, fmt::format("padding of {} dimensions for {}", low.size(), toText(from.shape)));
  Tensor x = from;
  bool any = false, cuts = false;
  for (size_t d = 0; d < rank; ++d) {
    constexpr int64_t limit = 1 << 20;
    if (std::min(low[d], high[d]) < -limit || std::max(low[d], high[d]) > limit)
      return refuse(fmt::format("padding must be between -{} and {}", limit, limit));
    any |= low[d] != 0 || high[d] != 0;
    cuts |= low[d] < 0 || high[d] < 0;
    if (x.shape[d] + low[d] + high[d] < 1)
      return refuse(fmt::format("padding of {} and {} leaves nothing of dimension {} of {}", low[d],
                                high[d], d, toText(x.shape)));
  }
  if (!any)
    return x;
  if (!x.isConstant() && rank >= 2 && x.shape[0] == 1 && (low[0] != 0 || high[0] != 0))
    return refuse("padding of the batch is not supported");
  if (x.isConstant() || cuts) {
    Shape shape = x.shape;
    for (size_t d = 0; d < rank; ++d)
      shape[d] += low[d] + high[d];
    SPINDLE_RETURN_IF_ERROR(checkComputed(shape, x));
    std::vector<AxisMap> maps;
    for (size_t d = 0; d < rank; ++d)
      maps.push_back(padded(x.shape[d], low[d], high[d]));
    return arrange(x, maps, outside);
  }
  if (x.floored || (x.isPadded() && x.outside != outside) ||
      x.ceiling < std::numeric_limits<double>::infinity()) {
    SPINDLE_ASSIGN(x, plain(x));
  }
  x.outside = outside;
  x.low.resize(rank);
  x.high.resize(rank);
  for (size_t d = 0; d < rank; ++d) {
    x.shape[d] += low[d] + high[d];
    x.low[d] += low[d];
    x.high[d] += high[d];
  }
  SPINDLE_RETURN_IF_ERROR(checkSize(x.shape));
  return x;
}

llvm::Expected<Tensor> AnnBuilder::plain(const Tensor &x) {
  if (x.isConstant())
    return x;
  if (x.gridStep != 0)
    return refuse("computes with quantised values; only DequantizeLinear may read them");
  if (x.ceiling < std::numeric_limits<double>::infinity())
    return refuse(
        fmt::format("a bound of {} from above is supported only beside a rectifier", x.ceiling));
  if (x.floored) {
    Tensor inner = x;
    inner.floored = false;
    return resolveFloor(inner);
  }
  if (!x.isPadded())
    return x;
  constexpr double lowest = -1e30;
  if (x.outside < lowest)
    return refuse("padding with the lowest number is supported only before a maximum");
  SPINDLE_RETURN_IF_ERROR(checkComputed(x.shape, x));
  Tensor inner = x;
  std::vector<AxisMap> maps;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    inner.shape[d] -= x.low[d] + x.high[d];
    maps.push_back(padded(inner.shape[d], x.low[d], x.high[d]));
  }
  inner.low.clear();
  inner.high.clear();
  return arrange(inner, maps, x.outside);
}

} // namespace spindle
