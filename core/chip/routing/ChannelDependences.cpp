#include "core/chip/routing/ChannelDependences.h"

#include "core/chip/routing/RoutingFunction.h"

#include "fmt/format.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

namespace spindle {

namespace {

/// A head in `tile` that can go nowhere.
struct Standstill {
  TileId tile, target;
};

/// Which channel may wait for which: found by sending a head to every target along every way.
class Dependences {
public:
  Dependences(const Mesh &meshOfChip, const Router &router, uint32_t virtualChannels)
      : mesh(meshOfChip), channels(virtualChannels), route(mesh, router, virtualChannels),
        escapesOnly(router.routing == Routing::MinAdaptive),
        behind(mesh.routers() * kPorts * channels) {
    for (TileId tile = 0; tile < mesh.tiles(); ++tile)
      if (!llvm::is_contained(router.deadTiles, tile))
        ends.push_back(tile);
    for (TileId target : ends)
      addWaysTo(target);
  }

  /// The first head that has no way on to its target.
  const std::optional<Standstill> &standstill() const { return stuck; }

  /// Whether links have several that a routing tells apart.
  bool hasChannels() const { return channels > 1; }

  std::vector<LinkChannel> findCycle() const {
    enum Mark : uint8_t { kNew, kOpen, kDone };
    std::vector<Mark> marks(behind.size(), kNew);
    std::vector<std::pair<uint32_t, size_t>> open; // channel, next of its successors
    for (uint32_t first = 0; first < behind.size(); ++first) {
      if (marks[first] == kNew)
        open.push_back({first, 0});
      while (!open.empty()) {
        auto &[channel, next] = open.back();
        marks[channel] = kOpen;
        if (next == behind[channel].size()) {
          marks[channel] = kDone;
          open.pop_back();
          continue;
        }
        uint32_t successor = behind[channel][next++];
        if (marks[successor] == kOpen)
          return cycleFrom(successor, open);
        if (marks[successor] == kNew)
          open.push_back({successor, 0});
      }
    }
    return {};
  }

private:
  /// A head to `target` has come by a channel of a link, or by kNowhere from its source.
  struct Head {
    uint32_t channel;
    TileId tile;
    uint32_t input, inputChannel;
  };
  static constexpr uint32_t kNowhere = UINT32_MAX;

  void addWaysTo(TileId target) {
    std::vector<bool> seen(behind.size());
    std::vector<Head> heads;
    for (TileId source : ends)
      heads.push_back({kNowhere, source, kLocal, 0});
    while (!heads.empty()) {
      Head head = heads.back();
      heads.pop_back();
      if (head.tile == target)
        continue; // the tile takes what comes
      RouteSet options = route(head.tile, target, head.input, head.inputChannel);
      if (options.count == 0 && !stuck)
        stuck = {head.tile, target};
      for (const RouteOption &option : options)
        for (uint32_t channel = option.first; channel <= option.last; ++channel) {
          uint32_t next = (head.tile * kPorts + option.port) * channels + channel;
          if (head.channel != kNowhere && isCounted(head.channel) && isCounted(next))
            addEdge(head.channel, next);
          if (seen[next])
            continue;
          seen[next] = true;
          heads.push_back({next, neighbourOf(mesh, head.tile, option.port),
                           inputBehind(mesh, head.tile, option.port), channel});
        }
    }
  }

  bool isCounted(uint32_t channel) const {
    return !escapesOnly || channel % channels < (mesh.wraps() ? 2u : 1u);
  }
  void addEdge(uint32_t from, uint32_t to) {
    if (std::find(behind[from].begin(), behind[from].end(), to) == behind[from].end())
      behind[from].push_back(to);
  }
  std::vector<LinkChannel> cycleFrom(uint32_t first,
                                     const std::vector<std::pair<uint32_t, size_t>> &open) const {
    std::vector<LinkChannel> cycle;
    bool isInside = false;
    for (auto [channel, next] : open) {
      isInside |= channel == first;
      if (isInside)
        cycle.push_back(
            {channel / channels / kPorts, channel / channels % kPorts, channel % channels});
    }
    return cycle;
  }

  Mesh mesh;
  uint32_t channels;
  RoutingFunction route;
  bool escapesOnly;
  std::vector<TileId> ends;                  // tiles that work
  std::vector<std::vector<uint32_t>> behind; // per channel (tile, port, channel)
  std::optional<Standstill> stuck;
};

/// Channels that a routing does not tell apart count as one, and so do tiles far from each other
/// where no table says otherwise. In a tree a dead tile is on no other's way.
Dependences dependencesOf(const Mesh &mesh, const Router &given) {
  Router router = given;
  if (mesh.isTree())
    router.deadTiles.clear();
  bool hasTables = router.routing == Routing::UpDown || router.hasFaults();
  auto shortened = [&](uint32_t side) { return side <= 16 || hasTables ? side : 16 - side % 2; };
  Mesh small{shortened(mesh.columns), shortened(mesh.rows), mesh.topology};
  uint32_t channels =
      std::min(router.virtualChannels, leastChannels(router.routing, mesh.topology));
  return Dependences(small, router, channels);
}

std::string nameOf(const Mesh &mesh, TileId tile) {
  return fmt::format("[{}, {}]", mesh.x(tile), mesh.y(tile));
}

} // namespace

std::vector<LinkChannel> findDependenceCycle(const Mesh &mesh, const Router &router) {
  if (mesh.isBus())
    return {}; // a transfer holds nothing while it waits (BusTransfers.h)
  return dependencesOf(mesh, router).findCycle();
}

/// Whether no routing has a way between some tiles: the one that goes round all faults has none.
static bool isCutInTwo(const Chip &chip) {
  Router router = chip.router;
  router.routing = Routing::UpDown;
  return dependencesOf(chip.mesh, router).standstill().has_value();
}

llvm::Error checkDeadlockFree(const Chip &chip) {
  if (chip.mesh.isBus())
    return llvm::Error::success();
  Dependences dependences = dependencesOf(chip.mesh, chip.router);
  if (const std::optional<Standstill> &stuck = dependences.standstill()) {
    return inputError(
        chip.path,
        fmt::format("a packet for tile {} has no way on from tile {}: {}",
                    nameOf(chip.mesh, stuck->target), nameOf(chip.mesh, stuck->tile),
                    isCutInTwo(chip)
                        ? "the faults cut the mesh in two"
                        : fmt::format("routing {} does not go round the faults; use routing "
                                      "up_down",
                                      kRoutingNames[static_cast<size_t>(chip.router.routing)])));
  }
  std::vector<LinkChannel> cycle = dependences.findCycle();
  if (cycle.empty())
    return llvm::Error::success();
  return inputError(
      chip.path,
      fmt::format("packets may block each other for ever: with routing {} on this {} the links {} "
                  "wait for each other in a circle (tile and direction); use routing xy",
                  kRoutingNames[static_cast<size_t>(chip.router.routing)], chip.mesh.topologyName(),
                  linkNames(cycle, dependences.hasChannels())));
}

} // namespace spindle
