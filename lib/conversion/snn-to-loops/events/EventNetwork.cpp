#include "lib/conversion/snn-to-loops/events/EventNetwork.h"

#include "dialects/snn/Answers.h"
#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "lib/conversion/snn-to-loops/LayerNames.h"
#include "lib/conversion/snn-to-loops/events/Crossings.h"
#include "lib/conversion/snn-to-loops/events/MaxPool.h"
#include "lib/conversion/snn-to-loops/events/SpikeReaders.h"
#include "lib/conversion/snn-to-loops/events/encoders/DirectLayer.h"
#include "lib/conversion/snn-to-loops/events/synapses/FeedForms.h"
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
        names(network.getBody().front()), readers(network.getBody().front(), options.steps) {}

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
    if (isa<snn::SynapseOp, snn::MaxPool2dOp>(op) && !isa<snn::DelayedSparseOp>(op))
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
      SPINDLE_ASSIGN(SpikeStreams source, take(op, behindViews(decode.getInput())));
      const std::string &layer = names.ofPopulation(behindViews(decode.getInput()).getDefiningOp());
      return emitEventAnswer(program, decode, source, layer, recorded.contains(decode.getInput()));
    }
    return layerError(op, fmt::format("is {}, which has no form in events, expected dense "
                                      "layers, convolutions, sums and maxima of windows, joins and "
                                      "delays",
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
    give(op.getOutput(), name, snn_to_loops::takeInput(program, name, layout));
    return llvm::Error::success();
  }

  /// From pixels.
  llvm::Error encode(snn::EncodeOp op) {
    HardwareLayer layer;
    layer.name = names.ofPopulation(op);
    layer.style = LayerStyle::Event;
    layer.neurons = snn::sizeOf(op.getOutput());
    layer.lanes = names.optionsOf(layer.name, layer.neurons, program.options).lanes;
    SPINDLE_ASSIGN(SpikeStreams made, emitEncoder(program, op, layer));
    program.work[layer.name].perSample = double(program.options.steps * made.layout.words());
    give(op.getOutput(), layer.name, made);
    program.layers.push_back(std::move(layer));
    return llvm::Error::success();
  }

  /// All between counted spikes and the answer.
  llvm::Error emitTensors(snn::DecodeOp decode) {
    if (decode.getDecoding() != snn::Decoding::Count)
      return layerError(decode, "reads what layers behind it go on with, expected counted spikes");
    for (Operation *op = decode->getNextNode(); op; op = op->getNextNode())
      behind.insert(op);
    SPINDLE_ASSIGN(SpikeStreams source, take(decode, behindViews(decode.getInput())));
    return emitTensorAnswer(program, names, decode, source,
                            names.ofPopulation(behindViews(decode.getInput()).getDefiningOp()));
  }

  /// The answer is put out with the membranes.
  llvm::Error checkReadout(snn::DecodeOp op) {
    if (op.getInput().getDefiningOp<snn::FixedLiOp>())
      return llvm::Error::success();
    return layerError(op, "reads currents, expected the membranes of snn.fixed_li (style event)");
  }

  /// The spikes of an encoder or a population are there for their readers.
  void give(Value signal, const std::string &layer, const SpikeStreams &made) {
    spikes[signal] = {made};
    if (made.words.empty()) // membranes that are read
      return;
    if (!readers.areRead(signal))
      emitDrain(program, signal.getLoc(), layer, made);
    else if (readers.needFork(signal))
      spikes[signal] = emitFork(program, signal.getLoc(), layer, made, readers.stepsAhead(signal),
                                readers.recorder(signal));
  }

  /// For the next one of the readers.
  llvm::Expected<SpikeStreams> take(Operation *op, Value signal) {
    auto known = spikes.find(signal);
    if (known == spikes.end() || known->second.front().words.empty())
      return layerError(op, "reads a signal that has no form in events");
    return known->second[taken[signal]++];
  }

  /// A pooling that several ways read is there for each of them.
  std::string nameOf(snn::MaxPool2dOp pool) {
    std::string name = names.of(pool);
    return program.work.count(name) ? names.unique(name) : name;
  }

  /// The numbers of the spikes of a way: through its maxima, if there are any.
  llvm::Expected<Value> eventsFor(const Feed &feed, Location location, const std::string &layer,
                                  const std::string &way, const SpikeStreams &source,
                                  const EventNumbers &numbers) {
    if (feed.maxima.empty())
      return emitEvents(program, location, layer, source, numbers, way);
    SmallVector<snn::MaxPool2dOp> pools = feed.maxima;
    std::vector<EventSource> sources; // of each pooling, the first one first
    SpikeWords words = source.layout;
    for (snn::MaxPool2dOp pool : pools) {
      sources.push_back(snn_to_loops::sourceOf(pool, words));
      words = wordsOf(pool);
    }
    std::string name = nameOf(pools.front());
    Value events = emitEvents(program, location, name, source, sources.front().numbers);
    for (auto [n, pool] : llvm::enumerate(pools)) {
      bool isLast = n + 1 == pools.size();
      SPINDLE_ASSIGN(events, emitMaxPool(program, pool, name, sources[n], events,
                                         isLast ? numbers : sources[n + 1].numbers));
      MaxPoolTurns turns = turnsOf(pool);
      LayerWork &work = program.work[name];
      // All spikes; fewer reach a second pooling.
      work.takes = {{names.ofPopulation(feed.spikes.getDefiningOp()),
                     n == 0 && !source.isNumbered
                         ? double(program.options.steps * source.layout.words())
                         : 0}};
      work.perEvent = double(turns.perEvent);
      work.perSample = double(turns.perSample + program.options.steps);
      if (!isLast)
        name = nameOf(pools[n + 1]);
    }
    return events;
  }

  /// The numbers of all ways, as one stream.
  llvm::Expected<Value> emitFeeds(ArrayRef<Feed> feeds, ArrayRef<SpikeStreams> sources,
                                  Location location, const std::string &layer,
                                  const Synapses &synapses) {
    SmallVector<Value> all;
    for (auto [number, feed] : llvm::enumerate(feeds)) {
      std::string way = feeds.size() > 1 ? fmt::format("from{}", number + 1) : "";
      SPINDLE_ASSIGN(Value events, eventsFor(feed, location, layer, way, sources[number],
                                             synapses.numbers[number]));
      std::string late = layer + (way.empty() ? "" : "." + way) + ".late";
      if (feed.delay > 0)
        events = emitDelay(program, location, layer, late, events, synapses.end(), feed.delay);
      all.push_back(events);
    }
    return all.size() > 1 ? emitMerge(program, location, layer, all, synapses.end()) : all.front();
  }

  /// `filters` of windows, which are the lanes if none are given.
  llvm::Expected<HardwareLayer> describe(snn::NeuronOp population, bool isDirect,
                                         std::optional<int64_t> filters = {}) {
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
    if (filters && !program.options.layers.count(layer.name))
      layer.lanes = *filters;
    return layer;
  }

  /// A population behind direct coding, or none.
  static snn::EncodeOp directEncoderOf(snn::NeuronOp population) {
    Value current = behindViews(population.getSources()[0]);
    auto encode = current.getDefiningOp<snn::EncodeOp>();
    return encode && encode.getEncoding() == snn::Encoding::Direct ? encode : nullptr;
  }

  llvm::Error emitDirect(snn::NeuronOp population, snn::EncodeOp encode) {
    SPINDLE_ASSIGN(HardwareLayer layer, describe(population, true));
    Value output = population->getResult(0);
    SPINDLE_ASSIGN(SpikeStreams made, emitDirectLayer(program, names, population, encode, layer));
    give(output, layer.name, made);
    if (snn::shapeOf(output).size() != 3)
      addLanes(layer);
    auto words = double(made.layout.words()), steps = double(program.options.steps);
    double &cycles = program.work[layer.name].perSample; // a tensor kernel has noted its own
    // The first step waits for the kernel, which is at work on the next sample during the others.
    cycles = program.options.isCentralised() ? std::max(cycles, words) + (steps - 1) * words
                                             : std::max(cycles, steps * words);
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

  /// The cycles of a layer, and of the processes that make numbers for it.
  void addWork(const HardwareLayer &layer, const Synapses &synapses, const EventNeurons &neurons,
               ArrayRef<Feed> feeds, ArrayRef<SpikeStreams> sources) {
    auto groups = double(synapses.grid.groups), steps = double(program.options.steps);
    LayerWork &work = program.work[layer.name];
    for (auto [feed, source] : llvm::zip(feeds, sources))
      work.takes.push_back(
          {names.ofPopulation(feed.spikes.getDefiningOp()),
           source.isNumbered || !feed.maxima.empty() ? 0 : steps * double(source.layout.words())});
    work.perEvent = synapses.isForEachGroup ? groups : 1;
    work.perSample = steps * groups * neurons.parts();
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
    SPINDLE_ASSIGN(SmallVector<Feed> feeds, feedsOf(population));
    SmallVector<SpikeStreams> sources;
    SmallVector<SpikeWords> layouts; // of what the weights take
    for (const Feed &feed : feeds) {
      SPINDLE_ASSIGN(SpikeStreams source, take(population, feed.spikes));
      layouts.push_back(feed.maxima.empty() ? source.layout : wordsOf(feed.maxima.back()));
      sources.push_back(std::move(source));
    }
    SPINDLE_ASSIGN(int64_t most, mostOfCurrents(population));
    SPINDLE_ASSIGN(FeedForms forms, FeedForms::of(feeds));
    SPINDLE_ASSIGN(HardwareLayer layer, describe(population, false, forms.filters()));
    SPINDLE_ASSIGN(std::vector<int64_t> biases, biasesOf(population));
    Operation *place = feeds.size() == 1 && feeds[0].weights ? feeds[0].weights : population;
    SPINDLE_ASSIGN(std::unique_ptr<Synapses> synapses, forms.make(program, place, layouts, layer));
    SPINDLE_ASSIGN(EventNeurons neurons, EventNeurons::make(program, population, synapses->grid,
                                                            std::move(biases), most, layer));
    addWork(layer, *synapses, neurons, feeds, sources);
    if (!forms.filters())
      addLanes(layer);
    Location location = population.getLoc();
    SPINDLE_ASSIGN(Value events, emitFeeds(feeds, sources, location, layer.name, *synapses));
    SpikeStreams out = emitEventLayer(program, location, *synapses, neurons, events, layer);
    if (Value answered = answeredBy(population); answered && program.options.recordsSpikes)
      recorded.insert(answered);
    else if (neurons.spikes() && program.options.recordsSpikes)
      out.record = program.streamArgument(synapses->words.port(
          layer.name + ".spikes", ArrayRole::Spikes, layer.name, program.options.steps));
    give(population->getResult(0), layer.name, out);
    program.layers.push_back(std::move(layer));
    return llvm::Error::success();
  }

  func::FuncOp function;
  ProgramBuilder program;
  LayerNames names;
  SpikeReaders readers;
  llvm::DenseMap<Value, SmallVector<SpikeStreams>> spikes; // for each reader
  llvm::DenseMap<Value, size_t> taken;                     // of them
  llvm::DenseSet<Value> recorded;                          // spikes that are with the answer
  llvm::DenseSet<Operation *> behind;                      // tensor layers behind spikes
};

} // namespace

llvm::Expected<LoopProgram> eventNetwork(func::FuncOp function, const CircuitOptions &options) {
  return EventWalk(function, options).run();
}

} // namespace spindle::snn_to_loops
