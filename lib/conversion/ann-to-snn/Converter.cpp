#include "lib/conversion/ann-to-snn/Converter.h"

#include "dialects/location/Location.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle {

Converter::Converter(func::FuncOp from, func::FuncOp to, const ConversionPlan &decided,
                     const ConversionOptions &choices)
    : ann(from), builder(to.getBody()), plan(decided), options(choices) {}

/// One value per element from one, or one per channel.
static std::vector<float> perElement(const std::vector<float> &scale, Value signal) {
  std::vector<float> result(snn::sizeOf(signal));
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = scale[i / (result.size() / scale.size())];
  return result;
}

llvm::Error Converter::run() {
  if (temporal()) {
    window = options.steps / windows();
    if (window < 1)
      return inputError("conversion",
                        fmt::format("emulation.steps is {}, expected at least {}, one for each "
                                    "layer that spikes",
                                    options.steps, windows()));
  }
  endsInTensors = answersByTensors();
  SPINDLE_RETURN_IF_ERROR(startInput());
  for (Operation &op : ann.getBody().front()) {
    if (isa<arith::ConstantOp>(op))
      builder.clone(op, values);
    else
      SPINDLE_RETURN_IF_ERROR(convert(op));
  }
  return checkTensorLayers();
}

int64_t Converter::windows() {
  llvm::DenseMap<Value, int64_t> depth;
  int64_t deepest = 1; // the encoder's
  for (Operation &op : ann.getBody().front())
    for (Value result : op.getResults()) {
      int64_t &here = depth[result];
      here = 1;
      for (Value operand : op.getOperands())
        here = std::max(here, depth.lookup(operand));
      here += isa<snn::ReluOp>(op);
      deepest = std::max(deepest, here);
    }
  return deepest;
}

llvm::Error Converter::convert(Operation &op) {
  SPINDLE_RETURN_IF_ERROR(convertOne(op));
  bool isLate = llvm::any_of(op.getOperands(), [&](Value operand) {
    Value source = values.lookupOrNull(operand);
    return late.contains(operand) || (source && snn::runsInTime(source.getType()));
  });
  for (Value result : op.getResults())
    if (isLate && !snn::runsInTime(values.lookup(result).getType()))
      late.insert(result);
  return llvm::Error::success();
}

llvm::Error Converter::convertOne(Operation &op) {
  if (auto synapse = dyn_cast<snn::SynapseOp>(op))
    return convertSynapse(synapse);
  if (auto pool = dyn_cast<snn::MaxPool2dOp>(op))
    return convertMaxPool(pool);
  if (auto relu = dyn_cast<snn::ReluOp>(op))
    return convertRelu(relu);
  if (auto result = dyn_cast<func::ReturnOp>(op))
    return convertResult(result);
  return inputError(placeOf(op.getLoc()),
                    fmt::format("{} has no spiking counterpart; supported: snn synapses over "
                                "tensors, snn.max_pool2d, snn.relu",
                                op.getName().getStringRef().str()));
}

void Converter::define(Value annValue, Value value, Signal signal) {
  values.map(annValue, value);
  if (!annValue.hasOneUse())
    shared.insert(value);
  signals[value] = std::move(signal);
}

llvm::Error Converter::startInput() {
  Value input = builder.getBlock()->getArgument(0);
  Signal signal{ones(input), std::vector<float>(snn::sizeOf(input), 0), 0};
  if (options.encoding == InputEncoding::Direct && !temporal()) {
    define(ann.getArgument(0), input, std::move(signal));
    return llvm::Error::success();
  }
  if (!(plan.inputMaximum > 0))
    return inputError(
        "conversion",
        "encoding by spikes needs a positive input value in the calibration set, found none; "
        "check scale, mean and std of the dataset, or choose encoding: direct");
  snn::Encoding encoding = snn::Encoding::Poisson;
  IntegerAttr steps;
  if (temporal()) {
    encoding = snn::Encoding::Latency;
    steps = builder.getI64IntegerAttr(window);
    signal.depth = 1;
  } else if (options.encoding == InputEncoding::Regular) {
    encoding = snn::Encoding::Regular;
  }
  auto bundle = snn::SpikeBundleType::get(builder.getContext(), snn::shapeOf(input));
  Value spikes = snn::EncodeOp::create(builder, ann.getLoc(), bundle, input, encoding,
                                       llvm::APFloat(plan.inputMaximum), steps,
                                       builder.getStringAttr("input"));
  signal.scale.assign(snn::sizeOf(input), plan.inputMaximum);
  // A temporal code of window steps says a value of one by spiking that many steps before its end.
  if (temporal())
    for (float &scale : signal.scale)
      scale /= static_cast<float>(window);
  define(ann.getArgument(0), spikes, std::move(signal));
  return llvm::Error::success();
}

Value Converter::direct(Value activation) {
  auto current = snn::CurrentType::get(builder.getContext(), snn::shapeOf(activation));
  return snn::EncodeOp::create(builder, activation.getLoc(), current, activation,
                               snn::Encoding::Direct);
}

