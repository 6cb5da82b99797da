#include "lib/emulation/graph/SharedSources.h"

#include "lib/emulation/network/Drivers.h"

#include <algorithm>
#include <tuple>

using namespace mlir;

namespace spindle {

/// The lists of a population behind those of the ones before it.
static void append(const Drivers &drive, uint32_t size, SpikingGraph &graph) {
  auto behind = static_cast<uint32_t>(graph.offsets.size() - 1);
  auto close = [&] { graph.offsets.push_back(graph.sources.size()); };
  if (drive.isNothing()) {
    close();
    graph.lists.insert(graph.lists.end(), size, behind);
    return;
  }
  for (uint32_t e = 0; e < size; ++e)
    graph.lists.push_back(behind + (drive.lists ? drive.listOf[e] : e));
  if (!drive.lists) {
    for (uint32_t e = 0; e < size; ++e, close())
      graph.sources.push_back(drive.first + e);
    return;
  }
  for (uint32_t list = 0; list < drive.lists->size(); ++list, close()) {
    auto own = (*drive.lists)[list];
    graph.sources.insert(graph.sources.end(), own.begin(), own.end());
  }
}

uint64_t estimateSynapses(const Network &network) {
  uint64_t synapses = 0;
  for (const NetworkOp &each : network.ops) {
    if (auto dense = dyn_cast<snn::DenseOp>(each.op))
      synapses += uint64_t(snn::sizeOf(dense.getWeight()));
    else if (auto conv = dyn_cast<snn::Conv2dOp>(each.op)) {
      ArrayRef<int64_t> filter = snn::shapeOf(conv.getWeight());
      synapses += uint64_t(snn::sizeOf(conv.getOutput()) * filter[1] * filter[2] * filter[3]);
    }
  }
  return synapses;
}

void shareSources(const Network &network, SpikingGraph &graph) {
  graph.offsets = {0};
  forEachDrive(network, [&](const NetworkOp &each, const Drivers &drive) {
    for (auto [population, kind] : drive.kinds)
      graph.projections.push_back({uint32_t(population), uint32_t(*each.population), kind});
    append(drive, network.populations[*each.population].size, graph);
  });
  std::ranges::sort(graph.projections, {},
                    [](const ProjectionKind &own) { return std::tie(own.from, own.to); });
}

} // namespace spindle
