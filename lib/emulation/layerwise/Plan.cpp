#include "lib/emulation/layerwise/Plan.h"

#include "lib/emulation/layerwise/PopulationStage.h"

#include "fmt/format.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle::layerwise {

namespace {

bool isNatural(const Signal &signal) { return signal.layout.place.empty(); }

/// Whether all that reads the spikes wants lists of events.
bool areReadAsLists(Value spikes) {
  return llvm::all_of(spikes.getUsers(), [](Operation *user) {
    return isa<snn::DenseOp, snn::SparseOp, snn::GatherOp>(user);
  });
}

class Planner {
public:
  Planner(const Network &source, MLIRContext &context) : network(source), b(context) {
    b.plan.populations.resize(source.populations.size());
  }

  /// False where an operation is not known; `reason` says which one.
  bool add(const NetworkOp &each);
  Plan finish() {
    for (auto &[feedback, ring] : rings)
      addReturn(b, ring, signals.find(populationOf(feedback)->getResult(0))->second);
    b.plan.output = signals.find(network.output)->second.buffer;
    return std::move(b.plan);
  }
  std::string reason;

private:
  bool refuse(Operation *op, llvm::StringRef why) {
    reason = fmt::format("{} {}", nameOf(op), why.str());
    return false;
  }
  bool addDelayed(snn::DelayOp op);
  void addFeedback(snn::FeedbackOp op);
  bool addNeuron(const NetworkOp &each, snn::NeuronOp op);
  bool comesBack(Operation *population) const;
  bool listsItsSpikes(snn::NeuronOp op) const;
  bool isTaken(snn::SparseOp op) const;
  bool isRow(const Signal &signal) const { return b.unitOf(signal.buffer) == Unit::Row; }
  bool addConv(snn::Conv2dOp op);
  bool addPool(Operation *op);
  Signal source(Operation *op, unsigned index = 0);

