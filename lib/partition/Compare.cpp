#include "lib/partition/Compare.h"

#include "core/chip/work/CrossbarWork.h"

namespace spindle {

PartitionFigures figuresOf(const Clustering &clustering, const Chip &chip) {
  PartitionFigures figures;
  figures.clusters = clustering.clusters.size();
  for (const ClusterLink &link : clustering.links) {
    figures.deliveries += link.spikes;
    figures.partialSums += link.partialSums;
  }
  for (const CrossbarWork &work : workOf(clustering))
    figures.slowestCycles = std::max(figures.slowestCycles, workCycles(work, chip.latency));
  if (clustering.samples > 0)
    figures.slowestCycles /= clustering.samples;
  return figures;
}

} // namespace spindle
