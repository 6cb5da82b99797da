// A network described in a file, and its spikes.
#pragma once

#include "lib/emulation/Emulation.h"
#include "lib/emulation/Trials.h"
#include "lib/frontend/network/NetworkImport.h"
#include "tests/support/TemporaryFolder.h"

#include "gtest/gtest.h"

namespace spindle::test {

struct NetworkFile {
  explicit NetworkFile(const std::string &text, bool listSynapses = false) {
    TemporaryFolder folder;
    ModelOptions options;
    options.listSynapses = listSynapses;
    options.path = folder.write("net.yaml", text);
    auto imported = importNetwork(context, options);
    if (imported)
      module = std::move(*imported);
    else
      ADD_FAILURE() << toText(imported.takeError());
  }
  EmulationResult run(int64_t steps, EmulationEngine engine = EmulationEngine::Compiled,
                      size_t trials = 1, int64_t seed = 1) {
    return run(makeTrials(*module, trials), steps, engine, seed);
  }
  EmulationResult run(const Samples &samples, int64_t steps, EmulationEngine engine,
                      int64_t seed = 1) {
    EmulationOptions options;
    options.steps = steps;
    options.engine = engine;
    options.seed = seed;
    return llvm::cantFail(emulate(*module, samples, options));
  }
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Spikes as steps and neurons of one population, numbered from zero.
inline std::vector<Spike> spikesOf(const EmulationResult &result, const std::string &population,
                                   size_t sample = 0) {
  std::vector<Spike> found;
  for (const Population &each : result.trace.populations)
    for (const Spike &spike : result.trace.recorded[sample])
      if (each.name == population && spike.neuron - each.first < each.size)
        found.push_back({spike.step, spike.neuron - each.first});
  return found;
}

} // namespace spindle::test
