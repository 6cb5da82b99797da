#include "lib/conversion/snn-to-loops/events/EventNetwork.h"

#include "dialects/snn/Answers.h"
#include "lib/conversion/snn-to-loops/LayerNames.h"
#include "lib/conversion/snn-to-loops/events/MaxPool.h"
#include "lib/conversion/snn-to-loops/events/Synapses.h"
#include "lib/conversion/snn-to-loops/events/encoders/DirectLayer.h"
#include "lib/conversion/snn-to-loops/layers/Layers.h"
#include "lib/conversion/snn-to-loops/tensor/TensorChain.h"

#include "fmt/format.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <set>

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

class EventWalk {
public:
  EventWalk(func::FuncOp network, const CircuitOptions &options)
      : function(network), program(*network.getContext(), options),
        names(network.getBody().front()) {}

  llvm::Expected<LoopProgram> run() {
    if (program.options.isCentralised())
      program.enterSamples();
    for (Operation &op : function.getBody().front().without_terminator())
      SPINDLE_RETURN_IF_ERROR(visit(&op));
    SPINDLE_RETURN_IF_ERROR(names.check(program.options));
    return program.take();
  }

private:
  llvm::Error visit(Operation *op) {
    if (!isa_and_nonnull<snn::SnnDialect>(op->getDialect()) || isHosts(op) || behind.contains(op))
      return llvm::Error::success();
    if (auto reshape = dyn_cast<snn::ReshapeOp>(op)) {
      spikes[reshape.getOutput()] = spikes.lookup(reshape.getInput());
      return llvm::Error::success();
    }
    if (isa<snn::DenseOp, snn::Conv2dOp, snn::SumPool2dOp, snn::MaxPool2dOp>(op))
      return llvm::Error::success(); // with its population
    if (auto encode = dyn_cast<snn::EncodeOp>(op))
      return takeInput(encode);
    if (isa<snn::FixedLifOp, snn::FixedCubaLifOp, snn::FixedLiOp>(op))
      return emitLayer(cast<snn::NeuronOp>(op));
    if (auto decode = dyn_cast<snn::DecodeOp>(op)) {
      if (!snn::isAnswer(decode))
        return emitTensors(decode);
      if (decode.getDecoding() == snn::Decoding::Membrane)
        return checkReadout(decode);
      SPINDLE_ASSIGN(SpikeStreams source, sourceOf(op, decode.getInput()));
      const std::string &layer = names.ofPopulation(behindViews(decode.getInput()).getDefiningOp());
      return emitEventAnswer(program, decode, source, layer, recorded.contains(decode.getInput()));
    }
    return layerError(op,
                      fmt::format("is {}, which has no form in events, expected dense "
                                  "layers, convolutions, sums and maxima of windows (style clock "
                                  "has more)",
                                  op->getName().getStringRef().str()));
  }

  llvm::Error takeInput(snn::EncodeOp op) {
    if (op.getEncoding() == snn::Encoding::Direct && program.options.encodes)
      return layerError(op, "hands the input on directly, of which encoder: circuit makes no "
                            "spikes, expected encoder: host, or a tensor kernel (as: tensor) that "
                            "takes pixels");
    if (op.getEncoding() == snn::Encoding::Direct)
      return llvm::Error::success(); // with its population
    if (program.options.encodes)
      return encode(op);
    const std::string &name = names.ofPopulation(op);
    SpikeWords layout = SpikeWords::ofInputs(snn::sizeOf(op.getOutput()));
    spikes[op.getOutput()] = snn_to_loops::takeInput(program, name, layout);
    return llvm::Error::success();
  }

  /// From pixels.
  llvm::Error encode(snn::EncodeOp op) {
    HardwareLayer layer;
    layer.name = names.ofPopulation(op);
    layer.style = LayerStyle::Event;
    layer.neurons = snn::sizeOf(op.getOutput());
    layer.lanes = names.optionsOf(layer.name, layer.neurons, program.options).lanes;
    SPINDLE_ASSIGN(spikes[op.getOutput()], emitEncoder(program, op, layer));
    program.work[layer.name].perSample =
        double(program.options.steps * spikes[op.getOutput()].layout.words());
    program.layers.push_back(std::move(layer));
    return llvm::Error::success();
  }

