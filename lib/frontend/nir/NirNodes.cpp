#include "lib/frontend/nir/NirNodes.h"

#include "dialects/location/Location.h"
#include "dialects/snn/Answers.h"
#include "dialects/snn/synapses/DelayedSparseOp.h"

#include "fmt/format.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle {

namespace {

std::vector<uint64_t> extents(llvm::ArrayRef<int64_t> shape) {
  return {shape.begin(), shape.end()};
}

NirArray integers(llvm::ArrayRef<int64_t> values) {
  return {NirType::Integers, {values.size()}, {values.begin(), values.end()}, {}};
}

NirArray integer(int64_t value) {
  return {NirType::Integers, {}, {static_cast<double>(value)}, {}};
}

NirArray floats(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<float> values) {
  return {NirType::Float32, extents(shape), {values.begin(), values.end()}, {}};
}

llvm::Expected<std::vector<float>> constant(Operation *op, Value value) {
  FailureOr<std::vector<float>> values = snn::constantFloats(value);
  if (failed(values))
    return refuseExport(op, "has weights that are not constant");
  return *values;
}

llvm::Expected<NirNode> denseNode(snn::DenseOp op) {
  NirNode node{"", op.getBias() ? "Affine" : "Linear", {}, {}, {}, {}};
  SPINDLE_ASSIGN(std::vector<float> weight, constant(op, op.getWeight()));
  node.parameters["weight"] = floats(snn::shapeOf(op.getWeight()), weight);
  if (op.getBias()) {
    SPINDLE_ASSIGN(std::vector<float> bias, constant(op, op.getBias()));
    node.parameters["bias"] = floats(snn::shapeOf(op.getBias()), bias);
  }
  return node;
}

/// Listed or drawn synapses as a matrix with zeros between them, the only form that NIR has.
llvm::Expected<NirNode> matrixNode(snn::SynapseOp op) {
  constexpr int64_t kMost = 1 << 24;
  Value input = op->getOperand(0), output = op.getTarget();
  if (snn::shapeOf(input).size() != 1 || snn::shapeOf(output).size() != 1)
    return refuseExport(op, "joins populations of several dimensions, where NIR has matrices "
                            "between vectors only; give them a size, not a shape");
  int64_t inputs = snn::sizeOf(input), outputs = snn::sizeOf(output);
  if (inputs > kMost / outputs)
    return refuseExport(op, fmt::format("joins {} neurons with {}, where NIR has matrices only; "
                                        "expected at most {} pairs",
                                        inputs, outputs, kMost));
  FailureOr<snn::LinearMap> map = op.linearMap(0);
  if (failed(map))
    return refuseExport(op, "has weights that are not constant");
  std::vector<float> weight(static_cast<size_t>(inputs * outputs));
  for (size_t o = 0; o < size_t(outputs); ++o)
    for (size_t k = map->offsets[o]; k < map->offsets[o + 1]; ++k)
      weight[o * size_t(inputs) + map->indices[k]] = map->weights[k];
  bool hasBias = op->getNumOperands() > 2;
  NirNode node{"", hasBias ? "Affine" : "Linear", {}, {}, {}, {}};
  node.parameters["weight"] = floats({outputs, inputs}, weight);
  if (hasBias)
    node.parameters["bias"] = floats({outputs}, map->bias);
  return node;
}

llvm::Expected<NirNode> scaleNode(snn::ScaleOp op) {
  if (op.getBias())
    return refuseExport(
        op, "has a bias, which a Scale of NIR has not; merge it into a layer with weights");
  llvm::ArrayRef<int64_t> shape = snn::shapeOf(op.getOutput());
  SPINDLE_ASSIGN(std::vector<float> factor, constant(op, op.getFactor()));
  std::vector<float> full;
  size_t size = static_cast<size_t>(snn::sizeOf(op.getOutput()));
  for (size_t n = 0; n < size; ++n)
    full.push_back(factor[n * factor.size() / size]);
  return NirNode{"", "Scale", {{"scale", floats(shape, full)}}, {}, {}, {}};
}

/// Rows and columns, or columns only.
NirArray window(llvm::ArrayRef<int64_t> values, bool isRow) {
  return isRow ? integer(values[1]) : integers(values.take_front(2));
}

llvm::Error checkPadding(Operation *op, llvm::ArrayRef<int64_t> padding) {
  if (padding[0] == padding[2] && padding[1] == padding[3])
    return llvm::Error::success();
  return refuseExport(op, "is padded by different numbers on opposite sides, which NIR cannot say");
}

llvm::Expected<NirNode> convolutionNode(snn::Conv2dOp op) {
  SPINDLE_RETURN_IF_ERROR(checkPadding(op, op.getPadding()));
  bool isRow = isConv1d(op);
  NirNode node{"", isRow ? "Conv1d" : "Conv2d", {}, {}, {}, {}};
  llvm::ArrayRef<int64_t> shape = snn::shapeOf(op.getWeight()), input = snn::shapeOf(op.getInput());
  SPINDLE_ASSIGN(std::vector<float> weight, constant(op, op.getWeight()));
  node.parameters["weight"] =
      isRow ? floats({shape[0], shape[1], shape[3]}, weight) : floats(shape, weight);
  std::vector<float> bias(static_cast<size_t>(shape[0])); // NIR always has one
  if (op.getBias()) {
    SPINDLE_ASSIGN(bias, constant(op, op.getBias()));
  }
  node.parameters["bias"] = floats({shape[0]}, bias);
  node.parameters["stride"] = window(op.getStrides(), isRow);
  node.parameters["padding"] = window(op.getPadding(), isRow);
  node.parameters["dilation"] = window(op.getDilations(), isRow);
  node.parameters["groups"] = integer(static_cast<int64_t>(op.getGroups()));
  node.parameters["input_shape"] = window(input.drop_front(), isRow);
  return node;
}

template <typename Op> llvm::Expected<NirNode> poolNode(Op op, const char *type) {
  SPINDLE_RETURN_IF_ERROR(checkPadding(op, op.getPadding()));
  return NirNode{"",
                 type,
                 {{"kernel_size", integers(op.getKernel())},
                  {"stride", integers(op.getStrides())},
                  {"padding", integers(op.getPadding().take_front(2))}},
                 {},
                 {},
                 {}};
}

llvm::Expected<NirNode> averageNode(snn::AvgPool2dOp op) {
  bool isPadded = llvm::any_of(op.getPadding(), [](int64_t zeros) { return zeros != 0; });
  if (isPadded && !op.getCountIncludePad())
    return refuseExport(op, "averages without the padding, which NIR cannot say");
  return poolNode(op, "AvgPool2d");
}

llvm::Expected<NirNode> reshapeNode(snn::ReshapeOp op) {
  if (snn::shapeOf(op.getOutput()).size() != 1)
    return refuseExport(op, "gives a shape of several dimensions, NIR can only flatten");
  return NirNode{"",
                 "Flatten",
                 {{"input_type", integers(snn::shapeOf(op.getInput()))},
                  {"start_dim", integer(0)},
                  {"end_dim", integer(-1)}},
                 {},
                 {},
                 {}};
}

llvm::Expected<NirNode> delayNode(snn::DelayOp op, double dtMs) {
  llvm::ArrayRef<int64_t> shape = snn::shapeOf(op.getOutput()), steps = op.getSteps();
  NirArray delay{NirType::Float64, extents(shape), {}, {}};
  size_t size = static_cast<size_t>(snn::sizeOf(op.getOutput()));
  for (size_t n = 0; n < size; ++n)
    delay.numbers.push_back(static_cast<double>(steps[n * steps.size() / size]) * dtMs / 1000);
  return NirNode{"", "Delay", {{"delay", delay}}, {}, {}, {}};
}

/// Whether a value is the answer of the network, perhaps in another shape.
bool isAnswer(Value value) {
  while (auto reshape = value.getDefiningOp<snn::ReshapeOp>())
    value = reshape.getInput();
  return isa_and_nonnull<snn::DecodeOp>(value.getDefiningOp());
}

} // namespace

