// Constraints of the synapse operations of one signal, by the labels of their definitions.
#include "dialects/snn/Snn.h"

using namespace mlir;

namespace spindle::snn {

static std::string text(ArrayRef<int64_t> shape) {
  std::string result;
  for (int64_t extent : shape)
    result += (result.empty() ? "" : "x") + std::to_string(extent);
  return result;
}

/// synapse_c1: activations in, activations out; spikes or current in, current out; of this shape.
static LogicalResult verifyResult(Operation *op, ArrayRef<int64_t> shape) {
  Type expected = synapseResult(op->getOperand(0).getType(), shape);
  Type found = op->getResult(0).getType();
  if (found != expected)
    return op->emitOpError("output is ") << found << ", expected " << expected;
  return success();
}

static LogicalResult verifyBias(Operation *op, Value bias, int64_t outputs) {
  if (bias && shapeOf(bias) != ArrayRef<int64_t>{outputs})
    return op->emitOpError("bias has shape ")
           << text(shapeOf(bias)) << ", expected " << outputs << " values";
  return success();
}

static LogicalResult verifyImage(Operation *op) {
  if (shapeOf(op->getOperand(0)).size() != 3)
    return op->emitOpError("input has shape ")
           << text(shapeOf(op->getOperand(0))) << ", expected channels x rows x columns";
  return success();
}

/// `count` numbers, each at least `least`.
static LogicalResult verifyNumbers(Operation *op, StringRef what, ArrayRef<int64_t> numbers,
                                   size_t count, int64_t least) {
  if (numbers.size() != count || llvm::any_of(numbers, [&](int64_t n) { return n < least; }))
    return op->emitOpError(what) << " takes " << count << " numbers of at least " << least;
  return success();
}

/// Positions of a window along one axis; zero when it does not fit.
static int64_t windowCount(int64_t extent, int64_t before, int64_t after, int64_t kernel,
                           int64_t dilation, int64_t stride) {
  int64_t room = extent + before + after - (dilation * (kernel - 1) + 1);
  return room < 0 ? 0 : room / stride + 1;
}

LogicalResult DenseOp::verify() {
  ArrayRef<int64_t> input = shapeOf(getInput()), weight = shapeOf(getWeight());
  if (input.size() != 1)
    return emitOpError("input has shape ") << text(input) << ", expected one dimension";
  if (weight.size() != 2 || weight[1] != input[0])
    return emitOpError("weight has shape ") << text(weight) << ", expected outputs x " << input[0];
  if (failed(verifyBias(*this, getBias(), weight[0])))
    return failure();
  return verifyResult(*this, {weight[0]});
}

LogicalResult Conv2dOp::verify() {
  if (failed(verifyImage(*this)))
    return failure();
  ArrayRef<int64_t> input = shapeOf(getInput()), weight = shapeOf(getWeight());
  int64_t groups = getGroups();
  if (weight.size() != 4)
    return emitOpError("weight has shape ") << text(weight) << ", expected four dimensions";
  if (groups < 1 || input[0] % groups != 0 || weight[0] % groups != 0)
    return emitOpError("groups is ") << groups << ", which does not divide " << input[0]
                                     << " channels and " << weight[0] << " filters";
  if (weight[1] != input[0] / groups)
    return emitOpError("weight has shape ")
           << text(weight) << ", expected filters that read " << input[0] / groups << " channels";
  if (failed(verifyNumbers(*this, "strides", getStrides(), 2, 1)) ||
      failed(verifyNumbers(*this, "dilations", getDilations(), 2, 1)) ||
      failed(verifyNumbers(*this, "padding", getPadding(), 4, 0)) ||
      failed(verifyBias(*this, getBias(), weight[0])))
    return failure();
  ArrayRef<int64_t> pad = getPadding(), stride = getStrides(), dilation = getDilations();
  int64_t rows = windowCount(input[1], pad[0], pad[2], weight[2], dilation[0], stride[0]);
  int64_t columns = windowCount(input[2], pad[1], pad[3], weight[3], dilation[1], stride[1]);
  if (rows < 1 || columns < 1)
    return emitOpError("kernel of ")
           << weight[2] << "x" << weight[3] << " does not fit the padded input of " << text(input);
  return verifyResult(*this, {weight[0], rows, columns});
}

/// avg_pool2d_c1 to c3 but for the type: the shape of the result, or failure.
template <typename Op> static FailureOr<SmallVector<int64_t>> pooledShape(Op op) {
  if (failed(verifyImage(op)) || failed(verifyNumbers(op, "kernel", op.getKernel(), 2, 1)) ||
      failed(verifyNumbers(op, "strides", op.getStrides(), 2, 1)) ||
      failed(verifyNumbers(op, "padding", op.getPadding(), 4, 0)))
    return failure();
  ArrayRef<int64_t> input = shapeOf(op.getInput()), pad = op.getPadding(), kernel = op.getKernel();
  if (pad[0] >= kernel[0] || pad[2] >= kernel[0] || pad[1] >= kernel[1] || pad[3] >= kernel[1]) {
    op.emitOpError("padding must be smaller than the kernel, a window would hold no input");
    return failure();
  }
  int64_t rows = windowCount(input[1], pad[0], pad[2], kernel[0], 1, op.getStrides()[0]);
  int64_t columns = windowCount(input[2], pad[1], pad[3], kernel[1], 1, op.getStrides()[1]);
  if (rows < 1 || columns < 1) {
    op.emitOpError("kernel of ") << kernel[0] << "x" << kernel[1]
                                 << " does not fit the padded input of " << text(input);
    return failure();
  }
  return SmallVector<int64_t>{input[0], rows, columns};
}

LogicalResult AvgPool2dOp::verify() {
  FailureOr<SmallVector<int64_t>> shape = pooledShape(*this);
  return failed(shape) ? failure() : verifyResult(*this, *shape);
}

LogicalResult SumPool2dOp::verify() {
  FailureOr<SmallVector<int64_t>> shape = pooledShape(*this);
  return failed(shape) ? failure() : verifyResult(*this, *shape);
}

LogicalResult ScaleOp::verify() {
  ArrayRef<int64_t> input = shapeOf(getInput());
  auto fits = [&](Value value) {
    return !value || sizeOf(value) == input[0] || sizeOf(value) == sizeOf(getInput());
  };
  if (!fits(getFactor()) || !fits(getBias()))
    return emitOpError("factor and bias take one value per channel (")
           << input[0] << ") or one per element (" << sizeOf(getInput()) << ")";
  return verifyResult(*this, input);
}

/// synapse_c2: same kind of signal, this shape.
static LogicalResult verifyView(Operation *op, ArrayRef<int64_t> shape) {
  Type expected = withShape(op->getOperand(0).getType(), shape);
  if (op->getResult(0).getType() != expected)
    return op->emitOpError("output is ") << op->getResult(0).getType() << ", expected " << expected;
  return success();
}

LogicalResult MaxPool2dOp::verify() {
  FailureOr<SmallVector<int64_t>> shape = pooledShape(*this);
  return failed(shape) ? failure() : verifyView(*this, *shape);
}

LogicalResult DelayOp::verify() {
  size_t channels = shapeOf(getInput())[0], size = sizeOf(getInput()), count = getSteps().size();
  if (!runsInTime(getInput().getType()))
    return emitOpError("input must run in time, an activation has no steps");
  if (count != 1 && count != channels && count != size)
    return emitOpError("steps has ") << count << " values, expected 1, " << channels
                                     << " (one per channel) or " << size << " (one per element)";
  if (llvm::any_of(getSteps(), [](int64_t steps) { return steps < 0; }))
    return emitOpError("steps must be zero or more");
  return verifyView(*this, shapeOf(getInput()));
}

LogicalResult ReshapeOp::verify() {
  if (sizeOf(getInput()) != sizeOf(getOutput()))
    return emitOpError("input has ")
           << sizeOf(getInput()) << " elements, output " << sizeOf(getOutput());
  return verifyView(*this, shapeOf(getOutput()));
}

LogicalResult TransposeOp::verify() {
  ArrayRef<int64_t> input = shapeOf(getInput()), permutation = getPermutation();
  SmallVector<bool> seen(input.size(), false);
  for (int64_t dimension : permutation) {
    if (dimension < 0 || dimension >= int64_t(input.size()) || seen[dimension])
      return emitOpError("permutation must name each of the ")
             << input.size() << " dimensions once";
    seen[dimension] = true;
  }
  if (permutation.size() != input.size())
    return emitOpError("permutation must name each of the ") << input.size() << " dimensions once";
  SmallVector<int64_t> shape;
  for (int64_t dimension : permutation)
    shape.push_back(input[dimension]);
  return verifyView(*this, shape);
}

} // namespace spindle::snn
