// Rules of the named linalg operations that reduce: matrix products, convolutions, pooling. Each
// continues from the values of its destination.
#include "lib/frontend/mlir/MlirLifter.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace spindle {

static llvm::Expected<Tensor> addDestination(MlirLifter &lifter, const Tensor &sum,
                                             Value destination) {
  SPINDLE_ASSIGN(Tensor start, lifter.lookup(destination));
  if (start.isAll(0))
    return sum;
  return lifter.builder.arithmetic(Arithmetic::Add, sum, start);
}

/// A matrix whose map names the loops of its dimensions the other way round is transposed.
static llvm::Expected<Tensor> oriented(MlirLifter &lifter, linalg::MatmulOp op, unsigned operand,
                                       unsigned rowLoop) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op->getOperand(operand)));
  AffineMap map = op.getIndexingMapsArray()[operand];
  if (map.getNumResults() != 2)
    return lifter.refuse("a matrix product with broadcasting is not supported");
  if (map.getDimPosition(0) == rowLoop)
    return x;
  return lifter.builder.transpose(x, {1, 0});
}

static llvm::Expected<Tensor> matmul(MlirLifter &lifter, linalg::MatmulOp op) {
  SPINDLE_ASSIGN(Tensor a, oriented(lifter, op, 0, 0)); // loops: row, column, sum
  SPINDLE_ASSIGN(Tensor b, oriented(lifter, op, 1, 2));
  SPINDLE_ASSIGN(Tensor product, lifter.builder.matmul(a, b));
  return addDestination(lifter, product, op.getDpsInits()[0]);
}

static llvm::Expected<Tensor> batchMatmul(MlirLifter &lifter, linalg::BatchMatmulOp op) {
  if (op.hasUserDefinedMaps())
    return lifter.refuse("a batched matrix product with other maps than its own is not supported");
  SPINDLE_ASSIGN(Tensor a, lifter.lookup(op.getDpsInputs()[0]));
  SPINDLE_ASSIGN(Tensor b, lifter.lookup(op.getDpsInputs()[1]));
  SPINDLE_ASSIGN(Tensor product, lifter.builder.matmul(a, b));
  return addDestination(lifter, product, op.getDpsInits()[0]);
}

/// A vector is a matrix of one row, or of one column.
template <typename Op, bool vectorFirst>
static llvm::Expected<Tensor> vectorProduct(MlirLifter &lifter, Op op) {
  SPINDLE_ASSIGN(Tensor a, lifter.lookup(op.getDpsInputs()[0]));
  SPINDLE_ASSIGN(Tensor b, lifter.lookup(op.getDpsInputs()[1]));
  Tensor &vector = vectorFirst ? a : b;
  int64_t length = spindle::sizeOf(vector.shape);
  SPINDLE_ASSIGN(vector,
                 lifter.builder.reshape(vector, vectorFirst ? Shape{1, length} : Shape{length, 1}));
  SPINDLE_ASSIGN(Tensor product, lifter.builder.matmul(a, b));
  SPINDLE_ASSIGN(Tensor flat, lifter.builder.reshape(product, {spindle::sizeOf(product.shape)}));
  return addDestination(lifter, flat, op.getDpsInits()[0]);
}

template <typename Op> static Window windowOf(Op op) {
  Window window;
  auto strides = op.getStrides().template getValues<int64_t>();
  auto dilations = op.getDilations().template getValues<int64_t>();
  window.strides.assign(strides.begin(), strides.end());
  window.dilations.assign(dilations.begin(), dilations.end());
  return window;
}

/// Permutations to images batch, channel, row, column and back, and to weights filter, channel,
/// row, column.
struct ConvLayout {
  Shape image, back, weight;
  bool depthwise = false;
};

static llvm::Expected<Tensor> conv(MlirLifter &lifter, linalg::LinalgOp op, Window window,
                                   const ConvLayout &layout) {
  AnnBuilder &builder = lifter.builder;
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getDpsInputs()[0]));
  SPINDLE_ASSIGN(Tensor weight, lifter.lookup(op.getDpsInputs()[1]));
  if (!layout.image.empty()) {
    SPINDLE_ASSIGN(x, builder.transpose(x, layout.image));
  }
  if (!layout.weight.empty()) {
    SPINDLE_ASSIGN(weight, builder.transpose(weight, layout.weight));
  }
  if (window.strides.size() == 1) { // a signal is an image of one row
    window.strides.insert(window.strides.begin(), 1);
    window.dilations.insert(window.dilations.begin(), 1);
    weight.shape.insert(weight.shape.begin() + 2, 1);
  }
  int64_t groups = 1;
  if (layout.depthwise) {
    groups = weight.shape[0];
    weight.shape.insert(weight.shape.begin() + 1, 1);
  }
  SPINDLE_ASSIGN(Tensor sum, builder.conv2d(x, weight, window, groups));
  if (!layout.back.empty()) {
    SPINDLE_ASSIGN(sum, builder.transpose(sum, layout.back));
  }
  return addDestination(lifter, sum, op.getDpsInits()[0]);
}

