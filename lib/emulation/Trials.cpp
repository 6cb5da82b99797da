#include "lib/emulation/Trials.h"

#include "lib/emulation/network/Network.h"

#include "fmt/format.h"

#include <cmath>

using namespace mlir;

namespace spindle {

static BlockArgument inputOf(ModuleOp network) {
  auto function = network.lookupSymbol<func::FuncOp>("main");
  bool hasInput = function && !function.isExternal() && function.getNumArguments() > 0;
  return hasInput ? function.getArgument(0) : BlockArgument();
}

bool readsSamples(ModuleOp network) {
  BlockArgument input = inputOf(network);
  return !input ||
         !llvm::all_of(input.getUsers(), [](Operation *user) { return ignoresSource(user); });
}

Samples makeTrials(ModuleOp network, size_t count) {
  Samples samples;
  samples.shape = snn::shapeOf(inputOf(network)).vec();
  samples.values.assign(count * samples.size(), 0);
  samples.labels.assign(count, 0);
  samples.labelled = false;
  return samples;
}

double stepMsOf(const EmulationOptions &options, ModuleOp network) {
  auto duration = network->getAttrOfType<FloatAttr>("snn.dt_ms");
  return duration ? duration.getValueAsDouble() : options.stepMs;
}

llvm::Expected<int64_t> stepsOf(const EmulationOptions &options, ModuleOp network) {
  if (!options.durationMs)
    return options.steps;
  double stepMs = stepMsOf(options, network), steps = *options.durationMs / stepMs;
  if (std::abs(steps - std::round(steps)) > 1e-6 * std::max(1.0, steps) || steps > 1e9)
    return inputError("emulation", fmt::format("duration is {} ms, expected a multiple of a step "
                                               "of {} ms",
                                               *options.durationMs, stepMs));
  return static_cast<int64_t>(std::llround(steps));
}

} // namespace spindle
