#include "lib/emulation/network/FixedPoint.h"

#include "dialects/snn/IntegerRange.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle {

static llvm::Error refusalOf(const snn::NotInteger &fault) {
  if (fault.what.empty())
    return inputError(fault.op ? placeOrNameOf(fault.op) : "@main",
                      fmt::format("{} drives a population in fixed point, expected integer weights "
                                  "of spikes",
                                  fault.op ? nameOf(fault.op) : "the input"));
  return inputError(placeOrNameOf(fault.op),
                    fmt::format("{} has the {} {} before a population in fixed point, "
                                "expected integers; run snn-quantize-weights",
                                nameOf(fault.op), fault.what, fault.value));
}

llvm::Error checkFixedPoint(const Network &network) {
  for (const NetworkOp &each : network.ops) {
    auto neurons = dyn_cast<snn::NeuronOp>(each.op);
    if (!neurons || !neurons.neuronModel().isFixedPoint())
      continue;
    snn::NotInteger fault;
    FailureOr<snn::IntegerRange> range = snn::integerRange(each.sources.front(), &fault);
    if (failed(range))
      return refusalOf(fault);
    if (!range->isExact())
      return inputError(placeOrNameOf(each.op),
                        fmt::format("the currents of {} {}; use fewer bits for the weights",
                                    nameOf(each.op), range->excessText()));
  }
  return llvm::Error::success();
}

} // namespace spindle
