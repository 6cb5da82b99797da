// A network on a chip with fewer crossbars than it needs: placed and simulated load after load.
#pragma once

#include "core/chip/loads/MultiplexedRun.h"
#include "core/run/Progress.h"
#include "lib/mapping/Map.h"
#include "sim/model/ChipSimulation.h"

namespace spindle {

struct SpikeTrace;
struct SpikingGraph;

/// A chip that says what writing a row takes. The error names the key.
llvm::Error checkLoadPrices(const Chip &chip);

/// The loads of a clustering, and beside them the same on the chip with room for all, both in the
/// routers of the model. A single load is not written, since its weights stay. Progress counts the
/// steps of each simulation.
llvm::Expected<MultiplexedRun> runInLoads(const Clustering &clustering, const SpikeTrace &trace,
                                          const SpikingGraph &graph, const Chip &chip,
                                          const MappingOptions &mapping, const ChipOptions &options,
                                          const Progress &progress = {});

/// `2 loads on 5 crossbars: 8123 cycles per sample, 1.7 times those of 10 crossbars`
std::string summaryOf(const MultiplexedRun &run);

} // namespace spindle
