#include "lib/mapping/NetProblem.h"

#include "core/chip/RouterTiming.h"
#include "lib/mapping/NetCost.h"

#include <algorithm>
#include <map>

namespace spindle {

namespace {

/// Neurons with the same source and targets are one net. A cluster hears its own neurons without a
/// packet, but where each crossbar has one.
void collectSpikes(const Clustering &clustering, NetProblem &problem, uint32_t flits) {
  std::vector<uint32_t> home(clustering.neurons, problem.host());
  for (const Unit &unit : clustering.units)
    if (unit.carryTo == kNone)
      home[unit.neuron] = unit.cluster;
  std::vector<std::vector<ClusterId>> heardBy(clustering.neurons);
  std::vector<uint64_t> spikes(clustering.neurons, 0);
  for (ClusterId c = 0; c < clustering.clusters.size(); ++c)
    for (const Axon &axon : clustering.clusters[c].axons) {
      spikes[axon.neuron] = axon.spikes;
      if (problem.prices.toEach || home[axon.neuron] != c)
        heardBy[axon.neuron].push_back(c);
    }
  std::map<std::pair<uint32_t, std::vector<ClusterId>>, uint64_t> nets;
  for (uint32_t neuron = 0; neuron < clustering.neurons; ++neuron)
    if (!heardBy[neuron].empty() && spikes[neuron] > 0)
      nets[{home[neuron], std::move(heardBy[neuron])}] += spikes[neuron];
  for (const auto &[ends, count] : nets) {
    uint64_t first = problem.targets.size();
    problem.targets.insert(problem.targets.end(), ends.second.begin(), ends.second.end());
    problem.nets.push_back(
        {ends.first, first, problem.targets.size(), double(count), double(count) * flits});
  }
}

void collectSums(const Clustering &clustering, const Chip &chip, NetProblem &problem) {
  for (const ClusterLink &link : clustering.links) {
    if (link.partialSums == 0)
      continue;
    auto packets = double(partialSumPackets(clustering, link));
    problem.targets.push_back(link.to);
    problem.nets.push_back({link.from, problem.targets.size() - 1, problem.targets.size(), packets,
                            partialSumFlits(chip.router, packets, double(link.partialSums)),
                            clustering.sums == PartialSums::Tile});
  }
}

} // namespace

llvm::Expected<NetProblem> netProblem(const Clustering &clustering, const Chip &chip,
                                      PlacementObjective objective) {
  NetProblem problem;
  problem.mesh = chip.mesh;
  problem.crossbarsPerTile = chip.crossbarsPerTile;
  problem.clusters = static_cast<uint32_t>(clustering.clusters.size());
  problem.room = PlacementRoom(clustering, chip);
  for (TileId tile = 0; tile < chip.mesh.tiles(); ++tile)
    problem.hostTiles.push_back(chip.mesh.hostTileFor(tile));
  NetPrices &prices = problem.prices;
  RouterTiming timing(chip);
  prices.chipLink = hopsPerChipLink(chip) - 1;
  bool isUnicast = chip.router.multicast == Multicast::Unicast;
  if (objective == PlacementObjective::Energy)
    prices = {.isTree = !isUnicast,
              .hopX = chip.energy.hopXPj.value,
              .hopY = chip.energy.hopYPj.value,
              .made = chip.energy.axonOutPj.value,
              .received = chip.energy.axonInPj.value,
              .chipLink = chip.energy.chipLinkPj.value};
  if (objective == PlacementObjective::Congestion)
    prices = {.isTree = !isUnicast,
              .squares = true,
              .onChipLink = timing.chipLink.busy / timing.link.busy};
  if (objective == PlacementObjective::Time)
    prices = {.isTree = !isUnicast,
              .squares = true,
              .onLink = timing.link.busy,
              .onChipLink = timing.chipLink.busy,
              .onPortIn = timing.busyInject,
              .onPortOut = timing.busyEject};
  prices.toEach = !prices.isTree && chip.router.packetsTo == PacketTarget::Crossbar;
  collectSpikes(clustering, problem, chip.router.spikePacketFlits);
  collectSums(clustering, chip, problem);
  problem.netsOf.resize(problem.clusters + 1);
  for (uint32_t n = 0; n < problem.nets.size(); ++n) {
    const Net &net = problem.nets[n];
    problem.netsOf[net.source].push_back(n);
    for (ClusterId target : problem.targetsOf(net))
      if (target != net.source)
        problem.netsOf[target].push_back(n);
  }
  return problem;
}

/// Those of the way to one tile after the other that no way before has.
static NetLinks linksOfWays(const Mesh &mesh, TileId source, std::span<const TileId> tiles) {
  NetLinks links;
  std::vector<std::pair<TileId, TileId>> known;
  for (TileId tile : tiles)
    mesh.visitLinks(source, tile, [&](TileId from, TileId to) { known.emplace_back(from, to); });
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (auto [from, to] : known) {
    links.alongX += mesh.hopsX(from, to);
    links.alongY += mesh.hopsY(from, to);
  }
  return links;
}

NetLinks linksOf(const Mesh &mesh, TileId source, std::span<const TileId> tiles, bool isTree) {
  NetLinks links;
  if (isTree && mesh.isTree())
    return linksOfWays(mesh, source, tiles);
  if (isTree && mesh.isBus()) {
    const BusLine line = mesh.bus();
    const BusSpan span = line.spanOf(source, tiles);
    links.alongX = mesh.hopsX(line.tileAt(span.first), line.tileAt(span.last));
    links.alongY = mesh.hopsY(line.tileAt(span.first), line.tileAt(span.last));
    return links;
  }
  if (!isTree || mesh.wraps()) {
    for (TileId tile : tiles) {
      links.alongX += mesh.hopsX(source, tile);
      links.alongY += mesh.hopsY(source, tile);
      links.betweenChips += mesh.crossings(source, tile);
    }
    return links;
  }
  // Along the source's row to the farthest columns, and from there to the farthest rows.
  uint32_t x = mesh.x(source), y = mesh.y(source), west = x, east = x;
  struct Reach {
    uint32_t column, north, south;
  };
  constexpr size_t kFew = 64;
  Reach few[kFew];
  std::vector<Reach> many;
  Reach *reaches = few;
  if (tiles.size() > kFew) {
    many.resize(tiles.size());
    reaches = many.data();
  }
  size_t columns = 0;
  for (TileId tile : tiles) {
    uint32_t column = mesh.x(tile), row = mesh.y(tile);
    west = std::min(west, column);
    east = std::max(east, column);
    Reach *found = std::find_if(reaches, reaches + columns,
                                [&](const Reach &r) { return r.column == column; });
    if (found == reaches + columns)
      reaches[columns++] = {column, y, y};
    found->north = std::min(found->north, row);
    found->south = std::max(found->south, row);
  }
  links.alongX = east - west;
  links.betweenChips = mesh.crossingsX(mesh.at(west, y), mesh.at(east, y));
  for (size_t i = 0; i < columns; ++i) {
    links.alongY += reaches[i].south - reaches[i].north;
    links.betweenChips +=
        mesh.crossingsY(mesh.at(x, reaches[i].north), mesh.at(x, reaches[i].south));
  }
  return links;
}

double costOf(const NetProblem &problem, const Slots &slots) {
  return NetCost(problem, slots).cost();
}

} // namespace spindle
