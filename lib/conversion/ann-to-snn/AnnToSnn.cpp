#include "lib/conversion/ann-to-snn/AnnToSnn.h"

#include "dialects/snn/Location.h"
#include "lib/conversion/ann-to-snn/LinearChain.h"
#include "lib/conversion/ann-to-snn/Normalization.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle {

namespace {

/// Walks the ANN in order and writes the SNN behind it, population by population.
class Converter {
public:
  Converter(func::FuncOp from, func::FuncOp to, const Activations &calibration,
            const ConversionOptions &choices)
      : ann(from), builder(to.getBody()), activations(calibration), options(choices) {}

  llvm::Error run();
  ConversionSummary summary;

private:
  llvm::Error startInput();
  llvm::Error convert(Operation &op);
  llvm::Error convertSynapse(snn::SynapseOp op);
  llvm::Error convertRelu(snn::ReluOp op);
  llvm::Error convertResult(func::ReturnOp op);
  llvm::Error poolIntoPopulation(snn::SynapseOp op);
  llvm::Error closeChain(Location location, std::vector<float> scale);
  Value makePopulation(Location location, StringRef layer, bool spikes);
  void summarize(StringRef layer, StringRef neuron, const std::vector<float> &scale);
  llvm::Expected<const LayerActivations *> nextActivations(Operation *op, Value value);

  func::FuncOp ann;
  OpBuilder builder;
  const Activations &activations;
  const ConversionOptions &options;
  IRMapping values;

  Value signal;                   // the latest value of the spiking network
  std::vector<float> sourceScale; // of the population (or input) the open chain reads, per element
  SmallVector<snn::SynapseOp> chain; // synapses since that population
  StringRef chainLayer;              // name of the last weighted one
  size_t nextLayer = 0;              // of activations
  size_t pools = 0;
};

} // namespace

/// One value per element from one, or one per channel.
static std::vector<float> perElement(const std::vector<float> &scale, Value signal) {
  std::vector<float> result(snn::sizeOf(signal));
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = scale[i / (result.size() / scale.size())];
  return result;
}

llvm::Error Converter::run() {
  SPINDLE_RETURN_IF_ERROR(startInput());
  for (Operation &op : ann.getBody().front()) {
    if (isa<arith::ConstantOp>(op)) {
      builder.clone(op, values);
      continue;
    }
    if (op.getNumResults() == 1 && !op.getResult(0).hasOneUse())
      return inputError(snn::placeOf(op.getLoc()),
                        fmt::format("{} has {} consumers, expected a chain of layers; branches are "
                                    "not supported",
                                    op.getName().getStringRef().str(),
                                    std::distance(op.use_begin(), op.use_end())));
    SPINDLE_RETURN_IF_ERROR(convert(op));
  }
  return llvm::Error::success();
}

llvm::Error Converter::convert(Operation &op) {
  if (auto synapse = dyn_cast<snn::SynapseOp>(op))
    return convertSynapse(synapse);
  if (auto relu = dyn_cast<snn::ReluOp>(op))
    return convertRelu(relu);
  if (auto result = dyn_cast<func::ReturnOp>(op))
    return convertResult(result);
  return inputError(snn::placeOf(op.getLoc()),
                    fmt::format("{} has no spiking counterpart; supported: snn synapses over "
                                "tensors, snn.relu",
                                op.getName().getStringRef().str()));
}

llvm::Error Converter::startInput() {
  signal = builder.getBlock()->getArgument(0);
  float scale = 1;
  if (options.encoding == EncodingChoice::Poisson) {
    if (!(activations.inputMaximum > 0))
      return inputError("", "poisson encoding needs a positive input value in the calibration set");
    scale = activations.inputMaximum;
    auto bundle = snn::SpikeBundleType::get(builder.getContext(), snn::shapeOf(signal));
    signal = snn::EncodeOp::create(builder, ann.getLoc(), bundle, signal, snn::Encoding::Poisson,
                                   scale, builder.getStringAttr("input"));
  }
  values.map(ann.getArgument(0), signal);
  sourceScale.assign(snn::sizeOf(signal), scale);
  return llvm::Error::success();
}