NirNode portNode(const char *type, Value signal) {
  return {"", type, {{"shape", integers(snn::shapeOf(signal))}}, {}, {}, {}};
}

llvm::Error refuseExport(Operation *op, const std::string &message) {
  llvm::StringRef layer = snn::layerOf(op);
  std::string name = op->getName().getStringRef().str();
  return inputError(placeOf(op->getLoc()),
                    layer.empty() ? name + " " + message
                                  : fmt::format("{} '{}' {}", name, layer.str(), message));
}

bool isConv1d(snn::Conv2dOp conv) {
  auto before = conv.getInput().getDefiningOp<snn::ReshapeOp>();
  if (!before || !conv->hasOneUse())
    return false;
  auto after = dyn_cast<snn::ReshapeOp>(*conv->user_begin());
  return after && snn::shapeOf(before.getInput()).size() == 2 &&
         snn::shapeOf(conv.getInput())[1] == 1 && snn::shapeOf(after.getOutput()).size() == 2 &&
         snn::shapeOf(conv.getOutput())[1] == 1 && snn::shapeOf(conv.getWeight())[2] == 1;
}

bool passesOn(Operation *op) {
  if (isa<snn::AddOp>(op))
    return true;
  if (auto reshape = dyn_cast<snn::ReshapeOp>(op)) {
    auto conv = reshape.getInput().getDefiningOp<snn::Conv2dOp>();
    auto isInside = [](Operation *user) {
      auto next = dyn_cast<snn::Conv2dOp>(user);
      return next && isConv1d(next);
    };
    return isAnswer(reshape.getInput()) || (conv && isConv1d(conv)) ||
           llvm::any_of(reshape->getUsers(), isInside);
  }
  auto scale = dyn_cast<snn::ScaleOp>(op);
  if (!scale || scale.getBias() || !snn::layerOf(op).empty())
    return false;
  FailureOr<std::vector<float>> factor = snn::constantFloats(scale.getFactor());
  return succeeded(factor) && llvm::all_of(*factor, [](float value) { return value == 1; });
}

