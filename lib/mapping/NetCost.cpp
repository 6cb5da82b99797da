#include "lib/mapping/NetCost.h"

#include <algorithm>
#include <utility>

namespace spindle {

NetCost::NetCost(const NetProblem &nets, const Slots &slots)
    : problem(nets), costs(nets.nets.size(), 0) {
  for (SlotId slot : slots)
    tiles.push_back(slot / problem.crossbarsPerTile);
  if (problem.prices.squares) {
    loads.assign(size_t(problem.mesh.tiles()) * 4, 0);
    stampOf.assign(loads.size(), 0);
  }
  for (uint32_t net = 0; net < problem.nets.size(); ++net)
    put(net);
}

void NetCost::collectTiles(const Net &net) {
  heard.clear();
  isLocal = false;
  if (net.source == problem.host()) {
    for (ClusterId target : problem.targetsOf(net))
      if (TileId tile = tiles[target]; tile != problem.hostTiles[tile])
        heard.push_back(tile);
    std::ranges::sort(heard, {}, [&](TileId t) { return std::pair(problem.hostTiles[t], t); });
  } else {
    for (ClusterId target : problem.targetsOf(net)) {
      if (tiles[target] == tiles[net.source])
        isLocal = !net.isWired;
      else
        heard.push_back(tiles[target]);
    }
    std::ranges::sort(heard);
  }
  heard.erase(std::unique(heard.begin(), heard.end()), heard.end());
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
  });
  double made = prices.isTree ? !heard.empty() : double(heard.size());
  return net.flits * (prices.hopX * links.alongX + prices.hopY * links.alongY) +
         net.packets * ((net.source == problem.host() ? 0 : prices.made * (made + isLocal)) +
                        prices.received * (double(heard.size()) + isLocal));
}

void NetCost::load(const Net &net, double flits) {
  const Mesh &mesh = problem.mesh;
  auto add = [&](size_t link) {
    if (problem.prices.isTree && stampOf[link] == stamp)
      return;
    stampOf[link] = stamp;
    total -= loads[link] * loads[link];
    loads[link] += flits;
    total += loads[link] * loads[link];
  };
  auto next = [](uint32_t place, int32_t step, uint32_t length) {
    return (place + length + static_cast<uint32_t>(step)) % length;
  };
  visitSources(net, [&](TileId source, std::span<const TileId> targets) {
    ++stamp;
    for (TileId target : targets) {
      uint32_t x = mesh.x(source), y = mesh.y(source);
      for (int32_t step; (step = mesh.direction(x, mesh.x(target), mesh.columns)) != 0;
           x = next(x, step, mesh.columns))
        add(size_t(mesh.at(x, y)) * 4 + (step > 0));
      for (int32_t step; (step = mesh.direction(y, mesh.y(target), mesh.rows)) != 0;
           y = next(y, step, mesh.rows))
        add(size_t(mesh.at(x, y)) * 4 + 2 + (step > 0));
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
