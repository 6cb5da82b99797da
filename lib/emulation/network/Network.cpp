#include "lib/emulation/network/Network.h"

#include "core/network/synapses/SynapseKind.h"
#include "core/support/TextPlace.h"
#include "dialects/location/Location.h"
#include "dialects/snn/Names.h"
#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "lib/emulation/network/FixedPoint.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;

namespace spindle {

std::vector<float> constantOf(Value value) {
  if (!value)
    return {};
  FailureOr<std::vector<float>> floats = snn::constantFloats(value);
  return failed(floats) ? std::vector<float>() : std::move(*floats);
}

std::string placeOrNameOf(Operation *op) {
  if (std::string place = placeOf(op->getLoc()); !place.empty())
    return place;
  return op->getBlock() && !isa<ModuleOp, func::FuncOp>(op) ? nameOf(op)
                                                            : op->getName().getStringRef().str();
}

std::vector<Value> sourcesOf(Operation *op) {
  if (auto synapse = dyn_cast<snn::SynapseOp>(op)) {
    SmallVector<Value> sources = synapse.getSources();
    return {sources.begin(), sources.end()};
  }
  return {op->getOperands().begin(), op->getOperands().end()};
}

bool ignoresSource(Operation *op) {
  if (auto delayed = dyn_cast<snn::DelayedSparseOp>(op))
    return delayed.getIndices().empty();
  auto sparse = dyn_cast<snn::SparseOp>(op);
  return sparse && sparse.getIndices().empty();
}

Operation *populationOf(snn::FeedbackOp feedback) {
  for (Operation &op : *feedback->getBlock())
    if (isa<snn::NeuronOp, snn::GatherOp>(op) && snn::layerOf(&op) == feedback.getPopulation() &&
        op.getResult(0).getType() == feedback.getOutput().getType())
      return &op;
  llvm_unreachable("feedback_c2 holds");
}

llvm::DenseMap<Operation *, Operation *> populationsOfFeedback(const Network &network) {
  llvm::DenseMap<std::pair<StringRef, Type>, Operation *> populations; // the first of a name
  llvm::DenseMap<Operation *, Operation *> found;
  for (const NetworkOp &each : network.ops)
    if (isa<snn::NeuronOp, snn::GatherOp>(each.op))
      populations.try_emplace({snn::layerOf(each.op), each.op->getResult(0).getType()}, each.op);
  for (const NetworkOp &each : network.ops)
    if (auto feedback = dyn_cast<snn::FeedbackOp>(each.op))
      found[each.op] =
          populations.lookup({feedback.getPopulation(), feedback.getOutput().getType()});
  return found;
}

snn::GatherOp gatherOf(Operation *population) {
  for (Operation *user : population->getResult(0).getUsers())
    if (auto gather = dyn_cast<snn::GatherOp>(user))
      return gather;
  return nullptr;
}

std::vector<Population> wholePopulations(const Network &network) {
  std::vector<Population> whole;
  for (const NetworkOp &each : network.ops) {
    if (!each.population)
      continue;
    Population population = network.populations[*each.population];
    if (snn::GatherOp gather = gatherOf(each.op)) {
      population.shape = snn::shapeOf(gather.getOutput()).vec();
      population.size = static_cast<uint32_t>(snn::sizeOf(gather.getOutput()));
    }
    population.first = neuronCount(whole);
    whole.push_back(std::move(population));
  }
  return whole;
}

NeuronId firstNeuronOf(Operation *population) {
  NeuronId first = 0;
  for (Operation &op : *population->getBlock()) {
    if (&op == population)
      break;
    if (!snn::isPopulation(&op))
      continue;
    snn::GatherOp gather = gatherOf(&op); // numbers are those of the whole network
    Operation *spikes = gather ? gather.getOperation() : &op;
    first += static_cast<NeuronId>(snn::sizeOf(spikes->getResult(0)));
  }
  return first;
}

std::vector<Population> populationsOf(func::FuncOp function) {
  std::vector<Population> populations;
  for (const snn::NamedPopulation &each : snn::namedPopulations(function.getBody().front())) {
    Value target = each.op->getResult(0);
    populations.push_back(
        {each.name, snn::isSpikeEncoder(each.op) ? PopulationKind::Input : PopulationKind::Neuron,
         snn::shapeOf(target).vec(), neuronCount(populations),
         static_cast<uint32_t>(snn::sizeOf(target))});
  }
  return populations;
}

static llvm::Error checkSignature(func::FuncOp function) {
  auto isActivation = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && tensor.getRank() > 0 &&
           tensor.getElementType().isF32();
  };
  FunctionType type = function.getFunctionType();
  if (type.getNumInputs() != 1 || type.getNumResults() != 1 || !isActivation(type.getInput(0)) ||
      !isActivation(type.getResult(0))) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return inputError(placeOrNameOf(function),
                      fmt::format("@main has the type {}, expected one tensor of f32 with a static "
                                  "shape in and one out",
                                  text));
  }
  if (!function.getBody().hasOneBlock())
    return inputError(placeOrNameOf(function),
                      "@main branches or has no body, expected a single block");
  return llvm::Error::success();
}

