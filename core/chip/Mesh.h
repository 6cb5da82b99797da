// Geometry of a two-dimensional mesh of tiles, here and nowhere else.
#pragma once

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

  uint32_t tiles() const { return columns * rows; }
  uint32_t x(TileId t) const { return t % columns; }
  uint32_t y(TileId t) const { return t / columns; }
  TileId at(uint32_t x, uint32_t y) const { return y * columns + x; }
  /// Links between routers on the shortest way: the Manhattan distance.
  uint32_t hops(TileId a, TileId b) const {
    return static_cast<uint32_t>(std::abs(int64_t(x(a)) - x(b)) + std::abs(int64_t(y(a)) - y(b)));
  }
  /// The tiles of the dimension-ordered way, first along x, then along y; both ends included.
  std::vector<TileId> routeXY(TileId from, TileId to) const {
    std::vector<TileId> route{from};
    uint32_t cx = x(from), cy = y(from);
    while (cx != x(to))
      route.push_back(at(cx += cx < x(to) ? 1 : -1, cy));
    while (cy != y(to))
      route.push_back(at(cx, cy += cy < y(to) ? 1 : -1));
    return route;
  }

  bool operator==(const Mesh &) const = default;
};

} // namespace spindle
