// The stage that runs a network on a chip with fewer crossbars than it needs.
#include "tools/spindle/flow/Stage.h"
#include "tools/spindle/stages/RunLoads.h"

#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"
#include "core/run/StageFileNames.h"

namespace spindle {

llvm::Expected<std::string> runLoad(const StageRun &run) {
  SPINDLE_ASSIGN(Chip chip, readChip(run.flow.chip));
  SPINDLE_ASSIGN(Clustering clustering, readClustering(run.file(run::kClusters)));
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(run.file(run::kSpikes)));
  SPINDLE_ASSIGN(SpikingGraph graph, readSpikingGraph(run.file(run::kGraph)));
  SPINDLE_ASSIGN(MultiplexedRun result, runInLoads(clustering, trace, graph, chip, run.flow.mapping,
                                                   run.flow.simulation, run.counting("steps")));
  SPINDLE_RETURN_IF_ERROR(writeMultiplexedRun(run.output(run::kLoads), result));
  return summaryOf(result);
}

} // namespace spindle