  /// All between counted spikes and the answer.
  llvm::Error emitTensors(snn::DecodeOp decode) {
    if (decode.getDecoding() != snn::Decoding::Count)
      return layerError(decode, "reads what layers behind it go on with, expected counted spikes");
    for (Operation *op = decode->getNextNode(); op; op = op->getNextNode())
      behind.insert(op);
    SPINDLE_ASSIGN(SpikeStreams source, sourceOf(decode, decode.getInput()));
    return emitTensorAnswer(program, names, decode, source,
                            names.ofPopulation(behindViews(decode.getInput()).getDefiningOp()));
  }

  /// The answer is put out with the membranes.
  llvm::Error checkReadout(snn::DecodeOp op) {
    if (op.getInput().getDefiningOp<snn::FixedLiOp>())
      return llvm::Error::success();
    return layerError(op, "reads currents, expected the membranes of snn.fixed_li (style event)");
  }

  /// Tokens go to one reader.
  llvm::Expected<SpikeStreams> sourceOf(Operation *op, Value signal) {
    auto known = spikes.find(signal);
    if (known == spikes.end() || known->second.words.empty())
      return layerError(op, "reads a signal that has no form in events");
    SpikeStreams found = known->second;
    if (!taken.insert(found.words.front().getAsOpaquePointer()).second)
      return layerError(op, "reads spikes that another layer reads, too: style event expects a "
                            "chain of layers");
    return found;
  }

  /// What the neurons of a population add up.
  struct Layer {
    Operation *synapses = nullptr;
    std::function<int64_t(int64_t)> inputOf = [](int64_t element) { return element; };
    int64_t most = 1;                     // that an input counts for in a step
    SmallVector<snn::MaxPool2dOp> maxima; // the spikes go through them, the last one first
    Value spikes;
  };

  /// Sums of windows in front of weights are numbers of events: each element is in one window.
  llvm::Expected<Layer> layerOf(snn::NeuronOp population) {
    Layer layer;
    layer.synapses = behindViews(population.getSources()[0]).getDefiningOp();
    if (!isa_and_nonnull<snn::DenseOp, snn::Conv2dOp, snn::SumPool2dOp>(layer.synapses) ||
        !layer.synapses->hasOneUse())
      return layerError(population, "takes up currents that are not those of one snn.dense, "
                                    "snn.conv2d or snn.sum_pool2d, which have no form in events "
                                    "(style clock has more)");
    layer.spikes = behindViews(layer.synapses->getOperand(0));
    SPINDLE_RETURN_IF_ERROR(takeSums(layer));
    while (auto pool = layer.spikes.getDefiningOp<snn::MaxPool2dOp>()) {
      SPINDLE_RETURN_IF_ERROR(checkMaxima(pool));
      layer.maxima.push_back(pool);
      layer.spikes = behindViews(pool.getInput());
    }
    return layer;
  }

  static Value behindViews(Value signal) {
    while (auto reshape = signal.getDefiningOp<snn::ReshapeOp>())
      signal = reshape.getInput();
    return signal;
  }

  llvm::Error checkMaxima(snn::MaxPool2dOp pool) {
    constexpr int64_t kMostChannels = 63; // of a word, beside the mark
    if (!pool->hasOneUse())
      return layerError(pool, "has several readers, expected one layer of weights behind it (style "
                              "event)");
    if (!isa<snn::SpikeBundleType>(pool.getInput().getType()))
      return layerError(pool, "takes the maximum of currents, expected spikes");
    if (int64_t channels = snn::shapeOf(pool.getOutput())[0]; channels > kMostChannels)
      return layerError(pool, fmt::format("has {} channels, expected at most {} (style event)",
                                          channels, kMostChannels));
    return llvm::Error::success();
  }

  llvm::Error takeSums(Layer &layer) {
    while (auto pool = layer.spikes.getDefiningOp<snn::SumPool2dOp>()) {
      if (!sharesNothing(pool) || !pool->hasOneUse())
        return layerError(pool, "has windows that overlap, or several readers, expected windows "
                                "apart and one layer of weights behind them (style event)");
      SPINDLE_ASSIGN(int64_t inWindow, mostOfSums(cast<snn::SynapseOp>(pool.getOperation()), {1}));
      layer.most *= inWindow;
      layer.inputOf = [pool, further = layer.inputOf](int64_t element) {
        int64_t window = windowOf(pool, element);
        return window < 0 ? window : further(window);
      };
      layer.spikes = behindViews(pool.getInput());
    }
    return llvm::Error::success();
  }