llvm::Error Converter::convertSynapse(snn::SynapseOp op) {
  Operation *clone = builder.clone(*op.getOperation(), values);
  Value source = clone->getOperand(0), target = clone->getResult(0);
  bool isView = isa<snn::ReshapeOp, snn::TransposeOp>(clone);
  target.setType(isView ? snn::withShape(source.getType(), snn::shapeOf(target))
                        : snn::synapseResult(source.getType(), snn::shapeOf(target)));
  signal = target;
  chain.push_back(cast<snn::SynapseOp>(clone));
  if (op.hasWeights())
    chainLayer = snn::layerOf(op);
  if (options.pooling == PoolingChoice::Population && isa<snn::AvgPool2dOp>(clone) &&
      snn::runsInTime(source.getType()) &&
      llvm::none_of(chain, [](snn::SynapseOp link) { return link.hasWeights(); }))
    return poolIntoPopulation(op);
  return llvm::Error::success();
}

/// A pooling of spikes with neurons of its own: windows pass the scale on, so the threshold stays
/// one.
llvm::Error Converter::poolIntoPopulation(snn::SynapseOp op) {
  std::vector<float> scale;
  for (snn::SynapseOp link : chain) {
    snn::LinearMap map = *link.linearMap(0);
    scale.resize(map.outputs);
    for (uint32_t o = 0; o < map.outputs; ++o)
      scale[o] = sourceScale[map.indices[map.offsets[o]]];
    sourceScale = scale;
  }
  chain.clear();
  std::string name = fmt::format("pool{}", ++pools);
  signal = makePopulation(op->getLoc(), name, /*spikes=*/true);
  values.map(op.getTarget(), signal);
  summarize(name, options.neuron == NeuronChoice::IntegrateAndFire ? "if" : "lif", {});
  return llvm::Error::success();
}

/// Ends the open chain at a population whose rate of one stands for `scale`.
llvm::Error Converter::closeChain(Location location, std::vector<float> scale) {
  if (llvm::none_of(chain, [](snn::SynapseOp op) { return op.hasWeights(); })) {
    // Two rectifiers with no weights between them: give the scales a place.
    Value one = snn::makeConstant(builder, location, {snn::sizeOf(signal)},
                                  std::vector<float>(snn::sizeOf(signal), 1));
    auto identity = snn::ScaleOp::create(builder, location,
                                         snn::synapseResult(signal.getType(), snn::shapeOf(signal)),
                                         signal, one, Value(), StringAttr());
    signal = identity.getOutput();
    chain.push_back(cast<snn::SynapseOp>(identity.getOperation()));
  }
  SPINDLE_RETURN_IF_ERROR(rescaleChain(chain, sourceScale, scale));
  chain.clear();
  sourceScale = std::move(scale);
  if (!snn::runsInTime(signal.getType())) {
    auto current = snn::CurrentType::get(builder.getContext(), snn::shapeOf(signal));
    signal = snn::EncodeOp::create(builder, location, current, signal, snn::Encoding::Direct);
  }
  return llvm::Error::success();
}

Value Converter::makePopulation(Location location, StringRef layer, bool spikes) {
  StringAttr name = builder.getStringAttr(layer);
  auto array = [&](double value) {
    return builder.getDenseF32ArrayAttr({static_cast<float>(value)});
  };
  if (!spikes)
    return snn::IntegratorOp::create(builder, location, signal.getType(), signal, array(0), name,
                                     array(1), UnitAttr());
  auto bundle = snn::SpikeBundleType::get(builder.getContext(), snn::shapeOf(signal));
  auto reset = options.reset == ResetChoice::Subtract ? snn::Reset::Subtract : snn::Reset::Zero;
  if (options.neuron == NeuronChoice::IntegrateAndFire)
    return snn::IfOp::create(builder, location, bundle, signal, reset, array(1), array(0),
                             array(options.initialMembrane), builder.getDenseI64ArrayAttr({0}), 1,
                             name, array(1), snn::Discretization::Euler);
  // r = tau: the current enters whole, as with the integrate-and-fire neuron.
  return snn::LifOp::create(builder, location, bundle, signal, reset, array(1), array(0),
                            array(options.initialMembrane), builder.getDenseI64ArrayAttr({0}), 1,
                            name, array(options.tauSteps), array(options.tauSteps), array(0),
                            snn::Discretization::Euler);
}

