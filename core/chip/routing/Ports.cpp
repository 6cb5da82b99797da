#include "core/chip/routing/Ports.h"

#include <cassert>

namespace spindle {

/// The port of a router to one of the four below it.
static uint32_t portTo(RouterTree::Place below) { return below.x % 2 + 2 * (below.y % 2); }

static TileId neighbourInTree(const Mesh &mesh, TileId router, uint32_t port) {
  RouterTree tree = mesh.tree();
  RouterTree::Place place = tree.placeOf(router);
  if (port == upwards(mesh, router))
    return place.level == tree.height() ? router : tree.at(RouterTree::above(place));
  if (place.level == 0)
    return router;
  RouterTree::Place below{place.level - 1, 2 * place.x + port % 2, 2 * place.y + port / 2};
  bool isThere = below.x < tree.columnsAt(below.level) && below.y < tree.rowsAt(below.level);
  return isThere ? tree.at(below) : router;
}

/// Rows are joined where the bus turns.
static bool isOnBus(const Mesh &mesh, TileId tile, uint32_t port) {
  uint32_t x = mesh.x(tile), y = mesh.y(tile);
  if (dimensionOf(port) == 0)
    return true;
  uint32_t upper = port == kNorth ? y - 1 : y;
  return x == (upper % 2 == 0 ? mesh.columns - 1 : 0);
}

TileId neighbourOf(const Mesh &mesh, TileId router, uint32_t port) {
  if (mesh.isTree())
    return neighbourInTree(mesh, router, port);
  if (mesh.isBus() && port != kLocal && !isOnBus(mesh, router, port))
    return router;
  uint32_t x = mesh.x(router), y = mesh.y(router);
  uint32_t lastX = mesh.columns - 1, lastY = mesh.rows - 1;
  switch (port) {
  case kEast:
    return x < lastX ? router + 1 : mesh.wraps() ? mesh.at(0, y) : router;
  case kWest:
    return x > 0 ? router - 1 : mesh.wraps() ? mesh.at(lastX, y) : router;
  case kSouth:
    return y < lastY ? router + mesh.columns : mesh.wraps() ? mesh.at(x, 0) : router;
  case kNorth:
    return y > 0 ? router - mesh.columns : mesh.wraps() ? mesh.at(x, lastY) : router;
  default:
    return router;
  }
}

uint32_t inputBehind(const Mesh &mesh, TileId router, uint32_t port) {
  if (!mesh.isTree())
    return opposite(port);
  if (port == upwards(mesh, router))
    return portTo(mesh.tree().placeOf(router));
  return upwards(mesh, neighbourOf(mesh, router, port));
}

} // namespace spindle