/// Turns a source into activations (scale one) by an operation of its own.
void Converter::makePlain(OpOperand &source) {
  Signal signal = signals.lookup(source.get());
  Value plain = editor.multiply(source.get(), signal.scale);
  signal.scale = ones(plain);
  signals[plain] = std::move(signal);
  source.set(plain);
}

/// Sources of one operation: all on the host or all in time, and equally late.
llvm::Error Converter::alignSources(Operation *clone) {
  unsigned count = cast<snn::SynapseOp>(clone).getSources().size();
  bool inTime = false;
  for (unsigned s = 0; s < count; ++s)
    inTime |= snn::runsInTime(clone->getOperand(s).getType());
  for (unsigned s = 0; s < count; ++s) {
    Value source = clone->getOperand(s);
    const Signal &signal = signals[source];
    if (temporal() && signal.depth != signals[clone->getOperand(0)].depth)
      return inputError(placeOf(clone->getLoc()),
                        fmt::format("{} joins signals of different depth, which first_spike cannot "
                                    "time; choose another conversion.method",
                                    clone->getName().getStringRef().str()));
    if (inTime && !snn::runsInTime(source.getType())) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(clone);
      Value current = direct(source);
      signals[current] = Signal(signal);
      clone->setOperand(s, current);
    }
  }
  return llvm::Error::success();
}

/// Decides the scale of what `clone` makes; weights take the scales of their inputs.
llvm::Expected<Converter::Signal> Converter::passOn(snn::SynapseOp clone) {
  Value target = clone.getTarget();
  SmallVector<Value> sources = clone.getSources();
  Signal result{ones(target), {}, signals[sources[0]].depth};
  if (clone.hasWeights()) {
    if (failed(clone.rescale(signals[sources[0]].scale, result.scale)))
      makePlain(clone->getOpOperand(0));
    return result;
  }
  std::vector<float> scale(snn::sizeOf(target), 0);
  bool agree = true;
  for (unsigned s = 0; s < sources.size() && agree; ++s) {
    std::optional<std::vector<float>> part = passForward(clone, s, signals[sources[s]].scale);
    agree = part.has_value();
    for (size_t n = 0; agree && n < scale.size(); ++n) {
      // Zero: no element of this source comes here. Scales are positive.
      agree = scale[n] == 0 || (*part)[n] == 0 || scale[n] == (*part)[n];
      scale[n] = std::max(scale[n], (*part)[n]);
    }
  }
  for (float &each : scale)
    each = each == 0 ? 1 : each;
  if (agree) {
    result.scale = std::move(scale);
    return result;
  }
  for (unsigned s = 0; s < sources.size(); ++s)
    makePlain(clone->getOpOperand(s));
  return result;
}

/// Under first_spike currents stay on, so that a bias in every step would count many times: it is
/// taken out of the operation and kept for the membrane.
void Converter::takeConstants(snn::SynapseOp clone, Signal &signal) {
  signal.constant.assign(snn::sizeOf(clone.getTarget()), 0);
  if (!temporal())
    return;
  SmallVector<Value> sources = clone.getSources();
  for (unsigned s = 0; s < sources.size(); ++s) {
    snn::LinearMap map = *clone.linearMap(s);
    const std::vector<float> &from = signals[sources[s]].constant;
    for (uint32_t o = 0; o < map.outputs; ++o) {
      double sum = map.bias[o];
      for (uint64_t k = map.offsets[o]; k < map.offsets[o + 1]; ++k)
        sum += double(map.weights[k]) * from[map.indices[k]];
      signal.constant[o] += static_cast<float>(sum);
    }
  }
  if (clone.hasWeights() && clone->getNumOperands() == 3)
    clone->eraseOperand(2);
}

llvm::Error Converter::convertSynapse(snn::SynapseOp op) {
  auto clone = cast<snn::SynapseOp>(builder.clone(*op.getOperation(), values));
  if (leadsToTensors(op.getTarget()))
    SPINDLE_RETURN_IF_ERROR(countSources(clone));
  SPINDLE_RETURN_IF_ERROR(alignSources(clone));
  if (clone.hasWeights() && snn::runsInTime(clone->getOperand(0).getType()))
    sourceScales[snn::layerOf(clone).str()] = signals[clone->getOperand(0)].scale;
  SPINDLE_ASSIGN(Signal signal, passOn(clone));
  takeConstants(clone, signal);
  Value target = clone.getTarget();
  bool keepsKind = isa<snn::ReshapeOp, snn::TransposeOp, snn::ConcatOp>(clone);
  for (Value source : clone.getSources())
    keepsKind &= source.getType().getTypeID() == clone.getSources()[0].getType().getTypeID();
  Type kind = clone.getSources()[0].getType();
  target.setType(keepsKind ? snn::withShape(kind, snn::shapeOf(target))
                           : snn::synapseResult(kind, snn::shapeOf(target)));
  bool ofSpikes = isa<snn::SpikeBundleType>(kind) && !temporal();
  if (options.pooling == PoolingChoice::Population && ofSpikes &&
      isa<snn::AvgPool2dOp, snn::SumPool2dOp>(clone))
    target = poolIntoPopulation(clone, signal);
  define(op.getTarget(), target, std::move(signal));
  return llvm::Error::success();
}

