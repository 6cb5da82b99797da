#include "lib/emulation/layers/Plan.h"

#include "lib/emulation/layers/kernels/PopulationStage.h"
#include "lib/emulation/layers/kernels/convolution/PooledImage.h"
#include "lib/emulation/layers/kernels/synapses/DelayedSparseKernel.h"

#include "fmt/format.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle::layers {

namespace {

bool isNatural(const Signal &signal) { return signal.layout.place.empty(); }

/// Whether all that reads the spikes wants lists of events.
bool areReadAsLists(Value spikes) {
  return llvm::all_of(spikes.getUsers(), [](Operation *user) {
    return isa<snn::DenseOp, snn::SparseOp, snn::DelayedSparseOp, snn::RandomOp, snn::GatherOp>(
        user);
  });
}

class Planner {
public:
  Planner(const Network &source, MLIRContext &context)
      : network(source), b(context), returning(populationsOfFeedback(source)) {
    b.plan.populations.resize(source.populations.size());
    for (auto [feedback, population] : returning)
      heard.insert(population);
  }

  /// False where an operation is not known; `reason` says which one.
  bool add(const NetworkOp &each);
  Plan finish() {
    for (auto &[feedback, ring] : rings)
      addReturn(b, ring, asFloats(returning.lookup(feedback)->getResult(0)));
    b.plan.output = asFloats(network.output).buffer;
    orderStages(b.plan);
    return std::move(b.plan);
  }
  std::string reason;

private:
  bool refuse(Operation *op, llvm::StringRef why) {
    reason = fmt::format("{} {}", nameOf(op), why.str());
    return false;
  }
  std::optional<Signal> addSimple(const NetworkOp &each);
  void addDelayed(snn::DelayOp op);
  bool addDelayedSynapses(snn::DelayedSparseOp op);
  void addFeedback(snn::FeedbackOp op);
  bool addNeuron(const NetworkOp &each, snn::NeuronOp op);
  bool comesBack(Operation *population) const;
  bool listsItsSpikes(snn::NeuronOp op) const;
  bool isTaken(Operation *op) const;
  bool addPool(const NetworkOp &each);
  Signal addConvolutionOf(snn::Conv2dOp op);
  void addJoin(snn::ConcatOp op);
  void addTransposed(snn::TransposeOp op);
  void addSumOf(snn::AddOp op);
  /// What stands for a value: as it is, bits as floats, or in the natural order.
  Signal signalOf(Value value);
  Signal asFloats(Value value);
  Signal inNaturalOrder(Value value);
  /// What an operation reads.
  Signal source(Operation *op, unsigned index = 0) { return asFloats(sourcesOf(op)[index]); }
  Signal naturalSource(Operation *op, unsigned index = 0) {
    return inNaturalOrder(sourcesOf(op)[index]);
  }

