#include "lib/conversion/snn-to-loops/events/synapses/WindowFilters.h"

#include "lib/conversion/snn-to-loops/Signal.h"

using namespace mlir;

namespace spindle::snn_to_loops {

static WindowFilters without(Value input, Value output) {
  WindowFilters made;
  made.from = llvm::to_vector(snn::shapeOf(input));
  made.to = llvm::to_vector(snn::shapeOf(output));
  return made;
}

template <typename Op> static void takeWindows(WindowFilters &filters, Op op) {
  for (size_t axis = 0; axis < 2; ++axis) {
    filters.strides[axis] = op.getStrides()[axis];
    filters.padding[axis] = op.getPadding()[axis];
  }
}

static llvm::Expected<WindowFilters> ofConvolution(snn::Conv2dOp op) {
  SPINDLE_ASSIGN(std::vector<int64_t> values, integersOf(op, op.getWeight(), "weight"));
  ArrayRef<int64_t> shape = snn::shapeOf(op.getWeight());
  WindowFilters made = without(op.getInput(), op.getOutput());
  takeWindows(made, op);
  made.kernel = {shape[2], shape[3]};
  made.dilations = {op.getDilations()[0], op.getDilations()[1]};
  int64_t window = shape[2] * shape[3], perGroup = shape[0] / int64_t(op.getGroups());
  made.weights.assign(size_t(shape[0] * made.from[0] * window), 0);
  for (int64_t filter = 0; filter < shape[0]; ++filter)
    for (int64_t channel = 0; channel < shape[1]; ++channel) {
      int64_t source = filter / perGroup * shape[1] + channel;
      std::copy_n(values.begin() + (filter * shape[1] + channel) * window, window,
                  made.weights.begin() + (filter * made.from[0] + source) * window);
    }
  return made;
}

/// Each channel for itself, by its factor.
static void takeFactors(WindowFilters &filters, llvm::function_ref<int64_t(int64_t)> factorOf) {
  int64_t window = filters.kernel[0] * filters.kernel[1], channels = filters.from[0];
  filters.weights.assign(size_t(channels * channels * window), 0);
  for (int64_t channel = 0; channel < channels; ++channel)
    std::fill_n(filters.weights.begin() + channel * (channels + 1) * window, window,
                factorOf(channel));
}

static WindowFilters ofSums(snn::SumPool2dOp op) {
  WindowFilters made = without(op.getInput(), op.getOutput());
  takeWindows(made, op);
  made.kernel = {op.getKernel()[0], op.getKernel()[1]};
  takeFactors(made, [](int64_t) { return 1; });
  return made;
}

static llvm::Expected<std::optional<WindowFilters>> ofScale(snn::ScaleOp op) {
  SPINDLE_ASSIGN(std::vector<int64_t> factors, integersOf(op, op.getFactor(), "factor"));
  WindowFilters made = without(op.getInput(), op.getOutput());
  if (made.from.size() != 3 || int64_t(factors.size()) > made.from[0])
    return std::nullopt;
  takeFactors(made, [&](int64_t channel) {
    return factors[size_t(channel * int64_t(factors.size()) / made.from[0])];
  });
  return made;
}

llvm::Expected<std::optional<WindowFilters>> filtersOf(Operation *op) {
  if (auto convolution = dyn_cast<snn::Conv2dOp>(op))
    return ofConvolution(convolution);
  if (auto pool = dyn_cast<snn::SumPool2dOp>(op))
    return ofSums(pool);
  if (auto scale = dyn_cast<snn::ScaleOp>(op))
    return ofScale(scale);
  return std::nullopt;
}

WindowFilters identityFilters(ArrayRef<int64_t> image) {
  WindowFilters made;
  made.from = made.to = llvm::to_vector(image);
  takeFactors(made, [](int64_t) { return 1; });
  return made;
}

} // namespace spindle::snn_to_loops
