#include "lib/conversion/ann-to-snn/SignalEditor.h"

using namespace mlir;

namespace spindle {

std::optional<std::vector<float>> passForward(snn::SynapseOp op, unsigned source,
                                              const std::vector<float> &values) {
  snn::LinearMap map = *op.linearMap(source);
  std::vector<float> result(map.outputs, 0);
  for (uint32_t o = 0; o < map.outputs; ++o)
    for (uint64_t k = map.offsets[o]; k < map.offsets[o + 1]; ++k) {
      float value = values[map.indices[k]];
      if (k > map.offsets[o] && value != result[o])
        return std::nullopt;
      result[o] = value;
    }
  return result;
}

std::optional<std::vector<float>> passBackward(snn::SynapseOp op, unsigned source,
                                               const std::vector<float> &values) {
  snn::LinearMap map = *op.linearMap(source);
  std::vector<float> result(map.inputs, 1);
  std::vector<bool> known(map.inputs, false);
  for (uint32_t o = 0; o < map.outputs; ++o)
    for (uint64_t k = map.offsets[o]; k < map.offsets[o + 1]; ++k) {
      uint32_t input = map.indices[k];
      if (known[input] && result[input] != values[o])
        return std::nullopt;
      known[input] = true;
      result[input] = values[o];
    }
  return result;
}

/// One value per channel where all elements of a channel agree.
static std::vector<float> narrowed(const std::vector<float> &values, size_t channels) {
  size_t block = values.size() / channels;
  std::vector<float> result;
  for (size_t k = 0; k < channels; ++k) {
    if (!llvm::all_equal(ArrayRef(values).slice(k * block, block)))
      return values;
    result.push_back(values[k * block]);
  }
  return result;
}

Value makeScale(Value value, const std::vector<float> &factor, const std::vector<float> &shift) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Location location = value.getLoc();
  auto constant = [&](const std::vector<float> &values) {
    std::vector<float> narrow = narrowed(values, snn::shapeOf(value)[0]);
    return snn::makeConstant(builder, location, {int64_t(narrow.size())}, narrow);
  };
  Value bias = shift.empty() ? Value() : constant(shift);
  Value factors = constant(factor);
  return snn::ScaleOp::create(builder, location,
                              snn::synapseResult(value.getType(), snn::shapeOf(value)), value,
                              factors, bias, StringAttr());
}

/// The operation whose weights or sources may be changed instead of `value`.
static snn::SynapseOp editable(Value value, const llvm::DenseSet<Value> &shared) {
  if (shared.contains(value) || isa<snn::SpikeBundleType>(value.getType()))
    return {};
  return value.getDefiningOp<snn::SynapseOp>();
}

bool SignalEditor::reachesWeights(Value value) const {
  snn::SynapseOp op = editable(value, shared);
  return op && (op.hasWeights() || llvm::all_of(op.getSources(), [&](Value source) {
                  return reachesWeights(source);
                }));
}

Value SignalEditor::multiply(Value value, const std::vector<float> &factor) const {
  if (llvm::all_of(factor, [](float each) { return each == 1; }))
    return value;
  snn::SynapseOp op = editable(value, shared);
  if (!op)
    return makeScale(value, factor, {});
  if (op.hasWeights())
    return succeeded(op.rescale(ones(op.getSources()[0]), factor)) ? value
                                                                   : makeScale(value, factor, {});
  SmallVector<Value> sources = op.getSources();
  std::vector<std::vector<float>> parts;
  for (unsigned s = 0; s < sources.size(); ++s) {
    std::optional<std::vector<float>> part = passBackward(op, s, factor);
    if (!part || (sources.size() == 1 && !reachesWeights(sources[s])))
      return makeScale(value, factor, {});
    parts.push_back(std::move(*part));
  }
  for (unsigned s = 0; s < sources.size(); ++s) // the signals are the first operands
    op->setOperand(s, multiply(sources[s], parts[s]));
  return value;
}

/// Adds to the bias, or makes one; the value itself when elements that share a bias agree.
Value SignalEditor::addToBias(snn::SynapseOp op, const std::vector<float> &shift) const {
  Value value = op.getTarget();
  bool isScale = isa<snn::ScaleOp>(op), isConv = isa<snn::Conv2dOp>(op);
  std::vector<float> bias = shift;
  if (isConv || isScale)
    bias = narrowed(shift, snn::shapeOf(value)[0]);
  if (isConv && int64_t(bias.size()) != snn::shapeOf(value)[0])
    return makeScale(value, ones(value), shift);
  bool hasBias = op->getNumOperands() == 3;
  if (hasBias) {
    std::vector<float> old = *snn::constantFloats(op->getOperand(2));
    size_t count = std::max(old.size(), bias.size());
    std::vector<float> sum(count);
    for (size_t n = 0; n < count; ++n)
      sum[n] = old[n / (count / old.size())] + bias[n / (count / bias.size())];
    bias = std::move(sum);
  }
  OpBuilder builder(op);
  Value constant =
      snn::makeConstant(builder, op->getLoc(), {static_cast<int64_t>(bias.size())}, bias);
  if (hasBias)
    op->setOperand(2, constant);
  else
    op->insertOperands(2, constant);
  return value;
}

Value SignalEditor::add(Value value, const std::vector<float> &shift) const {
  if (llvm::all_of(shift, [](float each) { return each == 0; }))
    return value;
  snn::SynapseOp op = editable(value, shared);
  if (op && op.hasWeights())
    return addToBias(op, shift);
  if (op && isa<snn::ReshapeOp, snn::TransposeOp, snn::AddOp>(op) &&
      reachesWeights(op.getSources()[0])) {
    op->setOperand(0, add(op.getSources()[0], *passBackward(op, 0, shift)));
    return value;
  }
  return makeScale(value, ones(value), shift);
}

} // namespace spindle
