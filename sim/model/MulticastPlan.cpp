#include "sim/model/MulticastPlan.h"

#include "fmt/format.h"

#include <algorithm>
#include <map>

namespace spindle {

std::vector<uint32_t> MulticastPlan::tableEntries(const Mesh &mesh) const {
  std::vector<uint32_t> entries(mesh.routers());
  for (const MulticastTree &tree : trees)
    countTableEntries(mesh, tree, entries);
  return entries;
}

namespace {

class Planner {
public:
  Planner(const SpikeFanOut &tables, const Chip &target) : fanOut(tables), chip(target) {}

  MulticastPlan plan(uint32_t neurons) {
    for (NeuronId neuron = 0; neuron < neurons; ++neuron)
      made.packets.push_back(packetsOf(neuron));
    return std::move(made);
  }

private:
  std::vector<PlannedPacket> packetsOf(NeuronId neuron) {
    std::map<TileId, llvm::ArrayRef<Stop>> stopsAt;
    std::map<TileId, std::vector<TileId>> targetsOf; // per tile that they come from
    for (llvm::ArrayRef<Stop> left = fanOut.stops(neuron); !left.empty();) {
      TileId tile = left.front().tile;
      auto here = left.take_while([&](const Stop &stop) { return stop.tile == tile; });
      left = left.drop_front(here.size());
      TileId source = fanOut.sourceTile(fanOut.home(neuron), tile);
      if (tile == source)
        continue;
      targetsOf[source].push_back(tile);
      stopsAt[tile] = here;
    }
    std::vector<PlannedPacket> packets;
    for (const auto &[source, targets] : targetsOf)
      for (const std::vector<TileId> &group : groupsOf(source, targets)) {
        PlannedPacket packet{treeOf(source, group), {}};
        for (TileId target : group)
          packet.stops.push_back(stopsAt[target]);
        packets.push_back(std::move(packet));
      }
    return packets;
  }

  std::vector<std::vector<TileId>> groupsOf(TileId source, const std::vector<TileId> &targets) {
    if (chip.router.multicast == Multicast::Path)
      return multicastPaths(chip.mesh, chip.router.routing, source, targets);
    return {targets};
  }

  uint32_t treeOf(TileId source, const std::vector<TileId> &targets) {
    auto [known, isNew] =
        numbers.try_emplace({source, targets}, static_cast<uint32_t>(made.trees.size()));
    if (isNew)
      made.trees.push_back(multicastTree(chip.mesh, chip.router.routing, source, targets));
    return known->second;
  }

  const SpikeFanOut &fanOut;
  const Chip &chip;
  std::map<std::pair<TileId, std::vector<TileId>>, uint32_t> numbers; // of trees
  MulticastPlan made;
};

} // namespace

llvm::Expected<MulticastPlan> planMulticast(const SpikeFanOut &fanOut, uint32_t neurons,
                                            const Chip &chip) {
  MulticastPlan plan = Planner(fanOut, chip).plan(neurons);
  if (chip.mesh.isBus()) // no routers, no tables
    return plan;
  std::vector<uint32_t> entries = plan.tableEntries(chip.mesh);
  auto fullest = std::max_element(entries.begin(), entries.end());
  auto router = static_cast<TileId>(fullest - entries.begin());
  bool isAtTile = router < chip.mesh.tiles();
  if (*fullest > chip.router.multicastEntries)
    return inputError(chip.path,
                      fmt::format("the {} needs {} multicast entries, "
                                  "its table has {}; set multicast_entries: {}, or "
                                  "multicast: unicast",
                                  (isAtTile ? "router of " : "") + chip.mesh.routerName(router),
                                  *fullest, chip.router.multicastEntries, *fullest));
  return plan;
}

} // namespace spindle
