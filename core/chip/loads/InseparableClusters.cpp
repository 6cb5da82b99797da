#include "core/chip/loads/InseparableClusters.h"

#include "core/support/StrongComponents.h"

#include <algorithm>

namespace spindle {

std::vector<std::vector<ClusterId>> inseparableClusters(const Clustering &clustering) {
  std::vector<std::pair<uint32_t, uint32_t>> arcs;
  for (const ClusterLink &link : clustering.links)
    if (link.from != kNone)
      arcs.emplace_back(link.from, link.to);
  // Sums hold both ends together, whether or not one of the recorded samples makes any.
  for (const Unit &unit : clustering.units)
    if (unit.carryTo != kNone)
      if (ClusterId next = clustering.units[unit.carryTo].cluster; next != unit.cluster) {
        arcs.emplace_back(unit.cluster, next);
        arcs.emplace_back(next, unit.cluster);
      }
  auto clusters = static_cast<uint32_t>(clustering.clusters.size());
  std::vector<uint32_t> partOf = strongComponents(clusters, arcs);
  std::vector<std::vector<ClusterId>> parts;
  for (ClusterId c = 0; c < clusters; ++c) {
    parts.resize(std::max<size_t>(parts.size(), partOf[c] + 1));
    parts[partOf[c]].push_back(c);
  }
  std::reverse(parts.begin(), parts.end()); // a component comes after all that it reaches
  return parts;
}

} // namespace spindle
