// The way of a packet from tile to tile, as the routers of a chip take it.
#pragma once

#include "core/chip/routing/RoutingFunction.h"

namespace spindle {

/// Where a routing leaves a choice, the first of its options is taken: of a way that adapts to the
/// load this is one of those that it may be; all have the same number of links.
class Ways {
public:
  explicit Ways(const Chip &chip) : mesh(chip.mesh), router(chip.router), next(mesh, router) {}

  /// The tiles of the way, both ends included. Requires that there is one (checkDeadlockFree).
  std::vector<TileId> route(TileId from, TileId to) const;
  /// Its links. As many as on any shortest way, but where up_down takes a detour.
  uint32_t hops(TileId from, TileId to) const;
  /// Of them, those along x.
  uint32_t hopsX(TileId from, TileId to) const;
  /// Of them, those between chips.
  uint32_t crossings(TileId from, TileId to) const;

private:
  template <typename Visit> void walk(TileId from, TileId to, Visit visit) const;
  uint32_t sum(TileId from, TileId to, uint32_t (Mesh::*links)(TileId, TileId) const) const;

  Mesh mesh;
  Router router;
  RoutingFunction next;
};

} // namespace spindle
