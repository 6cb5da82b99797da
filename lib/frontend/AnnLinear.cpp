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

// One layer of weights on several vectors is a convolution with a kernel of one over them.

llvm::Expected<Tensor> AnnBuilder::onEachColumn(const Tensor &weights, const Tensor &x,
                                                const Shape &shape) {
  int64_t outputs = shape[shape.size() - 2], vectors = shape.back();
  int64_t inputs = x.shape[x.shape.size() - 2];
  SPINDLE_ASSIGN(Tensor image, reshape(x, {1, inputs, 1, vectors}));
  SPINDLE_ASSIGN(Tensor kernel, reshape(weights, {outputs, inputs, 1, 1}));
  SPINDLE_ASSIGN(Tensor sums, conv2d(image, kernel, {}));
  return reshape(sums, shape);
}

llvm::Expected<Tensor> AnnBuilder::onEachRow(const Tensor &x, const Tensor &weights,
                                             const Shape &shape) {
  int64_t vectors = shape[shape.size() - 2], outputs = shape.back(), inputs = x.shape.back();
  SPINDLE_ASSIGN(Tensor rows, reshape(x, {1, vectors, inputs}));
  SPINDLE_ASSIGN(Tensor columns, transpose(rows, {0, 2, 1}));
  SPINDLE_ASSIGN(Tensor matrix, reshape(weights, {inputs, outputs}));
  SPINDLE_ASSIGN(matrix, transpose(matrix, {1, 0}));
  SPINDLE_ASSIGN(Tensor sums, onEachColumn(matrix, columns, {1, outputs, vectors}));
  SPINDLE_ASSIGN(sums, transpose(sums, {0, 2, 1}));
  return reshape(sums, shape);
}

llvm::Expected<Tensor> AnnBuilder::matmul(const Tensor &a, const Tensor &b) {
  for (const Tensor *x : {&a, &b})
    if (x->isConstant() && x->values.empty())
      return refuse("a tensor without values is read");
  if (!a.isConstant() && !b.isConstant())
    return refuse("the product of two activations is not supported, weights must be constant");
  auto left = matrixShape(a.shape), right = matrixShape(b.shape);
  if (!left && right && !a.isConstant() && a.shape.size() >= b.shape.size() &&
      a.shape.back() == right->first) {
    // Matrices side by side, as of pixels whose channels come last: each row by itself.
    int64_t vectors = sizeOf(a.shape) / right->first;
    SPINDLE_ASSIGN(Tensor rows, reshape(a, {1, vectors, right->first}));
    SPINDLE_ASSIGN(Tensor weights, reshape(b, {right->first, right->second}));
    SPINDLE_ASSIGN(Tensor sums, matmul(rows, weights));
    Shape shape = a.shape;
    shape.back() = right->second;
    return reshape(sums, shape);
  }
  if (!left || !right || left->second != right->first)
    return refuse(fmt::format("cannot multiply {} by {}, expected matrices that fit",
                              toText(a.shape), toText(b.shape)));
  auto [rows, inner] = *left;
  int64_t columns = right->second;
  Shape shape(std::max(a.shape.size(), b.shape.size()), 1);
  shape[shape.size() - 2] = rows;
  shape.back() = columns;
  SPINDLE_RETURN_IF_ERROR(checkSize(shape));
  if (a.isConstant() && b.isConstant()) {
    SPINDLE_RETURN_IF_ERROR(checkSize({rows, inner, columns})); // the number of products
    return product(a, b, rows, inner, columns, shape);
  }

  bool weightsFirst = a.isConstant();
  if ((weightsFirst ? columns : rows) != 1)
    return weightsFirst ? onEachColumn(a, b, shape) : onEachRow(a, b, shape);
  int64_t outputs = weightsFirst ? rows : columns;
  const Tensor &weights = weightsFirst ? a : b;
  Tensor matrix = Tensor::constant({right->first, columns}, weights.values);
  std::vector<double> values =
      weightsFirst ? broadcastValues(Tensor::constant({rows, inner}, weights.values), {rows, inner})
                   : transposeValues(matrix, {1, 0});
  values.resize(outputs * inner, values.front()); // a single value stands for all
  SPINDLE_ASSIGN(Tensor vector, plain(weightsFirst ? b : a));
  SPINDLE_ASSIGN(Tensor x, activation(vector.activation, {inner}));
  auto type = RankedTensorType::get({outputs}, builder.getF32Type());
  return activation(snn::DenseOp::create(builder, location, type, x.activation,
                                         constant(values, {outputs, inner}), Value(), layer),
                    shape);
}

} // namespace spindle
