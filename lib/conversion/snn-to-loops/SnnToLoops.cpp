#include "lib/conversion/snn-to-loops/SnnToLoops.h"

#include "dialects/snn/Answers.h"
#include "lib/conversion/snn-to-loops/FixedNeurons.h"
#include "lib/conversion/snn-to-loops/LayerNames.h"
#include "lib/conversion/snn-to-loops/events/EventNetwork.h"
#include "lib/conversion/snn-to-loops/layers/Layers.h"

#include "fmt/format.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle {

using namespace snn_to_loops;

namespace {

bool hasSums(Operation *op) {
  return isa_and_nonnull<snn::DenseOp, snn::Conv2dOp, snn::SumPool2dOp, snn::ScaleOp, snn::AddOp>(
      op);
}

/// The sums whose only reader is this population: their nest takes it up.
Operation *driverOf(snn::NeuronOp population) {
  Value current = population.getSources()[0];
  while (current.hasOneUse()) {
    Operation *op = current.getDefiningOp();
    if (hasSums(op))
      return op;
    auto reshape = dyn_cast_or_null<snn::ReshapeOp>(op);
    if (!reshape)
      return nullptr;
    current = reshape.getInput();
  }
  return nullptr;
}

/// How many blocks of neighbours the lanes make of the outputs; 1 where theirs are no neighbours.
int64_t blocksOf(Operation *op, int64_t lanes) {
  int64_t elements = snn::sizeOf(op->getResult(0)), extent = elements; // shared among the lanes
  if (auto convolution = dyn_cast<snn::Conv2dOp>(op); convolution && convolution.getGroups() > 1)
    return 1;
  if (isa<snn::Conv2dOp, snn::SumPool2dOp, snn::MaxPool2dOp>(op))
    extent = snn::shapeOf(op->getResult(0))[0];
  int64_t block = Lanes(extent, lanes).groups * (elements / extent);
  int64_t blocks = (elements + block - 1) / block;
  return (elements + blocks - 1) / blocks == block ? blocks : 1;
}

class NetworkWalk {
public:
  NetworkWalk(func::FuncOp network, const CircuitOptions &options)
      : function(network), program(*network.getContext(), options),
        names(network.getBody().front()) {}

  llvm::Expected<LoopProgram> run() {
    function.walk([&](snn::NeuronOp population) {
      if (!isFixed(population))
        return;
      if (Operation *driver = driverOf(population))
        fused.insert(driver);
    });
    for (Operation &op : function.getBody().front().without_terminator())
      SPINDLE_RETURN_IF_ERROR(visit(&op));
    SPINDLE_RETURN_IF_ERROR(names.check(program.options));
    return program.take();
  }

private:
  llvm::Error visit(Operation *op) {
    if (!isa_and_nonnull<snn::SnnDialect>(op->getDialect()) || fused.contains(op) || isHosts(op))
      return llvm::Error::success();
    if (auto reshape = dyn_cast<snn::ReshapeOp>(op)) {
      if (!fused.contains(reshape.getInput().getDefiningOp()))
        signals[reshape.getOutput()] = signals.lookup(reshape.getInput());
      return llvm::Error::success();
    }
    if (auto encode = dyn_cast<snn::EncodeOp>(op))
      return takeInput(encode);
    if (isFixed(op))
      return emitPopulation(cast<snn::NeuronOp>(op));
    if (auto decode = dyn_cast<snn::DecodeOp>(op))
      return emitAnswer(decode);
    if (hasSums(op))
      return emitCurrents(op);
    if (auto pool = dyn_cast<snn::MaxPool2dOp>(op))
      return emitMaximum(pool);
    if (isa<snn::ConcatOp, snn::TransposeOp, snn::DelayOp>(op))
      return emitCopy(op);
    std::string kind = op->getName().getStringRef().str();
    if (auto neurons = dyn_cast<snn::NeuronOp>(op))
      return layerError(op, fmt::format("is {}", kind) + remedyFor(neurons.neuronModel()));
    return layerError(op, fmt::format("is {}, which has no form in loops", kind));
  }

