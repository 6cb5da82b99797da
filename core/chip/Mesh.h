// Geometry of the tiles of a chip, which stand in columns and rows, and of the links between their
// routers, here and nowhere else.
#pragma once

#include "core/chip/topology/BusLine.h"
#include "core/chip/topology/RouterTree.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace spindle {

using TileId = uint32_t;

inline constexpr uint32_t kLongestMeshSide = 256; // tiles

/// Which routers are linked.
///  - Mesh: those of neighbours in a row or column.
///  - Torus: of both ends of a row, and of a column, too.
///  - Tree: those of the tiles with one above up to four of them, and so on (RouterTree.h).
///  - SegmentedBus: there are none; tiles lie along a line of wires, in segments that switches join
///    for each transfer (BusLine.h).
enum class Topology : uint8_t { Mesh, Torus, Tree, SegmentedBus };
inline constexpr const char *kTopologyNames[] = {"mesh", "torus", "tree", "segmented_bus"};

/// Tile t stands at column t % columns (x, growing east) and row t / columns (y, growing south).
/// Its router has its number; those of a tree that are at no tile have the numbers behind them.
struct Mesh {
  uint32_t columns = 1;
  uint32_t rows = 1;
  Topology topology = Topology::Mesh;
  std::vector<TileId> hostTiles = {0};    // where packets of the host may enter: at least one
  uint32_t chipColumns = 0, chipRows = 0; // of each of several chips that are joined; 0: one chip

  uint32_t tiles() const { return columns * rows; }
  uint32_t routers() const { return isTree() ? tree().routers() : tiles(); }
  bool wraps() const { return topology == Topology::Torus; }
  bool isTree() const { return topology == Topology::Tree; }
  bool isBus() const { return topology == Topology::SegmentedBus; }
  /// Links lie along rows and columns, and the shortest way is a sum over both.
  bool isGrid() const { return !isTree() && !isBus(); }
  RouterTree tree() const { return {columns, rows}; }
  BusLine bus() const { return {columns, rows}; }
  const char *topologyName() const { return kTopologyNames[static_cast<size_t>(topology)]; }
  uint32_t x(TileId t) const { return t % columns; }
  uint32_t y(TileId t) const { return t / columns; }
  TileId at(uint32_t x, uint32_t y) const { return y * columns + x; }

  /// Which way along a row or column of `length` tiles is shorter: -1, 0 or 1. On a torus of even
  /// length, tiles that lie opposite are reached forwards from even places and backwards from odd
  /// ones; the way stays the same at every tile on it.
  int32_t direction(uint32_t from, uint32_t to, uint32_t length) const {
    if (from == to)
      return 0;
    if (!wraps())
      return from < to ? 1 : -1;
    uint32_t forwards = (to + length - from) % length;
    if (2 * forwards == length)
      return from % 2 == 0 ? 1 : -1;
    return 2 * forwards < length ? 1 : -1;
  }
  /// Links along x, and along y, on the shortest way between two routers; those of a tree, which
  /// lead up and down, count as along y.
  uint32_t hopsX(TileId a, TileId b) const {
    return isTree() ? 0 : isBus() ? bus().hops(a, b) - hopsY(a, b) : distance(x(a), x(b), columns);
  }
  uint32_t hopsY(TileId a, TileId b) const {
    return isTree() ? tree().hops(a, b) : distance(y(a), y(b), rows);
  }
  uint32_t hops(TileId a, TileId b) const { return hopsX(a, b) + hopsY(a, b); }
  /// Where a router stands, and its costs count: at its tile, or in the middle of the tiles below
  /// it (south-east of it), where no other router without a tile stands.
  TileId tileBelow(TileId router) const {
    if (router < tiles())
      return router;
    auto [level, placeX, placeY] = tree().placeOf(router);
    auto middle = [level = level](uint32_t place, uint32_t length) {
      return std::min((2 * place + 1) << (level - 1), length - 1);
    };
    return at(middle(placeX, columns), middle(placeY, rows));
  }
  /// `tile 5`, or of a tree `router 20`.
  std::string routerName(TileId router) const {
    return (isTree() && router >= tiles() ? "router " : "tile ") + std::to_string(router);
  }
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
  /// Calls visit(from, to) for each link of the way that packets take where there is no other: in a
  /// grid first along x, then along y.
  template <typename Visit> void visitLinks(TileId from, TileId to, Visit visit) const {
    if (!isGrid()) {
      for (TileId here = from; here != to;) {
        TileId next = isTree() ? tree().next(here, to) : bus().next(here, to);
        visit(here, next);
        here = next;
      }
      return;
    }
    uint32_t cx = x(from), cy = y(from);
    for (int32_t step; (step = direction(cx, x(to), columns)) != 0;) {
      TileId here = at(cx, cy);
      visit(here, at(cx = next(cx, step, columns), cy));
    }
    for (int32_t step; (step = direction(cy, y(to), rows)) != 0;) {
      TileId here = at(cx, cy);
      visit(here, at(cx, cy = next(cy, step, rows)));
    }
  }
  /// The routers of that way, both ends included.
  std::vector<TileId> route(TileId from, TileId to) const {
    std::vector<TileId> routers{from};
    visitLinks(from, to, [&](TileId, TileId next) { routers.push_back(next); });
    return routers;
  }

  bool operator==(const Mesh &) const = default;

private:
  uint32_t distance(uint32_t a, uint32_t b, uint32_t length) const {
    uint32_t inside = a < b ? b - a : a - b;
    return wraps() ? std::min(inside, length - inside) : inside;
  }
  static uint32_t next(uint32_t place, int32_t step, uint32_t length) {
    return (place + length + static_cast<uint32_t>(step)) % length;
  }
};

} // namespace spindle