  const Network &network;
  PlanBuilder b;
  llvm::DenseMap<Value, Signal> signals;
  std::vector<std::pair<snn::FeedbackOp, EventRing>> rings;
};

/// A signal of the network; one that the host works once for a sample gets its slots here.
Signal Planner::source(Operation *op, unsigned index) {
  Value value = sourcesOf(op)[index];
  if (auto found = signals.find(value); found != signals.end())
    return found->second;
  Signal signal = b.addSignal(Unit::Slot, size_t(snn::sizeOf(value)), false);
  b.plan.inputs[value] = signal.buffer;
  signals[value] = signal;
  return signal;
}

bool Planner::comesBack(Operation *population) const {
  return llvm::any_of(network.ops, [&](const NetworkOp &each) {
    auto feedback = dyn_cast<snn::FeedbackOp>(each.op);
    return feedback && llvm::is_contained({population, gatherOf(population).getOperation()},
                                          populationOf(feedback));
  });
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
bool Planner::isTaken(snn::SparseOp op) const {
  if (op.getBias() || !op.getOutput().hasOneUse())
    return false;
  auto neurons = dyn_cast<snn::NeuronOp>(*op.getOutput().getUsers().begin());
  return neurons && listsItsSpikes(neurons);
}

bool Planner::addNeuron(const NetworkOp &each, snn::NeuronOp op) {
  if (op.neuronModel().exactCrossing)
    return refuse(op, "seeks crossings within the step");
  SmallVector<Signal> currents;
  for (unsigned k = 0; k < each.sources.size(); ++k)
    currents.push_back(source(op, k));
  for (const Signal &current : currents)
    if (current.layout.place != currents.front().layout.place)
      return refuse(op, "reads currents of different layouts");
  bool natural = isNatural(currents.front());
  if (!natural && (!op.neuronModel().spikes() || op.neuronModel().maxSpikes > 1))
    return refuse(op, "puts out more than one spike per step behind a convolution");
  auto *add = !natural ? addImageNeurons : listsItsSpikes(op) ? addListedNeurons : addNeurons;
  signals[op->getResult(0)] = add(b, op, currents, b.plan.populations[*each.population]);
  return true;
}

bool Planner::addConv(snn::Conv2dOp op) {
  if (op.getGroups() != 1)
    return refuse(op, "has groups");
  if (!llvm::all_of(op.getOutput().getUsers(),
                    [](Operation *user) { return isa<snn::NeuronOp>(user); }))
    return refuse(op, "is read by something other than neurons");
  signals[op.getOutput()] = addConvolution(b, op, source(op));
  return true;
}

bool Planner::addPool(Operation *op) {
  auto average = dyn_cast<snn::AvgPool2dOp>(op);
  ArrayRef<int64_t> padding =
      average ? average.getPadding() : cast<snn::SumPool2dOp>(op).getPadding();
  if (llvm::any_of(padding, [](int64_t extent) { return extent != 0; }))
    return refuse(op, "has padding");
  ArrayRef<int64_t> strides =
      average ? average.getStrides() : cast<snn::SumPool2dOp>(op).getStrides();
  ArrayRef<int64_t> kernel = average ? average.getKernel() : cast<snn::SumPool2dOp>(op).getKernel();
  if (int64_t(kVector) * strides[1] + kernel[1] > int64_t(kSlackFloats))
    return refuse(op, "has windows too far apart");
  signals[op->getResult(0)] = addPooling(b, op, source(op));
  return true;
}

bool Planner::addDelayed(snn::DelayOp op) {
  if (!llvm::all_equal(op.getSteps()))
    return refuse(op, "delays its elements differently");
  Signal input = source(op);
  int64_t steps = op.getSteps().front();
  signals[op.getOutput()] = steps == 0 ? input : addDelay(b, input, steps);
  return true;
}

/// Feedback of the same spikes and steps is the same signal.
void Planner::addFeedback(snn::FeedbackOp op) {
  Operation *population = populationOf(op), *neurons = population;
  if (auto gather = dyn_cast<snn::GatherOp>(population))
    neurons = gather.getInput().getDefiningOp();
  auto steps = int64_t(op.getSteps());
  for (auto &[known, ring] : rings)
    if (populationOf(known) == population && ring.steps == steps) {
      signals[op.getOutput()] = signals.find(known.getOutput())->second;
      return;
    }
  auto readsRows = [&](snn::FeedbackOp feedback) {
    return populationOf(feedback) == population && int64_t(feedback.getSteps()) == steps &&
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
  if (auto conv = dyn_cast<snn::Conv2dOp>(op))
    return addConv(conv);
  if (isa<snn::AvgPool2dOp, snn::SumPool2dOp>(op))
    return addPool(op);
  if (auto encode = dyn_cast<snn::EncodeOp>(op)) {
    signals[op->getResult(0)] =
        addEncoder(b, encode, source(op), b.plan.populations[*each.population]);
    return true;
  }
  if (auto dense = dyn_cast<snn::DenseOp>(op)) {
    signals[op->getResult(0)] = addDense(b, dense, source(op));
    return true;
  }
  if (auto sparse = dyn_cast<snn::SparseOp>(op)) {
    if (!listsSourcesAscending(sparse))
      return refuse(op, "lists its sources out of order");
    signals[op->getResult(0)] = addSparse(b, sparse, source(op), isTaken(sparse));
    return true;
  }
  if (isa<snn::AddOp>(op)) {
    Signal left = source(op), right = source(op, 1);
    if (!isRow(left) || !isRow(right))
      return refuse(op, "adds a current that does not change");
    signals[op->getResult(0)] = addSum(b, left, right);
    return true;
  }
  if (auto line = dyn_cast<snn::DelayOp>(op))
    return addDelayed(line);
  if (auto feedback = dyn_cast<snn::FeedbackOp>(op)) {
    addFeedback(feedback);
    return true;
  }
  if (auto gather = dyn_cast<snn::GatherOp>(op)) {
    Value all = gather.getOutput();
    signals[all] = addGather(b, source(op), uint32_t(gather.getFirst()), size_t(snn::sizeOf(all)),
                             !areReadAsLists(all));
    return true;
  }
  if (isa<snn::ReshapeOp>(op)) {
    signals[op->getResult(0)] = source(op);
    return true;
  }
  if (auto decode = dyn_cast<snn::DecodeOp>(op)) {
    Signal input = source(op);
    signals[op->getResult(0)] =
        decode.getDecoding() == snn::Decoding::Membrane ? input : addDecoder(b, decode, input);
    return true;
  }
  return refuse(op, "has no kernel");
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

} // namespace spindle::layerwise
