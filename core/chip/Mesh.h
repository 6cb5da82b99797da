// Geometry of a two-dimensional mesh of tiles, here and nowhere else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace spindle {

using TileId = uint32_t;

inline constexpr uint32_t kLongestMeshSide = 256; // tiles

/// Tile t stands at column t % columns (x, growing east) and row t / columns (y, growing south).
struct Mesh {
  uint32_t columns = 1;
  uint32_t rows = 1;
  bool wraps = false; // a torus: both ends of a row, and of a column, are neighbours
  std::vector<TileId> hostTiles = {0};    // where packets of the host may enter: at least one
  uint32_t chipColumns = 0, chipRows = 0; // of each of several chips that are joined; 0: one chip

  uint32_t tiles() const { return columns * rows; }
  uint32_t x(TileId t) const { return t % columns; }
  uint32_t y(TileId t) const { return t / columns; }
  TileId at(uint32_t x, uint32_t y) const { return y * columns + x; }

  /// Which way along a row or column of `length` tiles is shorter: -1, 0 or 1. On a torus of even
  /// length, tiles that lie opposite are reached forwards from even places and backwards from odd
  /// ones; the way stays the same at every tile on it.
  int32_t direction(uint32_t from, uint32_t to, uint32_t length) const {
    if (from == to)
      return 0;
    if (!wraps)
      return from < to ? 1 : -1;
    uint32_t forwards = (to + length - from) % length;
    if (2 * forwards == length)
      return from % 2 == 0 ? 1 : -1;
    return 2 * forwards < length ? 1 : -1;
  }
  /// Links along x, and along y, on the shortest way.
  uint32_t hopsX(TileId a, TileId b) const { return distance(x(a), x(b), columns); }
  uint32_t hopsY(TileId a, TileId b) const { return distance(y(a), y(b), rows); }
  uint32_t hops(TileId a, TileId b) const { return hopsX(a, b) + hopsY(a, b); }
  bool isJoined() const { return chipColumns != 0; }
  /// Which of the joined chips a tile is on, row by row.
  uint32_t chipOf(TileId t) const {
    return isJoined() ? y(t) / chipRows * (columns / chipColumns) + x(t) / chipColumns : 0;
  }
  /// Links between chips on the shortest way, of those along x, and along y.
  uint32_t crossingsX(TileId a, TileId b) const {
    return isJoined() ? distance(x(a) / chipColumns, x(b) / chipColumns, columns) : 0;
  }
  uint32_t crossingsY(TileId a, TileId b) const {
    return isJoined() ? distance(y(a) / chipRows, y(b) / chipRows, rows) : 0;
  }
  uint32_t crossings(TileId a, TileId b) const { return crossingsX(a, b) + crossingsY(a, b); }
  /// Where packets of the host for this tile enter: at the nearest of its tiles, the first of those
  /// that are as near.
  TileId hostTileFor(TileId target) const {
    return *std::ranges::min_element(hostTiles, {}, [&](TileId t) { return hops(t, target); });
  }
  /// The tiles of the dimension-ordered way, first along x, then along y; both ends included.
  std::vector<TileId> routeXY(TileId from, TileId to) const {
    std::vector<TileId> route{from};
    uint32_t cx = x(from), cy = y(from);
    for (int32_t step; (step = direction(cx, x(to), columns)) != 0;)
      route.push_back(at(cx = next(cx, step, columns), cy));
    for (int32_t step; (step = direction(cy, y(to), rows)) != 0;)
      route.push_back(at(cx, cy = next(cy, step, rows)));
    return route;
  }

  bool operator==(const Mesh &) const = default;

private:
  uint32_t distance(uint32_t a, uint32_t b, uint32_t length) const {
    uint32_t inside = a < b ? b - a : a - b;
    return wraps ? std::min(inside, length - inside) : inside;
  }
  static uint32_t next(uint32_t place, int32_t step, uint32_t length) {
    return (place + length + static_cast<uint32_t>(step)) % length;
  }
};

} // namespace spindle