llvm::Expected<NirNode> nodeOf(Operation *op, double dtMs) {
  using Node = llvm::Expected<NirNode>;
  if (isa<snn::NeuronOp>(op))
    return populationNode(op, dtMs);
  return llvm::TypeSwitch<Operation *, Node>(op)
      .Case([](snn::DecodeOp decode) -> Node {
        if (!snn::isAnswer(decode))
          return refuseExport(decode, "is read by layers that compute the answer from counted "
                                      "spikes, which NIR cannot say; convert without "
                                      "conversion.tensor");
        return portNode("Output", decode.getInput());
      })
      .Case([](snn::DenseOp dense) { return denseNode(dense); })
      .Case<snn::SparseOp, snn::RandomOp>(
          [](auto synapses) { return matrixNode(cast<snn::SynapseOp>(*synapses)); })
      .Case([](snn::DelayedSparseOp synapses) -> Node {
        return refuseExport(synapses, "has delays that differ between synapses, which NIR cannot "
                                      "say; expected one for all");
      })
      .Case([](snn::Conv2dOp conv) { return convolutionNode(conv); })
      .Case([](snn::ScaleOp scale) { return scaleNode(scale); })
      .Case([](snn::SumPool2dOp pool) { return poolNode(pool, "SumPool2d"); })
      .Case([](snn::AvgPool2dOp pool) { return averageNode(pool); })
      .Case([](snn::ReshapeOp reshape) { return reshapeNode(reshape); })
      .Case([&](snn::DelayOp delay) { return delayNode(delay, dtMs); })
      .Default([](Operation *other) -> Node {
        return refuseExport(other, "has no counterpart in NIR");
      });
}

} // namespace spindle