static llvm::Expected<Tensor> convNchw(MlirLifter &lifter, linalg::Conv2DNchwFchwOp op) {
  return conv(lifter, op, windowOf(op), {});
}
static llvm::Expected<Tensor> convNhwc(MlirLifter &lifter, linalg::Conv2DNhwcHwcfOp op) {
  return conv(lifter, op, windowOf(op), {channelsFirst, channelsLast, {3, 2, 0, 1}});
}
static llvm::Expected<Tensor> convNhwcFhwc(MlirLifter &lifter, linalg::Conv2DNhwcFhwcOp op) {
  return conv(lifter, op, windowOf(op), {channelsFirst, channelsLast, {0, 3, 1, 2}});
}
static llvm::Expected<Tensor> convNcw(MlirLifter &lifter, linalg::Conv1DNcwFcwOp op) {
  return conv(lifter, op, windowOf(op), {});
}
static llvm::Expected<Tensor> convNwc(MlirLifter &lifter, linalg::Conv1DNwcWcfOp op) {
  return conv(lifter, op, windowOf(op), {{0, 2, 1}, {0, 2, 1}, {2, 1, 0}});
}

/// Groups have a dimension of their own, before the channels and before the filters.
static llvm::Expected<Tensor> convGrouped(MlirLifter &lifter, linalg::Conv2DNgchwGfchwOp op) {
  AnnBuilder &builder = lifter.builder;
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getDpsInputs()[0]));
  SPINDLE_ASSIGN(Tensor weight, lifter.lookup(op.getDpsInputs()[1]));
  Shape image = x.shape, kernel = weight.shape;
  SPINDLE_ASSIGN(x, builder.reshape(x, {1, image[1] * image[2], image[3], image[4]}));
  SPINDLE_ASSIGN(weight,
                 builder.reshape(weight, {kernel[0] * kernel[1], kernel[2], kernel[3], kernel[4]}));
  SPINDLE_ASSIGN(Tensor sum, builder.conv2d(x, weight, windowOf(op), image[1]));
  SPINDLE_ASSIGN(sum, builder.reshape(sum, {1, kernel[0], kernel[1], sum.shape[2], sum.shape[3]}));
  return addDestination(lifter, sum, op.getDpsInits()[0]);
}
static llvm::Expected<Tensor> depthwiseNchw(MlirLifter &lifter,
                                            linalg::DepthwiseConv2DNchwChwOp op) {
  return conv(lifter, op, windowOf(op), {{}, {}, {}, true});
}
static llvm::Expected<Tensor> depthwiseNhwc(MlirLifter &lifter,
                                            linalg::DepthwiseConv2DNhwcHwcOp op) {
  return conv(lifter, op, windowOf(op), {channelsFirst, channelsLast, {2, 0, 1}, true});
}

/// A sum is an average times the number of elements in the window.
template <typename Op, bool isChannelsLast>
static llvm::Expected<Tensor> sumPool(MlirLifter &lifter, Op op) {
  AnnBuilder &builder = lifter.builder;
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getDpsInputs()[0]));
  Window window = windowOf(op);
  SPINDLE_ASSIGN(window.kernel, lifter.shapeOf(op.getDpsInputs()[1].getType(), false));
  if (isChannelsLast) {
    SPINDLE_ASSIGN(x, builder.transpose(x, channelsFirst));
  }
  SPINDLE_ASSIGN(Tensor average, builder.averagePool(x, window, /*countIncludePad=*/true));
  double count = double(spindle::sizeOf(window.kernel));
  SPINDLE_ASSIGN(Tensor sum,
                 builder.arithmetic(Arithmetic::Multiply, average, Tensor::constant({}, {count})));
  if (isChannelsLast) {
    SPINDLE_ASSIGN(sum, builder.transpose(sum, channelsLast));
  }
  return addDestination(lifter, sum, op.getDpsInits()[0]);
}

/// Filters of a channel beside each other: row, column, channel, multiplier. The result has both
/// dimensions.
static llvm::Expected<Tensor> depthwiseMultiplied(MlirLifter &lifter,
                                                  linalg::DepthwiseConv2DNhwcHwcmOp op) {
  AnnBuilder &builder = lifter.builder;
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getDpsInputs()[0]));
  SPINDLE_ASSIGN(Tensor weight, lifter.lookup(op.getDpsInputs()[1]));
  SPINDLE_ASSIGN(x, builder.transpose(x, channelsFirst));
  Shape stored = weight.shape;
  SPINDLE_ASSIGN(weight, builder.transpose(weight, {2, 3, 0, 1}));
  SPINDLE_ASSIGN(weight, builder.reshape(weight, {stored[2] * stored[3], 1, stored[0], stored[1]}));
  SPINDLE_ASSIGN(Tensor sum, builder.conv2d(x, weight, windowOf(op), stored[2]));
  SPINDLE_ASSIGN(sum, builder.transpose(sum, channelsLast));
  SPINDLE_ASSIGN(sum, builder.reshape(sum, {1, sum.shape[1], sum.shape[2], stored[2], stored[3]}));
  return addDestination(lifter, sum, op.getDpsInits()[0]);
}

