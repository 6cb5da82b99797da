#include "core/network/synapses/SynapseRuns.h"

#include <algorithm>
#include <tuple>

namespace spindle {

SynapseRuns::SynapseRuns(const SpikingGraph &of)
    : graph(of), firstOnto(of.populations.size() + 1), byEnd(of.projections) {
  std::ranges::sort(byEnd, {},
                    [](const ProjectionKind &each) { return std::tie(each.to, each.from); });
  for (size_t p = 0; p < firstOnto.size(); ++p)
    firstOnto[p] =
        size_t(std::ranges::lower_bound(byEnd, p, {}, &ProjectionKind::to) - byEnd.begin());
}

size_t SynapseRuns::populationOf(NeuronId neuron) const {
  auto behind = std::ranges::upper_bound(graph.populations, neuron, {}, &Population::first);
  return size_t(behind - graph.populations.begin()) - 1;
}

void SynapseRuns::forEach(NeuronId target, uint64_t first, uint64_t last, Visit visit) const {
  if (byEnd.empty() && first < last)
    return visit(first, last, SynapseKind::Unknown);
  size_t onto = populationOf(target);
  size_t projection = firstOnto[onto];
  auto begin = graph.sources.begin();
  while (first < last) {
    size_t from = populationOf(graph.sources[first]);
    NeuronId behind = graph.populations[from].first + graph.populations[from].size;
    auto end = std::lower_bound(begin + ptrdiff_t(first), begin + ptrdiff_t(last), behind);
    SynapseKind kind = SynapseKind::Unknown;
    // Both ascend by the population that they are from.
    while (projection < firstOnto[onto + 1] && byEnd[projection].from < from)
      ++projection;
    if (projection < firstOnto[onto + 1] && byEnd[projection].from == from)
      kind = byEnd[projection].kind;
    visit(first, uint64_t(end - begin), kind);
    first = uint64_t(end - begin);
  }
}

} // namespace spindle
