// Places of tiles on a bus that runs through all of them.
#pragma once

#include <algorithm>
#include <cstdint>

namespace spindle {

/// From one place on a bus to another: segments `first` to `last` − 1.
struct BusSpan {
  uint32_t first, last;
  uint32_t segments() const { return last - first; }
  bool covers(BusSpan other) const { return first <= other.first && other.last <= last; }
  bool meets(BusSpan other) const { return first < other.last && other.first < last; }
  bool operator==(const BusSpan &) const = default;
};

/// The bus over a grid of tiles: along the first row to the east, back along the second, and so on,
/// so that neighbours on the bus are neighbours in the grid. Between two of them is a segment.
struct BusLine {
  uint32_t columns = 1, rows = 1;

  /// Segments between a tile and the begin of the bus.
  uint32_t placeOf(uint32_t tile) const {
    uint32_t x = tile % columns, y = tile / columns;
    return y * columns + (y % 2 == 0 ? x : columns - 1 - x);
  }
  uint32_t tileAt(uint32_t place) const {
    uint32_t x = place % columns, y = place / columns;
    return y * columns + (y % 2 == 0 ? x : columns - 1 - x);
  }
  uint32_t segments() const { return columns * rows - 1; }
  uint32_t hops(uint32_t a, uint32_t b) const {
    uint32_t from = placeOf(a), to = placeOf(b);
    return from < to ? to - from : from - to;
  }
  /// The segment between two neighbours, by the lower of their places.
  uint32_t segmentOf(uint32_t a, uint32_t b) const { return std::min(placeOf(a), placeOf(b)); }
  /// The segments that a transfer from a tile to others takes.
  template <typename Tiles> BusSpan spanOf(uint32_t source, const Tiles &targets) const {
    BusSpan span{placeOf(source), placeOf(source)};
    for (uint32_t target : targets) {
      span.first = std::min(span.first, placeOf(target));
      span.last = std::max(span.last, placeOf(target));
    }
    return span;
  }
  /// The next tile on the way from one to another.
  uint32_t next(uint32_t from, uint32_t to) const {
    uint32_t place = placeOf(from);
    return tileAt(place < placeOf(to) ? place + 1 : place - 1);
  }
};

} // namespace spindle