  /// The numbers of the spikes that the synapses take: through the maxima, if there are any.
  llvm::Expected<Value> eventsFor(const Layer &made, const std::string &layer,
                                  const SpikeStreams &source, const EventNumbers &numbers) {
    Location location = made.synapses->getLoc();
    if (made.maxima.empty())
      return emitEvents(program, location, layer, source, numbers);
    std::vector<EventSource> sources; // of each pooling, the first one first
    SpikeWords words = source.layout;
    auto pools = llvm::to_vector(llvm::reverse(made.maxima));
    for (snn::MaxPool2dOp pool : pools) {
      sources.push_back(snn_to_loops::sourceOf(pool, words));
      words = wordsOf(pool);
    }
    std::string first = names.of(pools.front()), name = first;
    Value events = emitEvents(program, location, first, source, sources.front().numbers);
    for (auto [n, pool] : llvm::enumerate(pools)) {
      bool isLast = n + 1 == pools.size();
      SPINDLE_ASSIGN(events, emitMaxPool(program, pool, name, sources[n], events,
                                         isLast ? numbers : sources[n + 1].numbers));
      MaxPoolTurns turns = turnsOf(pool);
      LayerWork &work = program.work[name];
      work.from = names.ofPopulation(made.spikes.getDefiningOp());
      work.perEvent = double(turns.perEvent); // of all spikes; fewer reach a second pooling
      work.perSample = double(turns.perSample + program.options.steps);
      if (n == 0 && !source.isNumbered)
        work.words = double(program.options.steps * source.layout.words());
      if (!isLast)
        name = names.of(pools[n + 1]);
    }
    return events;
  }

  llvm::Expected<HardwareLayer> describe(snn::NeuronOp population, Operation *synapses) {
    HardwareLayer layer;
    layer.name = names.ofPopulation(population);
    layer.style = LayerStyle::Event;
    layer.neurons = snn::sizeOf(population->getResult(0));
    LayerOptions options = names.optionsOf(layer.name, layer.neurons, program.options);
    if (options.style != LayerStyle::Event)
      return layerError(population, "has style clock beside layers of style event, expected one "
                                    "style for all layers");
    layer.kind = options.kind;
    layer.inputs = options.inputs;
    bool isDirect = isa<snn::EncodeOp>(synapses);
    if (layer.kind == LayerKind::Tensor && !isDirect)
      return layerError(population, "is to be a tensor kernel (as: tensor), but takes spikes, "
                                    "expected pixels: the first layer of weights, encoded directly "
                                    "(emulation.encoding: direct)");
    if (options.inputs != 1 && layer.kind != LayerKind::Tensor)
      return layerError(population,
                        fmt::format("takes {} inputs at a time, expected 1: events come "
                                    "one after the other (style event)",
                                    options.inputs));
    layer.lanes = options.lanes;
    if (!isa<snn::DenseOp>(synapses) && !isDirect && !program.options.layers.count(layer.name))
      layer.lanes = snn::shapeOf(synapses->getResult(0))[0];
    return layer;
  }

  llvm::Expected<std::vector<int64_t>> biasesOf(Operation *synapses) {
    std::vector<int64_t> all(size_t(snn::sizeOf(synapses->getResult(0))), 0);
    Value bias;
    if (auto dense = dyn_cast<snn::DenseOp>(synapses))
      bias = dense.getBias();
    else if (auto convolution = dyn_cast<snn::Conv2dOp>(synapses))
      bias = convolution.getBias();
    if (!bias)
      return all;
    SPINDLE_ASSIGN(std::vector<int64_t> values, integersOf(synapses, bias, "bias"));
    for (size_t neuron = 0; neuron < all.size(); ++neuron)
      all[neuron] = values[neuron * values.size() / all.size()];
    return all;
  }

  /// A population behind direct coding, or none.
  static snn::EncodeOp directEncoderOf(snn::NeuronOp population) {
    Value current = population.getSources()[0];
    while (auto reshape = current.getDefiningOp<snn::ReshapeOp>())
      current = reshape.getInput();
    return current.getDefiningOp<snn::EncodeOp>();
  }

  llvm::Error emitDirect(snn::NeuronOp population, snn::EncodeOp encode) {
    SPINDLE_ASSIGN(HardwareLayer layer, describe(population, encode));
    Value output = population->getResult(0);
    SPINDLE_ASSIGN(spikes[output], emitDirectLayer(program, names, population, encode, layer));
    if (snn::shapeOf(output).size() != 3)
      addLanes(layer);
    int64_t words = program.options.steps * spikes[output].layout.words();
    LayerWork &work = program.work[layer.name]; // a tensor kernel has noted its own
    work.perSample = std::max(work.perSample, double(words));
    program.layers.push_back(std::move(layer));
    return llvm::Error::success();
  }