  /// Why a population is none that circuits know, and what would be one.
  static const char *remedyFor(const snn::NeuronModel &model) {
    if (!model.spikes())
      return " in f32, whose membranes are read, expected snn.fixed_li (fixed_point.integers: all) "
             "or answers that count spikes (conversion.decoding: count)";
    return " in f32, expected snn.fixed_lif: populations in fixed point (section fixed_point, pass "
           "snn-fixed-point-neurons)";
  }

  static bool isFixed(Operation *op) {
    return isa<snn::FixedLifOp, snn::FixedCubaLifOp, snn::FixedLiOp>(op);
  }

  llvm::Error takeInput(snn::EncodeOp op) {
    if (op.getEncoding() == snn::Encoding::Direct)
      return layerError(op, "is encoded directly, which the host computes, expected an encoding "
                            "in spikes (emulation.encoding: regular, poisson or latency)");
    const std::string &name = names.ofPopulation(op);
    int64_t elements = snn::sizeOf(op.getOutput());
    signals[op.getOutput()] = {
        program.argument(
            {name + ".spikes", ArrayRole::Input, name, {program.options.steps, elements}, 1}),
        1, 1};
    return llvm::Error::success();
  }

  /// A layer with the options of its name, whose nest works out `sums`.
  llvm::Expected<HardwareLayer> layerFor(Operation *op, Operation *sums) {
    HardwareLayer layer;
    layer.name = names.of(op);
    layer.neurons = snn::sizeOf(op->getResult(0));
    LayerOptions options = names.optionsOf(layer.name, layer.neurons, program.options);
    if (options.kind == LayerKind::Tensor)
      return layerError(op, "is to be a tensor kernel (as: tensor), expected style event");
    layer.lanes = options.lanes;
    if (!program.options.layers.count(layer.name)) // powers of two, and all
      for (int64_t lanes = 1, last = 0; last < layer.neurons; lanes *= 2)
        program.lanes[layer.name].push_back(last = std::min(lanes, layer.neurons));
    bool takesSeveral = isa<snn::DenseOp>(sums);
    layer.inputs = takesSeveral || program.options.layers.count(layer.name) ? options.inputs : 1;
    if (!takesSeveral && layer.inputs != 1)
      return layerError(op, fmt::format("takes {} inputs at a time, expected 1: only dense layers "
                                        "take several",
                                        layer.inputs));
    return layer;
  }

  llvm::Expected<SmallVector<Signal>> sourcesOf(Operation *op) {
    SmallVector<Signal> sources;
    for (Value operand : op->getOperands())
      if (!isa<TensorType>(operand.getType())) {
        auto known = signals.find(operand);
        if (known == signals.end() || !known->second.array)
          return layerError(op, "reads a signal that has no form in loops");
        sources.push_back(known->second);
      }
    if (sources.empty())
      return layerError(op, "reads activations, expected spikes: circuits go from an encoder to a "
                            "decoder");
    return sources;
  }

  llvm::Error emit(const LayerTask &task) {
    return llvm::TypeSwitch<Operation *, llvm::Error>(task.op)
        .Case([&](snn::DenseOp op) { return emitDense(task, op); })
        .Case([&](snn::Conv2dOp op) { return emitConvolution(task, op); })
        .Case([&](snn::SumPool2dOp op) { return emitSumPooling(task, op); })
        .Case([&](snn::ScaleOp op) { return emitScale(task, op); })
        .Case([&](snn::AddOp op) { return emitAdd(task, op); })
        .Case([&](snn::MaxPool2dOp op) { return emitMaxPooling(task, op); })
        .Case([&](snn::ConcatOp op) { return emitConcat(task, op); })
        .Case([&](snn::TransposeOp op) { return emitTranspose(task, op); })
        .Case([&](snn::DelayOp op) { return emitDelay(task, op); })
        .Case([&](snn::DecodeOp op) { return emitReadout(task, op); })
        .Default([&](Operation *op) { return emitElements(task, op); });
  }

