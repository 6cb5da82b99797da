// Numbers and places of the routers of a tree: four branches to a router, tiles at the leaves.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace spindle {

/// The tree over a grid of tiles. A router of level l stands above the tiles whose columns and rows
/// are x and y without their l lowest bits; those of level 0 are at the tiles, that of the highest
/// level is the root. Routers are numbered level by level, row by row: those of level 0 have the
/// numbers of their tiles.
struct RouterTree {
  uint32_t columns = 1, rows = 1; // of tiles

  struct Place {
    uint32_t level, x, y;
    bool operator==(const Place &) const = default;
  };

  /// That of the root.
  uint32_t height() const {
    return static_cast<uint32_t>(std::bit_width(std::max(columns, rows) - 1));
  }
  uint32_t columnsAt(uint32_t level) const { return ((columns - 1) >> level) + 1; }
  uint32_t rowsAt(uint32_t level) const { return ((rows - 1) >> level) + 1; }
  uint32_t routers() const { return firstOf(height() + 1); }

  Place placeOf(uint32_t router) const {
    uint32_t level = 0;
    for (; router >= columnsAt(level) * rowsAt(level); ++level)
      router -= columnsAt(level) * rowsAt(level);
    return {level, router % columnsAt(level), router / columnsAt(level)};
  }
  uint32_t at(Place place) const {
    return firstOf(place.level) + place.y * columnsAt(place.level) + place.x;
  }
  static Place above(Place place) { return {place.level + 1, place.x / 2, place.y / 2}; }

  /// Level of the lowest router above both, or of the higher one where it is above the other.
  static uint32_t commonLevel(Place a, Place b) {
    uint32_t level = std::max(a.level, b.level);
    uint32_t x = (a.x >> (level - a.level)) ^ (b.x >> (level - b.level));
    uint32_t y = (a.y >> (level - a.level)) ^ (b.y >> (level - b.level));
    return level + static_cast<uint32_t>(std::bit_width(x | y));
  }
  /// Links between two routers.
  uint32_t hops(uint32_t a, uint32_t b) const {
    Place from = placeOf(a), to = placeOf(b);
    return 2 * commonLevel(from, to) - from.level - to.level;
  }
  /// The next router on the way from one to another.
  uint32_t next(uint32_t from, uint32_t to) const {
    Place here = placeOf(from), end = placeOf(to);
    uint32_t level = commonLevel(here, end);
    if (level > here.level)
      return at(above(here));
    uint32_t down = here.level - 1 - end.level;
    return at({here.level - 1, end.x >> down, end.y >> down});
  }

private:
  uint32_t firstOf(uint32_t level) const {
    uint32_t first = 0;
    for (uint32_t l = 0; l < level; ++l)
      first += columnsAt(l) * rowsAt(l);
    return first;
  }
};

} // namespace spindle
