#include "lib/conversion/snn-to-loops/tensor/TensorLayer.h"

#include "lib/conversion/snn-to-loops/Signal.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

constexpr const char *kAsTensor = "is to be a tensor kernel (as: tensor)";

Value behindViews(Value signal) {
  while (auto reshape = signal.getDefiningOp<snn::ReshapeOp>())
    signal = reshape.getInput();
  return signal;
}

bool isPooling(Operation *op) { return isa_and_nonnull<snn::SumPool2dOp, snn::MaxPool2dOp>(op); }
bool isWeighted(Operation *op) { return isa_and_nonnull<snn::DenseOp, snn::Conv2dOp>(op); }

/// The layer that makes a signal, and what divides its sums, if anything does.
struct Source {
  Operation *op = nullptr;
  snn::QuantizeOp shift;

  static Source of(Value signal) {
    Value sums = behindViews(signal);
    Source found;
    found.shift = sums.getDefiningOp<snn::QuantizeOp>();
    if (found.shift)
      sums = behindViews(found.shift.getInput());
    found.op = sums.getDefiningOp();
    return found;
  }

  Value handedOn() { return shift ? shift->getResult(0) : op->getResult(0); }
};

/// The layer with weights behind a signal's poolings, or none.
Operation *weightsBehind(Value signal) {
  Source source = Source::of(signal);
  while (isPooling(source.op))
    source = Source::of(source.op->getOperand(0));
  return isWeighted(source.op) ? source.op : nullptr;
}

llvm::Expected<std::optional<TensorLayer::Shift>> shiftOf(Operation *op, snn::QuantizeOp division) {
  if (!division)
    return std::nullopt;
  float unit = division.getUnit().convertToFloat();
  if (unit < 1 || std::exp2(std::floor(std::log2(unit))) != unit)
    return layerError(op, fmt::format("has sums that are divided by {}, expected a power of two "
                                      "(fixed_point.integers: all)",
                                      unit));
  return TensorLayer::Shift{int64_t(std::log2(unit)), int64_t(division.getLow()),
                            int64_t(division.getHigh())};
}

void takeWindows(TensorLayer &layer, ArrayRef<int64_t> kernel, auto op) {
  ArrayRef<int64_t> image = snn::shapeOf(op.getInput());
  for (size_t axis = 0; axis < 2; ++axis)
    layer.axes[axis] = {image[axis + 1], op.getPadding()[axis], op.getPadding()[axis + 2],
                        kernel[axis], op.getStrides()[axis]};
}

void takePooling(TensorLayer &layer, auto op) {
  layer.isWeighted = false;
  layer.channels = 1;
  layer.groups = layer.outputs;
  takeWindows(layer, op.getKernel(), op);
}

void takeShape(TensorLayer &layer) {
  layer.outputs = snn::shapeOf(layer.op->getResult(0))[0];
  layer.isWindowed = !isa<snn::DenseOp>(layer.op);
  if (auto sums = dyn_cast<snn::SumPool2dOp>(layer.op))
    return takePooling(layer, sums);
  if (auto maxima = dyn_cast<snn::MaxPool2dOp>(layer.op)) {
    layer.combine = Combine::Maximum;
    return takePooling(layer, maxima);
  }
  ArrayRef<int64_t> weights = snn::shapeOf(layer.op->getOperand(1));
  layer.channels = weights[1];
  if (auto convolution = dyn_cast<snn::Conv2dOp>(layer.op)) {
    layer.groups = int64_t(convolution.getGroups());
    takeWindows(layer, weights.take_back(2), convolution);
    for (size_t axis = 0; axis < 2; ++axis)
      layer.axes[axis].dilation = convolution.getDilations()[axis];
  }
}

llvm::Error takeWeights(TensorLayer &layer) {
  layer.bias.assign(size_t(layer.outputs), 0);
  if (!layer.isWeighted)
    return llvm::Error::success();
  SPINDLE_ASSIGN(layer.weights, integersOf(layer.op, layer.op->getOperand(1), "weight"));
  auto dense = dyn_cast<snn::DenseOp>(layer.op);
  if (Value bias = dense ? dense.getBias() : cast<snn::Conv2dOp>(layer.op).getBias()) {
    SPINDLE_ASSIGN(layer.bias, integersOf(layer.op, bias, "bias"));
  }
  return llvm::Error::success();
}