  llvm::Expected<int64_t> mostOf(Operation *op, ArrayRef<Signal> sources) {
    SmallVector<int64_t> inputs;
    for (const Signal &source : sources)
      inputs.push_back(source.most);
    return mostOfSums(cast<snn::SynapseOp>(op), inputs);
  }

  /// Stores what a nest makes in an array of its own.
  llvm::Error emitArray(Operation *op, ArrayRef<Signal> sources, HardwareLayer layer, Value array,
                        int64_t most, unsigned bits) {
    auto store = [&](const NestPoint &point, AffineExpr step, AffineExpr neuron, Value sum) {
      point.store(sum, array, {step, neuron});
    };
    SPINDLE_RETURN_IF_ERROR(emit({program, op, sources, bits, layer, store}));
    divide(array, op, layer.lanes);
    signals[op->getResult(0)] = {array, most, layer.lanes};
    program.layers.push_back(std::move(layer));
    return llvm::Error::success();
  }

  llvm::Error emitCurrents(Operation *op) {
    SPINDLE_ASSIGN(SmallVector<Signal> sources, sourcesOf(op));
    SPINDLE_ASSIGN(int64_t most, mostOf(op, sources));
    SPINDLE_ASSIGN(HardwareLayer layer, layerFor(op, op));
    layer.currentBits = bitsFor(most);
    Value array = program.local(layer.name + ".currents", {program.options.steps, layer.neurons},
                                layer.currentBits);
    unsigned bits = layer.currentBits;
    return emitArray(op, sources, std::move(layer), array, most, bits);
  }

  /// A bank for each lane that stores in an array.
  void divide(Value array, Operation *op, int64_t lanes) {
    if (int64_t blocks = blocksOf(op, lanes); blocks > 1)
      program.divide(array, blocks);
  }

  /// Copies keep what they copy: spikes or currents.
  llvm::Error emitCopy(Operation *op) {
    SPINDLE_ASSIGN(SmallVector<Signal> sources, sourcesOf(op));
    int64_t most = 0;
    bool areSpikes = true;
    for (const Signal &source : sources) {
      most = std::max(most, source.most);
      areSpikes &= source.isSpikes();
    }
    HardwareLayer layer;
    layer.name = names.of(op);
    layer.neurons = snn::sizeOf(op->getResult(0));
    unsigned bits = areSpikes ? 1 : bitsFor(most);
    Value array = program.local(layer.name + ".copy", {program.options.steps, layer.neurons}, bits);
    return emitArray(op, sources, std::move(layer), array, most, bits);
  }

  Value spikesArray(const HardwareLayer &layer) {
    std::vector<int64_t> shape{program.options.steps, layer.neurons};
    return program.options.recordsSpikes
               ? program.argument({layer.name + ".spikes", ArrayRole::Spikes, layer.name, shape, 1})
               : program.local(layer.name + ".spikes", shape, 1);
  }

  llvm::Error emitMaximum(snn::MaxPool2dOp op) {
    SPINDLE_ASSIGN(SmallVector<Signal> sources, sourcesOf(op));
    SPINDLE_ASSIGN(HardwareLayer layer, layerFor(op, op));
    Value array = spikesArray(layer);
    return emitArray(op, sources, std::move(layer), array, 1, bitsFor(program.options.steps));
  }

  /// Steps × neurons: spikes, or the membranes that are read.
  Value outputsOf(snn::NeuronOp op, const HardwareLayer &layer) {
    snn::NeuronModel model = op.neuronModel();
    if (model.spikes())
      return spikesArray(layer);
    return program.local(layer.name + ".read", {program.options.steps, layer.neurons},
                         bitsFor(model.fixedPoint.most));
  }

