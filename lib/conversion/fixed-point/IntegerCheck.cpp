#include "lib/conversion/fixed-point/IntegerCheck.h"

#include "dialects/snn/IntegerRange.h"
#include "dialects/snn/Names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "fmt/format.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;

namespace spindle {

namespace {

std::string labelOf(Operation *op) { return fmt::format("layer '{}'", snn::nameOf(op)); }

llvm::Error staysFloat(Operation *op, const std::string &found, const std::string &remedy) {
  return inputError("fixed_point", fmt::format("{} stays in f32: {}; integers: all {}", labelOf(op),
                                               found, remedy));
}

llvm::Error checkSynapse(snn::SynapseOp op) {
  if (isa<snn::AvgPool2dOp>(op))
    return staysFloat(
        op, "it averages, and no layer behind it takes the division",
        "expects whole windows (no padding, or counted padding) before one "
        "population or layer of weights; use sums, or conversion.pooling: population");
  if (!op.hasWeights())
    return llvm::Error::success();
  for (auto [index, operand] :
       llvm::enumerate(op->getOperands().drop_front(op.getSources().size()))) {
    FailureOr<std::vector<float>> weights = snn::constantFloats(operand);
    if (failed(weights))
      return staysFloat(op, "its weights are not constant", "expects constant ones");
    for (float weight : *weights)
      if (weight != std::trunc(weight))
        return staysFloat(
            op, fmt::format("it has the {} {}", index == 0 ? "weight" : "bias", weight),
            "expects one layer of weights between populations, the input and the first "
            "of them, or the last and the answers; leave it out of the model, or merge it with its "
            "neighbour");
  }
  return llvm::Error::success();
}

llvm::Error checkEncoder(snn::EncodeOp op) {
  snn::Encoding encoding = op.getEncoding();
  if (encoding == snn::Encoding::Direct || encoding == snn::Encoding::Events)
    return llvm::Error::success(); // currents are checked at populations
  bool counts = op.getIntegers() || encoding == snn::Encoding::Poisson;
  if (counts && succeeded(snn::integerRange(op.getInput())))
    return llvm::Error::success();
  return staysFloat(op, "it encodes what is computed before it, not the input",
                    "expects an encoder at the input; use emulation.encoding: direct");
}

/// Weights and biases have been checked.
std::string describe(const snn::NotInteger &fault) {
  if (!fault.op)
    return "its current comes from an input that is not quantised";
  return fmt::format("its current comes from {}, which makes no integers", labelOf(fault.op));
}

llvm::Error checkSums(Operation *op, const snn::IntegerRange &range, int64_t accumulatorBits) {
  if (!range.isExact())
    return inputError("fixed_point",
                      fmt::format("the sums of {} {}; use fewer weight_bits or input_bits",
                                  labelOf(op), range.excessText()));
  if (range.bits() > accumulatorBits)
    return inputError(
        "fixed_point",
        fmt::format("the sums of {} lie from {:.0f} to {:.0f} and need {} bits, expected at most "
                    "{}; use fewer weight_bits or more accumulator_bits",
                    labelOf(op), range.lowest, range.highest, range.bits(), accumulatorBits));
  return llvm::Error::success();
}

llvm::Error checkPopulation(snn::NeuronOp op, int64_t accumulatorBits) {
  snn::NeuronModel model = op.neuronModel();
  for (Value source : op.getSources()) {
    snn::NotInteger fault;
    FailureOr<snn::IntegerRange> range = snn::integerRange(source, &fault);
    if (failed(range))
      return staysFloat(op, describe(fault), "expects integer weights of spikes or of the input");
    SPINDLE_RETURN_IF_ERROR(checkSums(op, *range, accumulatorBits));
  }
  if (model.isFixedPoint())
    return llvm::Error::success();
  return staysFloat(
      op, fmt::format("{} has no form in fixed point", op->getName().getStringRef().str()),
      "expects snn.if, snn.lif or snn.cuba_lif (euler) on the grid of steps, and "
      "snn.integrator or snn.li; choose another conversion.method or neuron");
}

/// The layer whose sums a value is, whatever views and windows are in between; null where they are
/// decoded.
Operation *layerOfSums(Value value) {
  SetVector<Operation *> found;
  auto add = [&](Value operand) {
    if (Operation *op = operand.getDefiningOp())
      found.insert(op);
  };
  add(value);
  for (size_t n = 0; n < found.size(); ++n) {
    if (isa<snn::SynapseOp>(found[n]))
      return found[n];
    if (!isa<snn::DecodeOp>(found[n]))
      llvm::for_each(found[n]->getOperands(), add);
  }
  return nullptr;
}

/// Sums of a tensor layer that are the answer; its weights have been checked.
llvm::Error checkAnswer(func::ReturnOp op, int64_t accumulatorBits) {
  for (Value answer : op.getOperands()) {
    Operation *layer = layerOfSums(answer);
    if (!layer)
      continue;
    snn::NotInteger fault;
    FailureOr<snn::IntegerRange> range = snn::integerRange(answer, &fault);
    if (failed(range))
      return staysFloat(layer, describe(fault), "expects integer weights of counted spikes");
    SPINDLE_RETURN_IF_ERROR(checkSums(layer, *range, accumulatorBits));
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error checkIntegers(ModuleOp network, int64_t accumulatorBits) {
  auto function = network.lookupSymbol<func::FuncOp>("main");
  if (!function || function.isExternal())
    return inputError("fixed_point", "no function @main, expected a network");
  for (Operation &op : function.getBody().front()) {
    llvm::Error error =
        llvm::TypeSwitch<Operation *, llvm::Error>(&op)
            .Case([](snn::SynapseOp synapse) { return checkSynapse(synapse); })
            .Case([](snn::EncodeOp encode) { return checkEncoder(encode); })
            .Case([&](snn::NeuronOp neurons) { return checkPopulation(neurons, accumulatorBits); })
            .Case([&](func::ReturnOp end) { return checkAnswer(end, accumulatorBits); })
            .Default([](Operation *) { return llvm::Error::success(); });
    if (error)
      return error;
  }
  return llvm::Error::success();
}

} // namespace spindle