llvm::Expected<TensorLayer> layerOf(Source source) {
  TensorLayer made;
  made.op = source.op;
  FailureOr<snn::IntegerRange> pixels = snn::integerRange(made.input());
  if (failed(pixels))
    return layerError(made.op, fmt::format("{}, but its input is not known to be integers, "
                                           "expected fixed_point.integers: all",
                                           kAsTensor));
  made.pixels = *pixels;
  takeShape(made);
  SPINDLE_RETURN_IF_ERROR(takeWeights(made));
  FailureOr<snn::IntegerRange> sums = snn::integerRange(made.op->getResult(0));
  if (failed(sums)) // its weights are constants, and integers
    return layerError(made.op, "has sums that are not known to be integers");
  made.sums = *sums;
  SPINDLE_ASSIGN(made.shift, shiftOf(made.op, source.shift));
  made.handedOn = *snn::integerRange(source.handedOn());
  return made;
}

/// From a layer to the one that takes what it makes: one reader each.
llvm::Error checkReaders(Source source, Operation *reader) {
  for (Operation *op = source.op; op != reader; op = *op->user_begin())
    if (!op->hasOneUse())
      return layerError(source.op,
                        fmt::format("{}, but what it makes is read {} times, expected "
                                    "a chain of layers",
                                    kAsTensor, std::distance(op->use_begin(), op->use_end())));
  return llvm::Error::success();
}

} // namespace

unsigned bitsOfPixels(const snn::IntegerRange &range) {
  if (range.lowest >= 0) // a value of one bit would be a spike
    return std::max(2, int(std::bit_width(uint64_t(range.highest))));
  return bitsFor(int64_t(std::max(-range.lowest, range.highest)));
}

llvm::Expected<std::vector<TensorLayer>>
tensorLayers(snn::EncodeOp encode, llvm::function_ref<bool(Operation *)> isTaken) {
  Source source = Source::of(encode.getInput());
  if (!isWeighted(source.op))
    return layerError(source.op ? source.op : encode.getOperation(),
                      fmt::format("{}, expected a dense layer or a convolution in front of the "
                                  "encoder",
                                  kAsTensor));
  std::vector<TensorLayer> found;
  Operation *reader = encode;
  while (true) {
    SPINDLE_RETURN_IF_ERROR(checkReaders(source, reader));
    SPINDLE_ASSIGN(TensorLayer layer, layerOf(source));
    reader = layer.op;
    found.push_back(std::move(layer));
    Operation *before = weightsBehind(reader->getOperand(0));
    if (!before || !isTaken(before))
      break;
    source = Source::of(reader->getOperand(0));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

llvm::Expected<std::vector<TensorLayer>> tensorLayersBehind(snn::DecodeOp counts) {
  Operation *reader = counts->getBlock()->getTerminator();
  Source source = Source::of(reader->getOperand(0));
  if (!isa_and_nonnull<snn::DenseOp>(source.op))
    return layerError(source.op ? source.op : counts.getOperation(),
                      "is the last of the tensor layers behind spikes, expected a dense layer");
  std::vector<TensorLayer> found;
  while (source.op != counts) {
    if (!isWeighted(source.op) && !isPooling(source.op))
      return layerError(source.op ? source.op : reader,
                        fmt::format("is {} between counted spikes and the answer, expected a chain "
                                    "of dense layers, convolutions and poolings",
                                    source.op ? source.op->getName().getStringRef() : "an input"));
    SPINDLE_RETURN_IF_ERROR(checkReaders(source, reader));
    SPINDLE_ASSIGN(TensorLayer layer, layerOf(source));
    reader = layer.op;
    found.push_back(std::move(layer));
    source = Source::of(reader->getOperand(0));
  }
  SPINDLE_RETURN_IF_ERROR(checkReaders(source, reader));
  std::reverse(found.begin(), found.end());
  return found;
}

} // namespace spindle::snn_to_loops
