#include "lib/emulation/network/FixedPoint.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace spindle {

namespace {

constexpr double kExact = 1 << 24; // every integer up to it is an f32

llvm::Expected<double> mostOf(Value signal);

/// The most spikes of one neuron in one step; recorded events count as one.
double mostSpikes(Operation *op) {
  if (auto feedback = dyn_cast_or_null<snn::FeedbackOp>(op))
    op = populationOf(feedback);
  if (auto gather = dyn_cast_or_null<snn::GatherOp>(op))
    op = gather.getInput().getDefiningOp();
  if (auto neuron = dyn_cast_or_null<snn::NeuronOp>(op))
    return double(neuron.neuronModel().maxSpikes);
  return 1;
}

llvm::Error checkInteger(Operation *op, const char *what, float value) {
  if (value == std::trunc(value))
    return llvm::Error::success();
  return inputError(placeOrNameOf(op),
                    fmt::format("{} has the {} {} before a population in fixed point, "
                                "expected integers; run snn-quantize-weights",
                                nameOf(op), what, value));
}

/// The greatest sum of weights, by amount, over the outputs of a linear operation.
llvm::Expected<double> mostOfSums(snn::SynapseOp synapse) {
  std::vector<double> sums;
  for (auto [index, source] : llvm::enumerate(synapse.getSources())) {
    SPINDLE_ASSIGN(double input, mostOf(source));
    snn::LinearMap map = *synapse.linearMap(unsigned(index));
    sums.resize(map.outputs, 0);
    for (size_t output = 0; output < map.outputs; ++output) {
      SPINDLE_RETURN_IF_ERROR(checkInteger(synapse, "bias", map.bias[output]));
      sums[output] += std::abs(double(map.bias[output]));
      for (size_t k = map.offsets[output]; k < map.offsets[output + 1]; ++k) {
        SPINDLE_RETURN_IF_ERROR(checkInteger(synapse, "weight", map.weights[k]));
        sums[output] += std::abs(double(map.weights[k])) * input;
      }
    }
  }
  return *std::max_element(sums.begin(), sums.end());
}

llvm::Expected<double> mostOf(Value signal) {
  Operation *op = signal.getDefiningOp();
  if (isa<snn::SpikeBundleType>(signal.getType()) && !isa_and_nonnull<snn::SynapseOp>(op))
    return mostSpikes(op);
  if (auto synapse = dyn_cast_or_null<snn::SynapseOp>(op))
    return mostOfSums(synapse);
  return inputError(op ? placeOrNameOf(op) : "@main",
                    fmt::format("{} drives a population in fixed point, expected integer weights "
                                "of spikes",
                                op ? nameOf(op) : "the input"));
}

} // namespace

llvm::Error checkFixedPoint(const Network &network) {
  for (const NetworkOp &each : network.ops) {
    if (!isa<snn::FixedLifOp>(each.op))
      continue;
    SPINDLE_ASSIGN(double most, mostOf(each.sources.front()));
    if (most > kExact)
      return inputError(placeOrNameOf(each.op),
                        fmt::format("the currents of {} may reach {:.0f}, expected at most {:.0f}, "
                                    "up to which sums are exact; use fewer bits for the weights",
                                    nameOf(each.op), most, kExact));
  }
  return llvm::Error::success();
}

} // namespace spindle
