#include "lib/frontend/network/NetworkBuilder.h"

#include "dialects/location/Location.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;

namespace spindle::network {

NetworkBuilder::NetworkBuilder(MLIRContext &context, const Description &network,
                               const Order &populations)
    : description(network), order(populations), location(UnknownLoc::get(&context)),
      module(ModuleOp::create(location)), builder(&context), signals(network.populations.size()) {
  (*module)->setAttr("snn.dt_ms", builder.getF64FloatAttr(network.dtMs));
  std::optional<size_t> samples = network.samples();
  std::vector<int64_t> shape{1}; // nothing reads the input of a network that drives itself
  if (samples)
    shape = network.populations[*samples].shape;
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  builder.setInsertionPointToEnd(module->getBody());
  function = func::FuncOp::create(builder, location, "main", builder.getFunctionType(type, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
}

Value NetworkBuilder::make(llvm::StringRef name, ValueRange operands, Type result,
                           llvm::StringRef layer, llvm::ArrayRef<NamedAttribute> attributes) {
  OperationState state(location, ("snn." + name).str(), operands, result, attributes);
  if (!layer.empty())
    state.addAttribute("layer", builder.getStringAttr(layer));
  return builder.create(state)->getResult(0);
}

Value NetworkBuilder::constant(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<float> values) {
  return snn::makeConstant(builder, location, shape, values);
}

Type NetworkBuilder::spikes(llvm::ArrayRef<int64_t> shape) {
  return snn::SpikeBundleType::get(builder.getContext(), shape);
}

Type NetworkBuilder::current(llvm::ArrayRef<int64_t> shape) {
  return snn::CurrentType::get(builder.getContext(), shape);
}

/// One value per neuron, where there may be one for all or one per channel.
static std::vector<float> spread(const std::vector<float> &values, size_t size) {
  std::vector<float> result(size);
  for (size_t n = 0; n < size; ++n)
    result[n] = values[n * values.size() / size];
  return result;
}

/// An activation that does not depend on the sample: the biases of synapses that do not exist.
Value NetworkBuilder::activation(llvm::ArrayRef<int64_t> shape, const std::vector<float> &values) {
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  int64_t size = type.getNumElements();
  std::vector<int64_t> offsets(static_cast<size_t>(size) + 1, 0);
  Value none = constant({0}, {}),
        bias = constant({size}, spread(values, static_cast<size_t>(size)));
  return make("sparse", {function.getArgument(0), none, bias}, type, "",
              {attribute("offsets", builder.getDenseI64ArrayAttr(offsets)),
               attribute("indices", builder.getDenseI32ArrayAttr({}))});
}

Value NetworkBuilder::encode(Value activation, snn::Encoding encoding, llvm::StringRef layer,
                             llvm::ArrayRef<NamedAttribute> attributes) {
  llvm::ArrayRef<int64_t> shape = snn::shapeOf(activation);
  SmallVector<NamedAttribute> all(attributes);
  all.push_back(attribute("encoding", snn::EncodingAttr::get(builder.getContext(), encoding)));
  return make("encode", activation,
              encoding == snn::Encoding::Direct ? current(shape) : spikes(shape), layer, all);
}

Value NetworkBuilder::makeSource(const Population &population, const SampleSource &source) {
  SmallVector<NamedAttribute> attributes{
      attribute("maximum", builder.getF32FloatAttr(static_cast<float>(source.maximum)))};
  if (source.encoding == InputEncoding::Latency)
    attributes.push_back(attribute("steps", builder.getI64IntegerAttr(source.window)));
  return encode(function.getArgument(0), snn::encodingOf(source.encoding), population.name,
                attributes);
}

Value NetworkBuilder::makeSource(const Population &population, const PoissonSource &source) {
  return encode(activation(population.shape, source.probability), snn::Encoding::Poisson,
                population.name);
}

/// Each listed spike is an element of a latency code, whose spike the neuron it belongs to repeats
/// in the same step.
Value NetworkBuilder::makeSource(const Population &population, const SpikeSource &source) {
  auto count = static_cast<int64_t>(source.steps.size());
  if (count == 0)
    return encode(activation(population.shape, {0}), snn::Encoding::Poisson, population.name);
  int64_t window = *std::max_element(source.steps.begin(), source.steps.end()) + 1;
  std::vector<float> values;
  for (int64_t step : source.steps)
    values.push_back(float(window - step) / float(window));
  Value times =
      encode(activation({count}, values), snn::Encoding::Latency, timesOf(population.name),
             attribute("steps", builder.getI64IntegerAttr(window)));
  times.getDefiningOp()->setLoc(locationOf(*builder.getContext(), source.place));
  Pairs pairs{{}, source.neurons};
  for (int64_t k = 0; k < count; ++k)
    pairs.sources.push_back(k);
  Rows rows = connect(pairs, {{0, count}, {0, population.size()}, population.size()}, 0, "");
  Value kicks = make("sparse", {times, constant({count}, std::vector<float>(size_t(count), 1))},
                     current(population.shape), "",
                     {attribute("offsets", builder.getDenseI64ArrayAttr(rows.offsets)),
                      attribute("indices", builder.getDenseI32ArrayAttr(rows.sources))});
  return make("if", kicks, spikes(population.shape), population.name,
              {attribute("reset", snn::ResetAttr::get(builder.getContext(), snn::Reset::Zero)),
               attribute("threshold", builder.getDenseF32ArrayAttr({0.5f}))});
}

Value NetworkBuilder::makeNeurons(const Population &population, const Neurons &neurons,
                                  ValueRange currents) {
  SmallVector<NamedAttribute> attributes;
  for (const auto &[name, values] : neurons.parameters)
    attributes.push_back(attribute(name, builder.getDenseF32ArrayAttr(values)));
  MLIRContext *context = builder.getContext();
  if (neurons.kind != "integrator" && neurons.kind != "coba_lif")
    attributes.push_back(
        attribute("discretization", snn::DiscretizationAttr::get(context, neurons.discretization)));
  if (neurons.spikes) {
    auto reset = neurons.resetBySubtraction ? snn::Reset::Subtract : snn::Reset::Zero;
    attributes.append({attribute("reset", snn::ResetAttr::get(context, reset)),
                       attribute("refractory", builder.getDenseI64ArrayAttr(neurons.refractory)),
                       attribute("max_spikes", builder.getI64IntegerAttr(neurons.maxSpikes))});
  }
  return make(neurons.kind, currents,
              neurons.spikes ? spikes(population.shape) : current(population.shape),
              population.name, attributes);
}

llvm::Expected<Value> NetworkBuilder::make(size_t index) {
  const Population &population = description.populations[index];
  const Neurons *neurons = population.neurons();
  if (auto *samples = std::get_if<SampleSource>(&population.contents))
    return makeSource(population, *samples);
  if (auto *poisson = std::get_if<PoissonSource>(&population.contents))
    return makeSource(population, *poisson);
  if (!neurons)
    return makeSource(population, std::get<SpikeSource>(population.contents));
  SmallVector<Value> currents;
  for (int receptor = 0; receptor < neurons->receptors; ++receptor) {
    SPINDLE_ASSIGN(Value received, receive(index, receptor, neurons->current));
    currents.push_back(received);
  }
  return makeNeurons(population, *neurons, currents);
}

/// The last population that spikes, or the last one: something to read where nothing answers.
size_t NetworkBuilder::lastSpiking() {
  for (size_t population : llvm::reverse(order.populations))
    if (isa<snn::SpikeBundleType>(signals[population].getType()))
      return population;
  return order.populations.back();
}

/// Spikes of the population that answers are counted, its membranes read. Without one, the answer
/// is a current that nothing drives, since a network has an answer.
Value NetworkBuilder::answer() {
  Value signal = description.output ? signals[*description.output] : Value();
  if (!signal)
    signal = make("sparse", {signals[lastSpiking()], constant({0}, {})}, current({1}), "",
                  {attribute("offsets", builder.getDenseI64ArrayAttr({0, 0})),
                   attribute("indices", builder.getDenseI32ArrayAttr({}))});
  auto decoding =
      isa<snn::SpikeBundleType>(signal.getType()) ? snn::Decoding::Count : snn::Decoding::Membrane;
  auto type = RankedTensorType::get(snn::shapeOf(signal), builder.getF32Type());
  Value result =
      make("decode", signal, type, "",
           attribute("decoding", snn::DecodingAttr::get(builder.getContext(), decoding)));
  if (type.getRank() != 1)
    result = make("reshape", result,
                  RankedTensorType::get(type.getNumElements(), builder.getF32Type()), "");
  return result;
}

llvm::Expected<OwningOpRef<ModuleOp>> NetworkBuilder::run() {
  for (size_t population : order.populations) {
    SPINDLE_ASSIGN(signals[population], make(population));
  }
  Value result = answer();
  func::ReturnOp::create(builder, location, result);
  function.setType(builder.getFunctionType(function.getArgumentTypes(), result.getType()));
  return std::move(module);
}

} // namespace spindle::network