  llvm::Error emitPopulation(snn::NeuronOp op) {
    Operation *driver = driverOf(op), *sums = driver ? driver : op.getOperation();
    SPINDLE_ASSIGN(SmallVector<Signal> sources, sourcesOf(sums));
    int64_t most = sources.front().most;
    if (driver) {
      SPINDLE_ASSIGN(most, mostOf(driver, sources));
    }
    SPINDLE_ASSIGN(HardwareLayer layer, layerFor(op, sums));
    layer.currentBits = bitsFor(most);
    Value array = outputsOf(op, layer);
    SPINDLE_ASSIGN(FixedNeurons neurons, FixedNeurons::make(program, op, layer.name, array));
    layer.membraneBits = neurons.membraneBits;
    auto step = [&](const NestPoint &point, AffineExpr at, AffineExpr neuron, Value sum) {
      neurons.step(point, at, neuron, sum);
    };
    SPINDLE_RETURN_IF_ERROR(emit({program, sums, sources, layer.currentBits, layer, step}));
    divide(array, sums, layer.lanes);
    snn::NeuronModel model = op.neuronModel();
    signals[op->getResult(0)] = {array, model.spikes() ? 1 : model.fixedPoint.most + 1,
                                 layer.lanes};
    program.layers.push_back(std::move(layer));
    return llvm::Error::success();
  }

  llvm::Error emitAnswer(snn::DecodeOp op) {
    if (!snn::isAnswer(op))
      return layerError(op, "is read by tensor layers behind the spikes, which style clock has no "
                            "form for, expected style event");
    SPINDLE_ASSIGN(SmallVector<Signal> sources, sourcesOf(op));
    HardwareLayer layer;
    layer.name = names.unique("answer");
    if (Operation *readout = op.getInput().getDefiningOp<snn::FixedLiOp>())
      return emitMembranes(
          {program, op, sources, sources[0].type().getWidth(), layer, [](auto &&...) {}},
          names.ofPopulation(readout));
    return emit({program, op, sources, bitsFor(program.options.steps), layer, [](auto &&...) {}});
  }

  func::FuncOp function;
  ProgramBuilder program;
  LayerNames names;
  llvm::SmallPtrSet<Operation *, 16> fused;
  llvm::DenseMap<Value, Signal> signals;
};

} // namespace

llvm::Expected<LoopProgram> snnToLoops(ModuleOp network, const CircuitOptions &options) {
  auto function = network.lookupSymbol<func::FuncOp>("main");
  if (!function || function.isExternal() || !function.getBody().hasOneBlock())
    return inputError("", "found no function @main of one block, expected a spiking network");
  if (options.steps < 1)
    return inputError("", fmt::format("found {} steps, expected at least 1", options.steps));
  if (options.takesEvents())
    return eventNetwork(function, options);
  if (options.system == hls::SystemKind::Dataflow)
    return inputError("", "found system: dataflow in style clock, whose layers run one after the "
                          "other, expected style: event");
  if (options.encodes)
    return inputError("", "found encoder: circuit in style clock, whose spikes come from outside, "
                          "expected style: event");
  if (options.classifies)
    return inputError("", "found answer: class in style clock, whose answers are values, expected "
                          "style: event");
  return NetworkWalk(function, options).run();
}

static bool readNumber(llvm::StringRef text, int64_t &number) {
  return !text.getAsInteger(10, number) && number >= 0;
}

llvm::Error readLayerOption(const std::string &text, CircuitOptions &options) {
  auto [name, numbers] = llvm::StringRef(text).split(':');
  bool isTensor = numbers.consume_back(":tensor");
  auto [lanes, inputs] = numbers.split('x');
  LayerOptions layer = options.others;
  bool isRead = !name.empty() && readNumber(lanes, layer.lanes) &&
                (numbers.find('x') == llvm::StringRef::npos || readNumber(inputs, layer.inputs));
  if (isTensor)
    layer.kind = LayerKind::Tensor;
  if (!isRead)
    return inputError("",
                      fmt::format("found '{}', expected a layer and its lanes, as dense1:64, "
                                  "or with inputs at a time, as dense1:64x4; :tensor behind them "
                                  "makes it a tensor kernel",
                                  text));
  options.layers[name.str()] = layer;
  return llvm::Error::success();
}

} // namespace spindle
