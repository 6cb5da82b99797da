// Layers of the ANN that stay what they are: before the first populations, or behind the last ones,
// whose spikes they count.
#include "lib/conversion/ann-to-snn/Converter.h"

#include "dialects/location/Location.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

using namespace mlir;

namespace spindle {

constexpr int64_t kTensorLevels = 255;             // eight bits
constexpr int64_t kMostCounted = int64_t(1) << 24; // f32 holds all numbers on the way

StringRef Converter::nameOf(snn::ReluOp op) const {
  return snn::layerOf(op).empty() ? layerBefore(op.getInput()) : snn::layerOf(op);
}

/// Whether a rectifier that stays, behind one that spikes, is on some way to the answer.
bool Converter::answersByTensors() {
  llvm::DenseSet<Value> behindSpikes, behindTensors;
  for (Operation &op : ann.getBody().front()) {
    auto dependsOn = [&](const llvm::DenseSet<Value> &made) {
      return llvm::any_of(op.getOperands(), [&](Value operand) { return made.contains(operand); });
    };
    bool spikes = dependsOn(behindSpikes), isCounted = dependsOn(behindTensors);
    if (isa<func::ReturnOp>(op))
      return isCounted;
    auto rectifier = dyn_cast<snn::ReluOp>(op);
    bool stays = rectifier && options.staysTensor(nameOf(rectifier));
    for (Value result : op.getResults()) {
      if (spikes || (rectifier && !stays))
        behindSpikes.insert(result);
      if (isCounted || (stays && spikes))
        behindTensors.insert(result);
    }
  }
  return false;
}

bool Converter::leadsToTensors(Value value) {
  auto [known, isNew] = tensorsBehind.try_emplace(value, false);
  if (!isNew)
    return known->second;
  bool leads = !value.use_empty() && llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto rectifier = dyn_cast<snn::ReluOp>(user))
      return options.staysTensor(nameOf(rectifier));
    if (isa<func::ReturnOp>(user))
      return endsInTensors || options.staysTensor(layerBefore(value));
    return leadsToTensors(user->getResult(0));
  });
  return tensorsBehind[value] = leads;
}

/// A spike in every step stands for the signal's scale; as many as there are steps do now.
llvm::Expected<Value> Converter::counted(Value spikes, Operation *reader) {
  if (!isa<snn::SpikeBundleType>(spikes.getType()))
    return inputError(placeOf(reader->getLoc()),
                      fmt::format("{} reads sums that layers which spike read, too, and leads to "
                                  "layers of conversion.tensor, expected a rectifier in between",
                                  reader->getName().getStringRef().str()));
  if (isa_and_nonnull<snn::EncodeOp>(spikes.getDefiningOp()))
    return inputError("conversion", "tensor names layers that read the input, which "
                                    "emulation.encoding makes spikes of, expected encoding: "
                                    "direct, or a layer that spikes before them");
  Value &made = counts[spikes];
  if (made)
    return made;
  if (options.steps > kMostCounted / options.maxSpikes)
    return inputError("conversion",
                      fmt::format("tensor counts up to {} spikes of a neuron in {} steps, expected "
                                  "at most {}; fewer emulation.steps or max_spikes",
                                  options.steps * options.maxSpikes, options.steps, kMostCounted));
  auto type = RankedTensorType::get(snn::shapeOf(spikes), builder.getF32Type());
  made = snn::DecodeOp::create(builder, spikes.getLoc(), type, spikes, snn::Decoding::Count,
                               builder.getI64IntegerAttr(options.steps * options.maxSpikes));
  Signal signal = signals.lookup(spikes);
  for (float &scale : signal.scale)
    scale /= float(options.steps);
  signals[made] = std::move(signal);
  shared.insert(made);
  return made;
}

llvm::Error Converter::countSources(Operation *clone) {
  unsigned count = cast<snn::SynapseOp>(clone).getSources().size();
  for (unsigned s = 0; s < count; ++s) {
    Value source = clone->getOperand(s);
    if (!snn::runsInTime(source.getType()))
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(clone);
    SPINDLE_ASSIGN(Value made, counted(source, clone));
    clone->setOperand(s, made);
  }
  return llvm::Error::success();
}

/// The rectifier gets the levels that integers can say, or keeps those it was trained with.
llvm::Error Converter::keepRelu(snn::ReluOp op, const LayerPlan &layer, StringRef name) {
  Value input = values.lookup(op.getInput());
  bool isLate = late.contains(op.getInput());
  if (snn::runsInTime(input.getType())) {
    SPINDLE_ASSIGN(input, counted(input, op));
    isLate = true;
  }
  Signal signal = signals.lookup(input);
  input = editor.multiply(input, signal.scale);
  signal.scale = ones(input);
  if (nextLayer == plan.layers.size() && !isLate)
    return inputError(placeOf(op.getLoc()),
                      fmt::format("layer '{}' of conversion.tensor is the last one, expected one "
                                  "that spikes behind it",
                                  name.str()));
  float maximum = layer.scale.front();
  if (op.getMaximum()) {
    float own = op.getMaximum()->convertToFloat();
    maximum = op.getLevels() ? own : std::min(maximum, own);
  }
  auto kept = snn::ReluOp::create(builder, op.getLoc(), input, builder.getStringAttr(name));
  kept.setMaximum(APFloat(maximum));
  kept.setLevels(op.getLevels() ? *op.getLevels() : kTensorLevels);
  summary.layers.push_back({name.str(), "relu", {maximum}});
  define(op.getOutput(), kept.getOutput(), std::move(signal));
  return llvm::Error::success();
}

/// Sums that the last layer makes of counted spikes.
llvm::Error Converter::answerInTensors(func::ReturnOp op, Value value) {
  if (options.decoding != DecodingChoice::Membrane)
    return inputError("conversion", "decoding reads spikes of the last layer, which is a tensor "
                                    "layer behind layers that spike, expected decoding: membrane, "
                                    "which reads its sums");
  std::string name = layerBefore(op.getOperand(0)).str();
  rectified.push_back(name);
  if (nextPlan(op.getOperand(0)))
    summary.layers.push_back({name, kTensorAnswer, {1}});
  Signal signal = signals.lookup(value);
  func::ReturnOp::create(builder, op.getLoc(), editor.multiply(value, signal.scale));
  return llvm::Error::success();
}

llvm::Error Converter::checkTensorLayers() const {
  std::vector<std::string> known = rectified;
  func::FuncOp network = ann;
  network.walk([&](func::ReturnOp op) { // the last layer may answer without a rectifier
    std::string last = op.getNumOperands() ? layerBefore(op.getOperand(0)).str() : "";
    if (!last.empty() && !llvm::is_contained(known, last))
      known.push_back(last);
  });
  for (const std::string &layer : options.tensor) {
    if (llvm::is_contained(rectified, layer))
      continue;
    if (llvm::is_contained(known, layer))
      return inputError("conversion", fmt::format("tensor names the last layer, '{}', but none in "
                                                  "front of it spikes, expected one that does",
                                                  layer));
    return inputError("conversion",
                      fmt::format("tensor names '{}', expected layers with a rectifier behind "
                                  "them, or the last one: {}",
                                  layer, fmt::join(known, ", ")));
  }
  return llvm::Error::success();
}

} // namespace spindle