llvm::Error Converter::convertMaxPool(snn::MaxPool2dOp op) {
  Value source = values.lookup(op.getInput());
  if (snn::runsInTime(source.getType()) && leadsToTensors(op.getOutput())) {
    SPINDLE_ASSIGN(source, counted(source, op));
  }
  Type kind = source.getType();
  if (isa<snn::CurrentType>(kind))
    return inputError(placeOf(op.getLoc()),
                      "snn.max_pool2d reads sums that no rectifier follows, expected spikes: a "
                      "rectifier before the pooling");
  auto clone = cast<snn::MaxPool2dOp>(builder.clone(*op.getOperation(), values));
  clone->setOperand(0, source);
  clone.getOutput().setType(snn::withShape(kind, snn::shapeOf(op.getOutput())));
  snn::LinearMap windows = clone.windows();
  const std::vector<float> &scale = signals[source].scale;
  Signal signal{std::vector<float>(windows.outputs), std::vector<float>(windows.outputs, 0),
                signals[source].depth};
  for (uint32_t o = 0; o < windows.outputs; ++o) {
    signal.scale[o] = scale[windows.indices[windows.offsets[o]]];
    for (uint64_t k = windows.offsets[o]; k < windows.offsets[o + 1]; ++k)
      if (scale[windows.indices[k]] != signal.scale[o])
        return inputError(placeOf(op.getLoc()),
                          "snn.max_pool2d compares neurons of different scale; set "
                          "conversion.per_channel: false");
  }
  define(op.getOutput(), clone.getOutput(), std::move(signal));
  return llvm::Error::success();
}

Value Converter::finish(Value value, Signal &signal, const std::vector<float> &scale,
                        const std::vector<float> &shift) {
  size_t size = snn::sizeOf(value);
  std::vector<float> factor(size), added(size);
  for (size_t n = 0; n < size; ++n) {
    factor[n] = signal.scale[n] / scale[n];
    added[n] = shift[n] / scale[n];
    signal.constant[n] *= factor[n];
  }
  if (isa<snn::SpikeBundleType>(value.getType())) // a population reads current
    value = makeScale(value, factor, added);
  else
    value = editor.add(editor.multiply(value, factor), added);
  signal.scale = scale;
  return snn::runsInTime(value.getType()) ? value : direct(value);
}

StringRef Converter::layerBefore(Value value) const {
  while (Operation *op = value.getDefiningOp()) {
    if (StringRef name = snn::layerOf(op); !name.empty() && !isa<snn::AvgPool2dOp>(op))
      return name;
    if (op->getNumOperands() == 0)
      break;
    value = op->getOperand(0);
  }
  return "";
}

const LayerPlan *Converter::nextPlan(Value value) {
  if (nextLayer >= plan.layers.size() ||
      ArrayRef(plan.layers[nextLayer].shape) != snn::shapeOf(value))
    return nullptr;
  return &plan.layers[nextLayer++];
}

static llvm::Error foreignPlan(Operation *op) {
  return checkError(placeOf(op->getLoc()),
                    "the calibration activations do not belong to this network");
}

llvm::Error Converter::convertRelu(snn::ReluOp op) {
  const LayerPlan *layer = nextPlan(op.getOutput());
  if (!layer)
    return foreignPlan(op);
  Value value = values.lookup(op.getInput());
  Signal signal = signals.lookup(value);
  StringRef name = nameOf(op);
  rectified.push_back(name.str());
  if (options.staysTensor(name))
    return keepRelu(op, *layer, name);
  if (late.contains(op.getInput()))
    return inputError(placeOf(op.getLoc()),
                      fmt::format("layer '{}' spikes behind tensor layers that read spikes, "
                                  "expected it in conversion.tensor, too",
                                  name.str()));
  if (isa<snn::SpikeBundleType>(value.getType()) && !op.getMaximum()) {
    define(op.getOutput(), value, std::move(signal)); // spikes are not negative
    return llvm::Error::success();
  }
  LayerPlan chosen = *layer;
  if (op.getMaximum())
    for (float &scale : chosen.scale) {
      float maximum = op.getMaximum()->convertToFloat();
      scale = op.getLevels() ? maximum : std::min(scale, maximum);
    }
  std::vector<float> scale = perElement(chosen.scale, value);
  if (temporal()) // a full window of steps stands for the scale
    for (float &each : scale)
      each /= static_cast<float>(window);
  value = finish(value, signal, scale, perElement(chosen.shift, value));
  Value spikes = spiking(value, signal, chosen, name);
  signal.constant.assign(signal.constant.size(), 0);
  ++signal.depth;
  summary.layers.push_back({name.str(),
                            temporal()                                         ? "first_spike"
                            : options.neuron == NeuronChoice::IntegrateAndFire ? "if"
                                                                               : "lif",
                            {chosen.scale.begin(), chosen.scale.end()}});
  define(op.getOutput(), spikes, std::move(signal));
  return llvm::Error::success();
}

} // namespace spindle
