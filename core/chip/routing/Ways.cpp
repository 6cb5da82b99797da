#include "core/chip/routing/Ways.h"

#include <cassert>

namespace spindle {

template <typename Visit> void Ways::walk(TileId from, TileId to, Visit visit) const {
  uint32_t input = kLocal, channel = 0;
  for (TileId tile = from; tile != to;) {
    RouteSet options = next(tile, to, input, channel);
    assert(options.count > 0);
    const RouteOption &first = *options.begin();
    tile = neighbourOf(mesh, tile, first.port);
    input = opposite(first.port);
    channel = first.first;
    visit(tile);
  }
}

std::vector<TileId> Ways::route(TileId from, TileId to) const {
  std::vector<TileId> tiles = {from};
  walk(from, to, [&](TileId tile) { tiles.push_back(tile); });
  return tiles;
}

uint32_t Ways::hops(TileId from, TileId to) const {
  if (router.routing != Routing::UpDown)
    return mesh.hops(from, to);
  uint32_t links = 0;
  walk(from, to, [&](TileId) { ++links; });
  return links;
}

uint32_t Ways::hopsX(TileId from, TileId to) const {
  if (router.routing != Routing::UpDown)
    return mesh.hopsX(from, to);
  uint32_t links = 0;
  TileId before = from;
  walk(from, to, [&](TileId tile) {
    links += mesh.y(before) == mesh.y(tile);
    before = tile;
  });
  return links;
}

uint32_t Ways::crossings(TileId from, TileId to) const {
  if (router.routing != Routing::UpDown)
    return mesh.crossings(from, to);
  uint32_t links = 0;
  TileId before = from;
  walk(from, to, [&](TileId tile) {
    links += mesh.crossings(before, tile);
    before = tile;
  });
  return links;
}

} // namespace spindle
