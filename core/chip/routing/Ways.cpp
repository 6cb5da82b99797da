#include "core/chip/routing/Ways.h"

#include <cassert>

namespace spindle {

template <typename Visit> void Ways::walk(TileId from, TileId to, Visit visit) const {
  uint32_t input = kLocal, channel = 0;
  for (TileId tile = from; tile != to;) {
    RouteSet options = next(tile, to, input, channel);
    assert(options.count > 0);
    const RouteOption &first = *options.begin();
    input = inputBehind(mesh, tile, first.port);
    tile = neighbourOf(mesh, tile, first.port);
    channel = first.first;
    visit(tile);
  }
}

std::vector<TileId> Ways::route(TileId from, TileId to) const {
  std::vector<TileId> tiles = {from};
  walk(from, to, [&](TileId tile) { tiles.push_back(tile); });
  return tiles;
}

/// Of links on shortest ways, which add up along any way.
uint32_t Ways::sum(TileId from, TileId to, uint32_t (Mesh::*links)(TileId, TileId) const) const {
  if (router.routing != Routing::UpDown)
    return (mesh.*links)(from, to);
  uint32_t all = 0;
  TileId before = from;
  walk(from, to, [&](TileId tile) {
    all += (mesh.*links)(before, tile);
    before = tile;
  });
  return all;
}

uint32_t Ways::hops(TileId from, TileId to) const { return sum(from, to, &Mesh::hops); }
uint32_t Ways::hopsX(TileId from, TileId to) const { return sum(from, to, &Mesh::hopsX); }
uint32_t Ways::crossings(TileId from, TileId to) const { return sum(from, to, &Mesh::crossings); }

} // namespace spindle