static llvm::Error checkKind(Operation *op) {
  Attribute given = op->getAttr(snn::kSynapseKind);
  auto word = dyn_cast_or_null<StringAttr>(given);
  if (!given || (word && llvm::is_contained(kSynapseKindNames, word.getValue())))
    return llvm::Error::success();
  std::string text;
  llvm::raw_string_ostream(text) << given;
  return inputError(placeOrNameOf(op),
                    fmt::format("{} of {} is {}, expected \"{}\"", snn::kSynapseKind, nameOf(op),
                                excerpt(text), fmt::join(kSynapseKindNames, "\", \"")));
}

/// Weights, biases and factors: every operand of a synapse that is no signal.
static llvm::Error checkWeights(Operation *op, const std::vector<Value> &sources) {
  for (Value operand : op->getOperands().drop_front(sources.size())) {
    DenseElementsAttr dense;
    bool isUniform = matchPattern(operand, m_Constant(&dense)) && dense.isSplat() &&
                     std::isfinite(dense.getSplatValue<float>()); // maybe of millions
    if (isUniform)
      continue;
    if (failed(snn::constantFloats(operand)))
      return inputError(placeOrNameOf(op),
                        fmt::format("{} has weights that are not constant; give them "
                                    "to the import (arguments)",
                                    nameOf(op)));
    for (float weight : constantOf(operand))
      if (!std::isfinite(weight)) // left-out inputs would differ from inputs of zero
        return inputError(
            placeOrNameOf(op),
            fmt::format("{} has the weight {}, expected finite numbers", nameOf(op), weight));
  }
  return llvm::Error::success();
}

static llvm::Error checkOp(Operation *op, const std::vector<Value> &sources, bool sourceInTime,
                           NetworkExtent extent) {
  bool known = isa<snn::SynapseOp, snn::NeuronOp, snn::MaxPool2dOp, snn::ReluOp, snn::QuantizeOp,
                   snn::EncodeOp, snn::DecodeOp, snn::FeedbackOp>(op) ||
               (extent == NetworkExtent::Part && isa<snn::GatherOp>(op));
  if (!known)
    return inputError(placeOrNameOf(op),
                      fmt::format("the emulator does not know {}, expected operations "
                                  "of the snn dialect",
                                  op->getName().getStringRef().str()));
  for (Value source : sources)
    if (isa_and_nonnull<arith::ConstantOp>(source.getDefiningOp()))
      return inputError(placeOrNameOf(op),
                        fmt::format("{} reads a constant, expected a signal of the "
                                    "network",
                                    nameOf(op)));
  if (isa<snn::EncodeOp>(op) && sourceInTime)
    return inputError(placeOrNameOf(op), fmt::format("{} encodes what a decoder puts out, expected "
                                                     "activations that do not change in time",
                                                     nameOf(op)));
  auto encode = dyn_cast<snn::EncodeOp>(op);
  if (encode && encode.getEncoding() == snn::Encoding::Events &&
      !isa<BlockArgument>(encode.getInput()))
    return inputError(placeOrNameOf(op),
                      fmt::format("{} encodes events of what {} puts out, expected the "
                                  "input of the network",
                                  nameOf(op), nameOf(sources[0].getDefiningOp())));
  SPINDLE_RETURN_IF_ERROR(checkKind(op));
  return isa<snn::SynapseOp>(op) ? checkWeights(op, sources) : llvm::Error::success();
}

llvm::Expected<Network> readNetwork(ModuleOp module, NetworkExtent extent) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (!function)
    return inputError(placeOrNameOf(module),
                      "no function @main, expected a network that spindle import "
                      "or spindle convert wrote");
  SPINDLE_RETURN_IF_ERROR(checkSignature(function));
  Block &body = function.getBody().front();
  Network network;
  network.function = function;
  network.input = body.getArgument(0);
  network.populations = populationsOf(function);
  llvm::DenseSet<Value> inTime;
  size_t population = 0;
  for (Operation &op : body.without_terminator()) {
    if (isa<arith::ConstantOp>(op))
      continue;
    std::vector<Value> sources = sourcesOf(&op);
    bool sourceInTime = llvm::any_of(sources, [&](Value v) { return inTime.contains(v); });
    SPINDLE_RETURN_IF_ERROR(checkOp(&op, sources, sourceInTime, extent));
    bool everyStep =
        sourceInTime || snn::isPopulation(&op) || isa<snn::DelayOp, snn::FeedbackOp>(op);
    if (everyStep)
      inTime.insert(op.getResult(0));
    network.ops.push_back(
        {&op, std::move(sources), everyStep,
         snn::isPopulation(&op) ? std::optional<size_t>(population++) : std::nullopt});
  }
  network.output = body.getTerminator()->getOperand(0);
  SPINDLE_RETURN_IF_ERROR(checkFixedPoint(network));
  network.runsInTime = inTime.contains(network.output);
  if (isa_and_nonnull<arith::ConstantOp>(network.output.getDefiningOp()))
    return inputError(placeOrNameOf(function), "@main returns a constant, expected a network");
  return network;
}

} // namespace spindle
