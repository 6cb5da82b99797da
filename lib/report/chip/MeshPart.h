// The part of a mesh that a page draws: whole where it is small, else the tiles in use.
#pragma once

#include "core/chip/Mesh.h"
#include "core/support/formats/Json.h"

#include <map>

namespace spindle {

class MeshPart {
public:
  /// At most so many tiles are shown whole.
  MeshPart(const Mesh &of, uint32_t wholeTiles);

  /// A router is in use. Before anything is numbered.
  void include(TileId router);

  uint32_t tiles() const { return columns() * rows(); }
  bool holds(TileId tile) const;
  /// The number of a router within the part; those of a tree that are at no tile follow the tiles,
  /// in the order in which they are asked for.
  uint32_t at(TileId router);

  /// {mesh: {columns, rows, topology}, columns, rows, first_column, first_row, routers: where those
  /// are drawn that were asked for and are at no tile, as column and row of the middle of the tiles
  /// below them, in tiles from the corner of the part}.
  Json json() const;

private:
  uint32_t columns() const { return right - left + 1; }
  uint32_t rows() const { return bottom - top + 1; }
  Json places() const;

  const Mesh &mesh;
  bool isUsed = false;
  uint32_t left = 0, top = 0, right = 0, bottom = 0; // both ends included
  std::map<TileId, uint32_t> routers;                // at no tile, numbered
};

} // namespace spindle