/// The maximum of the window and of the destination, which starts with the lowest number.
template <typename Op, bool isChannelsLast>
static llvm::Expected<Tensor> maxPool(MlirLifter &lifter, Op op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getDpsInputs()[0]));
  SPINDLE_ASSIGN(Tensor start, lifter.lookup(op.getDpsInits()[0]));
  Window window = windowOf(op);
  SPINDLE_ASSIGN(window.kernel, lifter.shapeOf(op.getDpsInputs()[1].getType(), false));
  if (isChannelsLast) {
    SPINDLE_ASSIGN(x, lifter.builder.transpose(x, channelsFirst));
  }
  SPINDLE_ASSIGN(Tensor most, lifter.builder.maxPool(x, window));
  if (isChannelsLast) {
    SPINDLE_ASSIGN(most, lifter.builder.transpose(most, channelsLast));
  }
  return lifter.builder.arithmetic(Arithmetic::Maximum, most, start);
}

/// The dimensions of the input that a sum runs over; none where the operation is no such sum.
static std::vector<size_t> summedDimensions(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1)
    return {};
  auto sum = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  Value in = op.getBlock()->getArgument(0), out = op.getBlock()->getArgument(1);
  bool addsUp = sum && ((sum.getLhs() == in && sum.getRhs() == out) ||
                        (sum.getLhs() == out && sum.getRhs() == in));
  AffineMap from = op.getIndexingMapsArray()[0], to = op.getIndexingMapsArray().back();
  if (!addsUp || !from.isPermutation())
    return {};
  std::vector<size_t> summed;
  int64_t last = -1; // the others keep their order
  SmallVector<unsigned> kept;
  for (AffineExpr result : to.getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(result))
      kept.push_back(loop.getPosition());
  for (size_t d = 0; d < from.getNumResults(); ++d) {
    auto at = llvm::find(kept, from.getDimPosition(unsigned(d)));
    if (at == kept.end())
      summed.push_back(d);
    else if (at - kept.begin() == last + 1)
      ++last;
    else
      return {};
  }
  return summed;
}

llvm::Expected<Tensor> liftSumOverLoops(MlirLifter &lifter, Operation *operation) {
  auto op = cast<linalg::LinalgOp>(operation);
  std::vector<size_t> axes = summedDimensions(op);
  if (axes.empty())
    return lifter.refuse("a general reduction is not supported; use the named operations matmul, "
                         "conv_2d and pooling_sum");
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getDpsInputOperand(0)->get()));
  if (!x.isConstant() && axes.front() == 0 && lifter.builder.batch != 1)
    return lifter.refuse("a reduction over the batch is not supported");
  SPINDLE_ASSIGN(Shape shape, lifter.shapeOf(op->getResult(0).getType(), !x.isConstant()));
  SPINDLE_ASSIGN(Tensor sum, lifter.builder.reduce(x, axes, /*mean=*/false));
  SPINDLE_ASSIGN(sum, lifter.builder.reshape(sum, shape));
  return addDestination(lifter, sum, op.getDpsInits()[0]);
}

/// At the end of a classifier it is left out.
static llvm::Expected<Tensor> softmax(MlirLifter &lifter, linalg::SoftmaxOp op) {
  SPINDLE_ASSIGN(Tensor x, lifter.lookup(op.getInput()));
  bool atEnd = llvm::all_of(op->getResult(0).getUsers(),
                            [](Operation *user) { return isa<func::ReturnOp>(user); });
  return lifter.builder.dropAtEnd("softmax", x, atEnd, {x.shape[op.getDimension()]});
}

std::vector<LiftRule> linalgSumRules() {
  using namespace linalg;
  return {rule<linalg::MatmulOp>(matmul),
          rule(batchMatmul),
          rule(vectorProduct<MatvecOp, false>),
          rule(vectorProduct<VecmatOp, true>),
          rule(convNchw),
          rule(convNhwc),
          rule(convNhwcFhwc),
          rule(convNcw),
          rule(convNwc),
          rule(convGrouped),
          rule(depthwiseNchw),
          rule(depthwiseNhwc),
          rule(sumPool<PoolingNchwSumOp, false>),
          rule(depthwiseMultiplied),
          rule(sumPool<PoolingNhwcSumOp, true>),
          rule(maxPool<PoolingNchwMaxOp, false>),
          rule(maxPool<PoolingNhwcMaxOp, true>),
          rule(softmax)};
}

} // namespace spindle
