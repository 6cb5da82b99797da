#include "lib/mapping/NetCost.h"

#include <algorithm>
#include <utility>

namespace spindle {

/// What a packet goes through at a router: one of its links, and the ports of the tile. A tree's
/// link is told by the router below it, and whether packets go up or down; a bus has its segments,
/// both ways, at the first places of the line.
static constexpr uint32_t kUp = 0, kDown = 1, kSegment = 0, kPortIn = 4, kPortOut = 5, kWays = 6;

/// Of a link to a neighbour in a row or column: which of the four ways it goes.
static uint32_t wayOf(const Mesh &mesh, TileId from, TileId to) {
  if (mesh.y(from) == mesh.y(to))
    return mesh.direction(mesh.x(from), mesh.x(to), mesh.columns) > 0;
  return 2 + (mesh.direction(mesh.y(from), mesh.y(to), mesh.rows) > 0);
}

NetCost::NetCost(const NetProblem &nets, const Slots &slots)
    : problem(nets), costs(nets.nets.size(), 0) {
  for (SlotId slot : slots)
    tiles.push_back(slot / problem.crossbarsPerTile);
  if (problem.prices.squares) {
    loads.assign(size_t(problem.mesh.routers()) * kWays, 0);
    stampOf.assign(loads.size(), 0);
  }
  for (uint32_t net = 0; net < problem.nets.size(); ++net)
    put(net);
}

void NetCost::collectTiles(const Net &net) {
  heard.clear();
  local.clear();
  bool isHost = net.source == problem.host();
  for (ClusterId target : problem.targetsOf(net)) {
    TileId tile = tiles[target], source = isHost ? problem.hostTiles[tile] : tiles[net.source];
    if (tile != source)
      heard.push_back(tile);
    else if (problem.prices.toEach || !isHost)
      local.push_back(tile);
  }
  if (isHost)
    std::ranges::sort(heard, {}, [&](TileId t) { return std::pair(problem.hostTiles[t], t); });
  else
    std::ranges::sort(heard);
  if (net.isWired)
    local.clear();
  if (problem.prices.toEach)
    return;
  heard.erase(std::unique(heard.begin(), heard.end()), heard.end());
  local.resize(std::min<size_t>(local.size(), 1));
}

/// With each tile that packets of the net at hand begin at, and those of `heard` that they go to.
template <typename Visit> void NetCost::visitSources(const Net &net, Visit visit) const {
  if (net.source != problem.host())
    return visit(tiles[net.source], std::span(heard));
  for (size_t first = 0, last; first < heard.size(); first = last) {
    TileId source = problem.hostTiles[heard[first]];
    for (last = first + 1; last < heard.size() && problem.hostTiles[heard[last]] == source;)
      ++last;
    visit(source, std::span(heard).subspan(first, last - first));
  }
}

double NetCost::priceOf(const Net &net) {
  const NetPrices &prices = problem.prices;
  NetLinks links;
  visitSources(net, [&](TileId source, std::span<const TileId> targets) {
    NetLinks own = linksOf(problem.mesh, source, targets, prices.isTree);
    links.alongX += own.alongX;
    links.alongY += own.alongY;
    links.betweenChips += own.betweenChips;
  });
  double made = prices.isTree ? !heard.empty() : double(heard.size());
  return net.flits * (prices.hopX * links.alongX + prices.hopY * links.alongY +
                      prices.chipLink * links.betweenChips) +
         net.packets *
             ((net.source == problem.host() ? 0 : prices.made * (made + double(local.size()))) +
              prices.received * double(heard.size() + local.size()));
}

void NetCost::load(const Net &net, double flits) {
  const Mesh &mesh = problem.mesh;
  const NetPrices &prices = problem.prices;
  auto addTo = [&](TileId tile, uint32_t way, double weight) {
    size_t place = size_t(tile) * kWays + way;
    if (weight == 0 || (prices.isTree && stampOf[place] == stamp))
      return;
    stampOf[place] = stamp;
    total -= loads[place] * loads[place];
    loads[place] += flits * weight;
    total += loads[place] * loads[place];
  };
  auto addLink = [&](TileId from, TileId to) {
    if (mesh.isBus())
      addTo(mesh.bus().segmentOf(from, to), kSegment, prices.onLink);
    else if (mesh.isTree())
      addTo(std::min(from, to), from < to ? kUp : kDown, prices.onLink);
    else
      addTo(from, wayOf(mesh, from, to),
            mesh.crossings(from, to) == 0 ? prices.onLink : prices.onChipLink);
  };
  for (TileId tile : local) {
    ++stamp;
    addTo(tile, kPortIn, prices.onPortIn);
    addTo(tile, kPortOut, prices.onPortOut);
  }
  const bool isSpan = mesh.isBus() && prices.isTree; // one transfer for all targets
  visitSources(net, [&](TileId source, std::span<const TileId> targets) {
    ++stamp;
    for (TileId target : targets) {
      addTo(source, kPortIn, prices.onPortIn);
      addTo(target, kPortOut, prices.onPortOut);
      if (!isSpan)
        mesh.visitLinks(source, target, addLink);
    }
    if (isSpan) {
      const BusLine line = mesh.bus();
      const BusSpan span = line.spanOf(source, targets);
      mesh.visitLinks(line.tileAt(span.first), line.tileAt(span.last), addLink);
    }
  });
}

void NetCost::take(uint32_t net) {
  if (problem.prices.squares) {
    collectTiles(problem.nets[net]);
    load(problem.nets[net], -problem.nets[net].flits);
  } else {
    total -= costs[net];
  }
}

void NetCost::put(uint32_t net) {
  collectTiles(problem.nets[net]);
  if (problem.prices.squares) {
    load(problem.nets[net], problem.nets[net].flits);
  } else {
    costs[net] = priceOf(problem.nets[net]);
    total += costs[net];
  }
}

void NetCost::change(std::span<const std::pair<ClusterId, TileId>> moves) {
  touched.clear();
  oldTiles.clear();
  for (auto [cluster, tile] : moves)
    touched.insert(touched.end(), problem.netsOf[cluster].begin(), problem.netsOf[cluster].end());
  if (moves.size() > 1) {
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  }
  oldCosts.clear();
  for (uint32_t net : touched) {
    oldCosts.push_back(costs[net]);
    take(net);
  }
  for (auto [cluster, tile] : moves) {
    oldTiles.emplace_back(cluster, tiles[cluster]);
    tiles[cluster] = tile;
  }
  for (uint32_t net : touched)
    put(net);
}

void NetCost::move(ClusterId a, TileId to) {
  std::pair<ClusterId, TileId> moves[] = {{a, to}};
  change(moves);
}

void NetCost::swap(ClusterId a, ClusterId b) {
  std::pair<ClusterId, TileId> moves[] = {{a, tiles[b]}, {b, tiles[a]}};
  change(moves);
}

void NetCost::undo() {
  if (problem.prices.squares) {
    auto back = oldTiles;
    change(back);
    return;
  }
  for (size_t i = 0; i < touched.size(); ++i) {
    total += oldCosts[i] - costs[touched[i]];
    costs[touched[i]] = oldCosts[i];
  }
  for (auto [cluster, tile] : oldTiles)
    tiles[cluster] = tile;
}

} // namespace spindle