  /// The signal of a population that a decoder makes the answer of; or none.
  static Value answeredBy(snn::NeuronOp population) {
    Value signal = population->getResult(0);
    while (signal.hasOneUse() && isa<snn::ReshapeOp>(*signal.user_begin()))
      signal = cast<snn::ReshapeOp>(*signal.user_begin()).getOutput();
    auto decode = signal.hasOneUse() ? dyn_cast<snn::DecodeOp>(*signal.user_begin()) : nullptr;
    return decode && snn::isAnswer(decode) ? signal : Value();
  }

  /// The cycles of a layer, and of the process that makes numbers for it.
  void addWork(const HardwareLayer &layer, const Synapses &synapses, const EventNeurons &neurons,
               const SpikeStreams &source, const Layer &made) {
    auto groups = double(synapses.grid.groups), steps = double(program.options.steps);
    LayerWork &work = program.work[layer.name];
    work.from = names.ofPopulation(made.spikes.getDefiningOp());
    work.perEvent = synapses.isForEachGroup ? groups : 1;
    work.perSample = steps * groups * neurons.parts();
    work.words =
        source.isNumbered || !made.maxima.empty() ? 0 : steps * double(source.layout.words());
  }

  /// Divisors of the neurons, and as many as the groups of a power of two of lanes need.
  void addLanes(const HardwareLayer &layer) {
    if (program.options.layers.count(layer.name))
      return;
    std::set<int64_t> choices;
    for (int64_t lanes = 1; lanes <= layer.lanes; ++lanes)
      if (layer.neurons % lanes == 0)
        choices.insert(lanes);
    for (int64_t lanes = 1; lanes <= layer.lanes; lanes *= 2)
      choices.insert(roundedUp(layer.neurons, roundedUp(layer.neurons, lanes)));
    program.lanes[layer.name].assign(choices.begin(), choices.end());
  }

  llvm::Error emitLayer(snn::NeuronOp population) {
    if (snn::EncodeOp encode = directEncoderOf(population))
      return emitDirect(population, encode);
    SPINDLE_ASSIGN(Layer made, layerOf(population));
    SPINDLE_ASSIGN(SpikeStreams source, sourceOf(made.synapses, made.spikes));
    SPINDLE_ASSIGN(int64_t most, mostOfSums(cast<snn::SynapseOp>(made.synapses), {made.most}));
    SPINDLE_ASSIGN(HardwareLayer layer, describe(population, made.synapses));
    SPINDLE_ASSIGN(std::vector<int64_t> biases, biasesOf(made.synapses));
    SpikeWords layout = made.maxima.empty() ? source.layout : wordsOf(made.maxima.front());
    std::unique_ptr<Synapses> synapses;
    if (auto dense = dyn_cast<snn::DenseOp>(made.synapses)) {
      SPINDLE_ASSIGN(synapses, makeDense(program, dense, layout, made.inputOf, layer));
    } else {
      SPINDLE_ASSIGN(synapses, makeWindows(program, made.synapses, layout, made.inputOf, layer));
    }
    SPINDLE_ASSIGN(EventNeurons neurons, EventNeurons::make(program, population, synapses->grid,
                                                            std::move(biases), most, layer));
    addWork(layer, *synapses, neurons, source, made);
    if (isa<snn::DenseOp>(made.synapses))
      addLanes(layer);
    Location location = population.getLoc();
    SPINDLE_ASSIGN(Value events, eventsFor(made, layer.name, source, synapses->source.numbers));
    SpikeStreams out = emitEventLayer(program, location, *synapses, neurons, events, layer);
    if (Value answered = answeredBy(population); answered && program.options.recordsSpikes)
      recorded.insert(answered);
    else if (neurons.spikes() && program.options.recordsSpikes)
      out.record = program.streamArgument(synapses->words.port(
          layer.name + ".spikes", ArrayRole::Spikes, layer.name, program.options.steps));
    spikes[population->getResult(0)] = out;
    program.layers.push_back(std::move(layer));
    return llvm::Error::success();
  }

  func::FuncOp function;
  ProgramBuilder program;
  LayerNames names;
  llvm::DenseMap<Value, SpikeStreams> spikes;
  llvm::DenseSet<Value> recorded;     // spikes that are with the answer
  llvm::DenseSet<Operation *> behind; // tensor layers behind spikes
  std::set<const void *> taken;
};

} // namespace

llvm::Expected<LoopProgram> eventNetwork(func::FuncOp function, const CircuitOptions &options) {
  return EventWalk(function, options).run();
}

} // namespace spindle::snn_to_loops
