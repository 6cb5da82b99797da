#include "lib/emulation/SteppedEmulation.h"

#include "lib/emulation/interpreter/SteppedInterpreter.h"

namespace spindle {

using interpreter::Interpreter;
using interpreter::SteppedInterpreter;
using interpreter::SteppedPlan;

struct SteppedEmulation::Parts {
  Network network;
  SteppedPlan plan;
  const Samples &samples;
  InputMapping mapping;
  Interpreter<float> interpreter;
  uint64_t seed;
  uint32_t steps;

  Parts(Network checked, const Samples &inputs, InputMapping arrangement,
        const EmulationOptions &options)
      : network(std::move(checked)), samples(inputs), mapping(std::move(arrangement)),
        interpreter(network), seed(static_cast<uint64_t>(options.seed)),
        steps(static_cast<uint32_t>(options.steps)) {}
};

SteppedEmulation::SteppedEmulation(std::unique_ptr<Parts> made) : parts(std::move(made)) {}
SteppedEmulation::~SteppedEmulation() = default;

llvm::Expected<std::unique_ptr<SteppedEmulation>>
SteppedEmulation::make(mlir::ModuleOp snn, const Samples &samples,
                       const EmulationOptions &options) {
  SPINDLE_RETURN_IF_ERROR(checkEmulationOptions(options));
  SPINDLE_ASSIGN(Network network, readNetwork(snn));
  if (!network.runsInTime)
    return inputError(placeOrNameOf(network.function), "the network has no populations, expected a "
                                                       "spiking one; run spindle convert first");
  SPINDLE_ASSIGN(InputMapping mapping, InputMapping::match(network, samples));
  SPINDLE_RETURN_IF_ERROR(checkLabels(network, samples));
  auto parts = std::make_unique<Parts>(std::move(network), samples, std::move(mapping), options);
  SPINDLE_ASSIGN(parts->plan, interpreter::planSteps(parts->network));
  return std::unique_ptr<SteppedEmulation>(new SteppedEmulation(std::move(parts)));
}

std::unique_ptr<SteppedNetwork> SteppedEmulation::open() const {
  return std::make_unique<SteppedInterpreter>(parts->network, parts->plan, parts->interpreter,
                                              parts->samples, parts->mapping, parts->seed,
                                              parts->steps);
}

} // namespace spindle