  const Network &network;
  PlanBuilder b;
  llvm::DenseMap<Value, Signal> signals, reordered;
  llvm::DenseMap<Value, SpikePooling> pooled; // made in the way that is asked for
  std::vector<std::pair<snn::FeedbackOp, EventRing>> rings;
  llvm::DenseMap<Operation *, Operation *> returning; // populations of feedback
  llvm::DenseSet<Operation *> heard;                  // all of those
};

/// A signal of the network; one that the host works once for a sample gets its slots here.
Signal Planner::signalOf(Value value) {
  if (auto found = signals.find(value); found != signals.end())
    return found->second;
  if (auto found = pooled.find(value); found != pooled.end())
    return signals[value] = addPooledBits(b, found->second.op, found->second.bits);
  Signal signal = b.addSignal(Unit::Slot, size_t(snn::sizeOf(value)), false);
  b.plan.inputs[value] = signal.buffer;
  signals[value] = signal;
  return signal;
}

Signal Planner::asFloats(Value value) {
  Signal signal = signalOf(value);
  return signal.areBits ? inNaturalOrder(value) : signal;
}

Signal Planner::inNaturalOrder(Value value) {
  Signal signal = signalOf(value);
  if (isNatural(signal))
    return signal;
  auto [known, isNew] = reordered.try_emplace(value);
  if (isNew)
    known->second = signal.areBits ? addNaturalOrder(b, signal)
                                   : addReordered(b, signal, naturalNumbers(signal.elements));
  return known->second;
}

bool Planner::comesBack(Operation *population) const {
  return heard.contains(population) || heard.contains(gatherOf(population));
}

/// Whether the kernel of the neurons lists their spikes: in recurrent populations, where lists are
/// all that is wanted.
bool Planner::listsItsSpikes(snn::NeuronOp op) const {
  snn::NeuronModel model = op.neuronModel();
  return model.spikes() && model.maxSpikes == 1 && model.kind != snn::NeuronKind::FirstSpike &&
         model.kind != snn::NeuronKind::Rectifier && comesBack(op) &&
         areReadAsLists(op->getResult(0));
}

/// Whether such neurons alone read the sums, which they set back to zero.
bool Planner::isTaken(Operation *op) const {
  bool hasBias = op->getNumOperands() > 2;
  if (hasBias || !op->hasOneUse())
    return false;
  auto neurons = dyn_cast<snn::NeuronOp>(*op->getUsers().begin());
  return neurons && listsItsSpikes(neurons);
}

bool Planner::addNeuron(const NetworkOp &each, snn::NeuronOp op) {
  if (op.neuronModel().exactCrossing)
    return refuse(op, "seeks crossings within the step");
  SmallVector<Signal> currents;
  for (unsigned k = 0; k < each.sources.size(); ++k)
    currents.push_back(source(op, k));
  bool alike = llvm::all_of(currents, [&](const Signal &current) {
    return current.layout.place == currents.front().layout.place;
  });
  bool natural = isNatural(currents.front()) || !alike || !op.neuronModel().spikes() ||
                 op.neuronModel().maxSpikes > 1;
  for (unsigned k = 0; natural && k < currents.size(); ++k)
    currents[k] = naturalSource(op, k);
  auto *add = !natural ? addImageNeurons : listsItsSpikes(op) ? addListedNeurons : addNeurons;
  signals[op->getResult(0)] = add(b, op, currents, b.plan.populations[*each.population]);
  return true;
}

bool Planner::addPool(const NetworkOp &each) {
  auto maximum = dyn_cast<snn::MaxPool2dOp>(each.op);
  if (maximum && !snn::runsInTime(maximum.getInput().getType()))
    return refuse(each.op, "takes maxima of what is decoded");
  Windows windows = windowsOf(each.op);
  if (int64_t(kVector) * windows.strides[1] + windows.kernel[1] > int64_t(kSlackFloats))
    return refuse(each.op, "has windows too far apart");
  Signal spikes = signalOf(sourcesOf(each.op).front());
  bool isPadded = llvm::any_of(windows.padding, [](int64_t side) { return side > 0; });
  if (spikes.areBits && !isPadded && isa<snn::AvgPool2dOp, snn::SumPool2dOp>(each.op)) {
    pooled[each.op->getResult(0)] = {each.op, spikes};
    return true;
  }
  Signal input = naturalSource(each.op);
  auto *booked = each.population ? &b.plan.populations[*each.population] : nullptr;
  signals[each.op->getResult(0)] =
      maximum ? addMaximumInTime(b, maximum, input, booked) : addPooling(b, each.op, input);
  return true;
}

/// What is pooled before stays an image where the convolution can read it so.
Signal Planner::addConvolutionOf(snn::Conv2dOp op) {
  auto found = pooled.find(sourcesOf(op).front());
  bool isPadded = llvm::any_of(op.getPadding(), [](int64_t side) { return side > 0; });
  if (found == pooled.end() || op.getGroups() != 1 || isPadded || !staysImage(found->second))
    return addConvolution(b, op, naturalSource(op));
  Convolution conv = readConvolution(op);
  if (isByteConvolution(conv, found->second))
    return addByteConvolution(b, conv, found->second);
  return addConvolution(b, op, addPooledImage(b, found->second));
}

void Planner::addJoin(snn::ConcatOp op) {
  SmallVector<Signal> inputs;
  for (unsigned k = 0; k < op.getInputs().size(); ++k)
    inputs.push_back(naturalSource(op, k));
  size_t outer = 1;
  for (int64_t extent : snn::shapeOf(op.getOutput()).take_front(op.getAxis()))
    outer *= size_t(extent);
  signals[op.getOutput()] = addJoined(b, inputs, outer);
}

void Planner::addTransposed(snn::TransposeOp op) {
  ArrayRef<int64_t> shape = snn::shapeOf(op.getInput());
  std::vector<uint32_t> sources{0};
  for (int64_t dimension : op.getPermutation()) {
    uint32_t stride = 1;
    for (int64_t extent : shape.drop_front(size_t(dimension) + 1))
      stride *= uint32_t(extent);
    std::vector<uint32_t> finer;
    for (uint32_t source : sources)
      for (uint32_t index = 0; index < uint32_t(shape[size_t(dimension)]); ++index)
        finer.push_back(source + index * stride);
    sources = std::move(finer);
  }
  signals[op.getOutput()] = addReordered(b, source(op), sources);
}

void Planner::addSumOf(snn::AddOp op) {
  Signal left = source(op, 0), right = source(op, 1);
  if (left.layout.place != right.layout.place) {
    left = naturalSource(op, 0);
    right = naturalSource(op, 1);
  }
  signals[op.getOutput()] = addSum(b, left, right);
}

void Planner::addDelayed(snn::DelayOp op) {
  bool none = llvm::all_of(op.getSteps(), [](int64_t steps) { return steps == 0; });
  signals[op.getOutput()] = none ? source(op) : addDelay(b, naturalSource(op), op.getSteps());
}

bool Planner::addDelayedSynapses(snn::DelayedSparseOp op) {
  if (!fitsRing(op))
    return refuse(op, "has too many outputs for its longest delay");
  signals[op.getOutput()] = addDelayedSparse(b, op, naturalSource(op));
  return true;
}

/// Feedback of the same spikes and steps is the same signal.
void Planner::addFeedback(snn::FeedbackOp op) {
  Operation *population = returning.lookup(op), *neurons = population;
  if (auto gather = dyn_cast<snn::GatherOp>(population))
    neurons = gather.getInput().getDefiningOp();
  auto steps = int64_t(op.getSteps());
  for (auto &[known, ring] : rings)
    if (returning.lookup(known) == population && ring.steps == steps) {
      Signal same = signals.lookup(known.getOutput()); // a copy: a new entry may move the others
      signals[op.getOutput()] = same;
      return;
    }
  auto readsRows = [&](snn::FeedbackOp feedback) {
    return returning.lookup(feedback) == population && int64_t(feedback.getSteps()) == steps &&
           !areReadAsLists(feedback.getOutput());
  };
  bool asRows = llvm::any_of(network.ops, [&](const NetworkOp &each) {
    auto feedback = dyn_cast<snn::FeedbackOp>(each.op);
    return feedback && readsRows(feedback);
  });
  EventRing ring = addEventRing(b, size_t(snn::sizeOf(op.getOutput())),
                                cast<snn::NeuronOp>(neurons).neuronModel().maxSpikes == 1, steps);
  signals[op.getOutput()] = addPast(b, ring, asRows);
  rings.emplace_back(op, ring);
}

bool Planner::add(const NetworkOp &each) {
  Operation *op = each.op;
  if (!each.everyStep)
    return true;
  if (auto neuron = dyn_cast<snn::NeuronOp>(op))
    return addNeuron(each, neuron);
  if (isa<snn::AvgPool2dOp, snn::SumPool2dOp, snn::MaxPool2dOp>(op))
    return addPool(each);
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](snn::AddOp sum) { return addSumOf(sum), true; })
      .Case([&](snn::ConcatOp join) { return addJoin(join), true; })
      .Case([&](snn::TransposeOp view) { return addTransposed(view), true; })
      .Case([&](snn::DelayOp line) { return addDelayed(line), true; })
      .Case([&](snn::FeedbackOp feedback) { return addFeedback(feedback), true; })
      .Case([&](snn::DelayedSparseOp sparse) { return addDelayedSynapses(sparse); })
      .Default([&](Operation *) {
        std::optional<Signal> signal = addSimple(each);
        if (!signal)
          return refuse(op, "has no kernel");
        signals[op->getResult(0)] = *signal;
        return true;
      });
}

