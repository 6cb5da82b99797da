#include "tools/spindle/flow/LeftOut.h"

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/File.h"

#include "fmt/format.h"

#include <filesystem>

namespace spindle {

llvm::Expected<std::string> whyLeftOut(const Stage &stage, const Flow &flow,
                                       const std::string &folder) {
  bool isLoad = stage.run == runLoad;
  if (!isAsked(flow, stage)) {
    bool isLeft = isLoad && flow.hasChip && isThere(folder + "/" + run::kLoads);
    return isLeft ? "left out: the flow has no partition.multiplex" : "";
  }
  std::string file = folder + "/" + run::kClusters;
  bool takesAll = llvm::is_contained({runAnalyze, runMap, runSimulate, runAssess}, stage.run);
  if (!flow.hasLoads || (!isLoad && !takesAll) || !isThere(file))
    return "";
  SPINDLE_ASSIGN(Chip chip, readChip(flow.chip));
  SPINDLE_ASSIGN(Clustering clustering, readClustering(file));
  size_t needed = clustering.clusters.size();
  bool fits = needed <= chip.crossbars();
  if (isLoad && fits)
    return fmt::format("left out: the chip has {} crossbars for {} clusters", chip.crossbars(),
                       needed);
  if (takesAll && !fits)
    return fmt::format("left out: it takes all {} clusters at once, and the chip has {} crossbars; "
                       "the stage load runs them",
                       needed, chip.crossbars());
  return "";
}

} // namespace spindle