llvm::Expected<const LayerActivations *> Converter::nextActivations(Operation *op, Value value) {
  if (nextLayer >= activations.layers.size() ||
      ArrayRef(activations.layers[nextLayer].shape) != snn::shapeOf(value))
    return checkError(snn::placeOf(op->getLoc()),
                      "the calibration activations do not belong to this "
                      "network");
  return &activations.layers[nextLayer++];
}

llvm::Error Converter::convertRelu(snn::ReluOp op) {
  SPINDLE_ASSIGN(const LayerActivations *found, nextActivations(op, op.getOutput()));
  std::vector<float> scale = activationScales(*found, options, options.perChannel);
  StringRef name = snn::layerOf(op).empty() ? chainLayer : snn::layerOf(op);
  SPINDLE_RETURN_IF_ERROR(closeChain(op.getLoc(), perElement(scale, op.getOutput())));
  signal = makePopulation(op.getLoc(), name, /*spikes=*/true);
  values.map(op.getOutput(), signal);
  summarize(name, options.neuron == NeuronChoice::IntegrateAndFire ? "if" : "lif", scale);
  return llvm::Error::success();
}

llvm::Error Converter::convertResult(func::ReturnOp op) {
  if (chain.empty() && options.decoding == DecodingChoice::Membrane)
    return inputError(snn::placeOf(op.getLoc()),
                      "the network ends in a rectifier; set conversion.decoding: count");
  bool counts = options.decoding == DecodingChoice::Count;
  if (!chain.empty()) {
    SPINDLE_ASSIGN(const LayerActivations *found, nextActivations(op, op.getOperand(0)));
    // Answers are compared with each other: one scale for all of them.
    std::vector<float> scale{1};
    if (counts)
      scale = activationScales(*found, options, /*perChannel=*/false);
    SPINDLE_RETURN_IF_ERROR(closeChain(op.getLoc(), perElement(scale, op.getOperand(0))));
    signal = makePopulation(op.getLoc(), chainLayer, counts);
    summarize(chainLayer, counts ? "if" : "integrator", scale);
  }
  auto type = RankedTensorType::get(snn::shapeOf(signal), builder.getF32Type());
  Value answer = snn::DecodeOp::create(builder, op.getLoc(), type, signal,
                                       counts ? snn::Decoding::Count : snn::Decoding::Membrane);
  func::ReturnOp::create(builder, op.getLoc(), answer);
  return llvm::Error::success();
}

void Converter::summarize(StringRef name, StringRef neuron, const std::vector<float> &scale) {
  summary.layers.push_back({name.str(), neuron.str(), {scale.begin(), scale.end()}});
}

llvm::Expected<SpikingNetwork> convertAnnToSnn(ModuleOp ann, const Activations &activations,
                                               const ConversionOptions &options) {
  auto function = ann.lookupSymbol<func::FuncOp>("main");
  if (!function || function.getNumArguments() != 1 || function.getNumResults() != 1)
    return inputError(snn::placeOf(ann.getLoc()),
                      "expected a function @main with one input and one result");
  SpikingNetwork network{ModuleOp::create(ann.getLoc()), {}};
  OpBuilder builder(network.module->getBodyRegion());
  auto spiking =
      func::FuncOp::create(builder, function.getLoc(), "main", function.getFunctionType());
  spiking.addEntryBlock();

  Converter converter(function, spiking, activations, options);
  SPINDLE_RETURN_IF_ERROR(converter.run());
  spiking.walk([](arith::ConstantOp weights) {
    if (weights->use_empty()) // replaced by rescaled ones
      weights.erase();
  });
  if (failed(verify(*network.module)))
    return checkError("", "the converted network does not verify");
  network.summary = std::move(converter.summary);
  network.summary.method = options.method == NormalizationMethod::Percentile ? "percentile" : "max";
  network.summary.percentile = options.percentile;
  network.summary.calibrationSamples = activations.samples;
  return network;
}

} // namespace spindle