/// Operations of one source; nothing where there is no kernel.
std::optional<Signal> Planner::addSimple(const NetworkOp &each) {
  Operation *op = each.op;
  Value result = op->getResult(0);
  return llvm::TypeSwitch<Operation *, std::optional<Signal>>(op)
      .Case([&](snn::EncodeOp encode) {
        return addEncoder(b, encode, source(op), b.plan.populations[*each.population]);
      })
      .Case([&](snn::DenseOp dense) { return addDense(b, dense, naturalSource(op)); })
      .Case([&](snn::Conv2dOp conv) { return addConvolutionOf(conv); })
      .Case([&](snn::SparseOp sparse) {
        return addSparse(b, sparse, naturalSource(op), isTaken(op));
      })
      .Case([&](snn::RandomOp random) {
        return addRandom(b, random, naturalSource(op), isTaken(op));
      })
      .Case([&](snn::ScaleOp scale) { return addScale(b, scale, source(op)); })
      .Case([&](snn::GatherOp gather) {
        return addGather(b, naturalSource(op), uint32_t(gather.getFirst()),
                         size_t(snn::sizeOf(result)), !areReadAsLists(result));
      })
      .Case([&](snn::ReshapeOp) { return source(op); })
      .Case([&](snn::DecodeOp decode) {
        Signal input = naturalSource(op);
        return decode.getDecoding() == snn::Decoding::Membrane ? input
                                                               : addDecoder(b, decode, input);
      })
      .Case<snn::ReluOp, snn::QuantizeOp>(
          [&](Operation *activation) { return addActivation(b, activation, naturalSource(op)); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace

std::optional<Plan> makePlan(const Network &network, MLIRContext &context, std::string &reason) {
  Planner planner(network, context);
  for (const NetworkOp &each : network.ops)
    if (!planner.add(each)) {
      reason = planner.reason;
      return std::nullopt;
    }
  return planner.finish();
}

} // namespace spindle::layers
