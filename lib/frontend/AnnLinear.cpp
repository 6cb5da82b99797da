// Matrix products: a dense layer, or a product of constants.
#include "lib/frontend/AnnBuilder.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle {

/// Rows and columns of the last two dimensions; all dimensions before them have extent one.
static std::optional<std::pair<int64_t, int64_t>> matrixShape(const Shape &shape) {
  if (shape.size() < 2 ||
      !llvm::all_of(ArrayRef<int64_t>(shape).drop_back(2), [](int64_t e) { return e == 1; }))
    return std::nullopt;
  return std::pair(shape[shape.size() - 2], shape.back());
}

static Tensor product(const Tensor &a, const Tensor &b, int64_t rows, int64_t inner,
                      int64_t columns, Shape shape) {
  std::vector<double> values(rows * columns, 0);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < inner; ++i)
      for (int64_t c = 0; c < columns; ++c)
        values[r * columns + c] += a.at(r * inner + i) * b.at(i * columns + c);
  return Tensor::constant(std::move(shape), std::move(values));
}

llvm::Expected<Tensor> AnnBuilder::matmul(const Tensor &a, const Tensor &b) {
  for (const Tensor *x : {&a, &b}) {
    SPINDLE_RETURN_IF_ERROR(checkPlain(*x));
    if (x->isConstant() && x->values.empty())
      return refuse("a tensor without values is read");
  }
  if (!a.isConstant() && !b.isConstant())
    return refuse("the product of two activations is not supported, weights must be constant");
  auto left = matrixShape(a.shape), right = matrixShape(b.shape);
  if (!left || !right || left->second != right->first)
    return refuse(fmt::format("cannot multiply {} by {}, expected matrices that fit",
                              toText(a.shape), toText(b.shape)));
  auto [rows, inner] = *left;
  int64_t columns = right->second;
  Shape shape(std::max(a.shape.size(), b.shape.size()), 1);
  shape[shape.size() - 2] = rows;
  shape.back() = columns;
  SPINDLE_RETURN_IF_ERROR(checkSize(shape));
  if (a.isConstant() && b.isConstant())
    return product(a, b, rows, inner, columns, shape);

  bool weightsFirst = a.isConstant();
  if ((weightsFirst ? columns : rows) != 1)
    return refuse(fmt::format("the product of weights and {} vectors is not supported, only of one",
                              weightsFirst ? columns : rows));
  int64_t outputs = weightsFirst ? rows : columns;
  const Tensor &weights = weightsFirst ? a : b;
  Tensor matrix = Tensor::constant({right->first, columns}, weights.values);
  std::vector<double> values =
      weightsFirst ? broadcastValues(Tensor::constant({rows, inner}, weights.values), {rows, inner})
                   : transposeValues(matrix, {1, 0});
  values.resize(outputs * inner, values.front()); // a single value stands for all
  SPINDLE_ASSIGN(Tensor x, activation((weightsFirst ? b : a).activation, {inner}));
  auto type = RankedTensorType::get({outputs}, builder.getF32Type());
  return activation(snn::DenseOp::create(builder, location, type, x.activation,
                                         constant(values, {outputs, inner}), Value(), layer),
                    shape);
}

} // namespace spindle
