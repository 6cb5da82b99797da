#include "core/chip/routing/RoutingFunction.h"

#include <cassert>

namespace spindle {

RoutingFunction::RoutingFunction(const Mesh &chipMesh, Routing routing, uint32_t virtualChannels,
                                 AdaptiveOptions adaptiveOptions)
    : mesh(chipMesh), kind(routing), channels(virtualChannels),
      keepsAll(adaptiveOptions == AdaptiveOptions::All) {
  assert(channels >= 1 && channels <= kMostChannels);
  for (TileId router = 0; router < mesh.routers(); ++router) {
    RouterTree::Place place{0, mesh.x(router), mesh.y(router)};
    if (mesh.isTree()) {
      place = mesh.tree().placeOf(router);
      levels.push_back(static_cast<uint8_t>(place.level));
    }
    xs.push_back(static_cast<uint16_t>(place.x));
    ys.push_back(static_cast<uint16_t>(place.y));
  }
}

RoutingFunction::RoutingFunction(const Mesh &chipMesh, const Router &router,
                                 uint32_t virtualChannels)
    : RoutingFunction(chipMesh, router.routing, virtualChannels, router.adaptiveOptions) {
  if (router.hasFaults())
    deadPorts = deadPortsOf(mesh, router);
  if (kind == Routing::UpDown)
    upDown.emplace(mesh, router);
}

uint32_t RoutingFunction::towards(uint32_t dimension, TileId tile, TileId target) const {
  const std::vector<uint16_t> &at = dimension == 0 ? xs : ys;
  if (at[tile] == at[target])
    return kLocal;
  if (!mesh.wraps())
    return 2 * dimension + (at[tile] > at[target]);
  uint32_t length = dimension == 0 ? mesh.columns : mesh.rows;
  return 2 * dimension + (mesh.direction(at[tile], at[target], length) < 0);
}

/// Eastwards and southwards the way across the end has the upper half, in the other direction the
/// way that stays inside: which of the two makes no difference to the proof.
bool RoutingFunction::usesUpperHalf(uint32_t port, TileId tile, TileId target) const {
  const std::vector<uint16_t> &at = dimensionOf(port) == 0 ? xs : ys;
  return at[tile] > at[target];
}

void RoutingFunction::addDimensionOrder(RouteSet &set, uint32_t port, TileId tile, TileId target,
                                        uint32_t input, uint32_t channel) const {
  if (!mesh.wraps())
    return set.add(port, 0, channels - 1);
  uint32_t lower = channels - channels / 2; // channels of the lower half
  bool upper = dimensionOf(input) == dimensionOf(port) ? channel >= lower
                                                       : usesUpperHalf(port, tile, target);
  if (channels == 1)
    set.add(port, 0, 0);
  else if (upper)
    set.add(port, lower, channels - 1);
  else
    set.add(port, 0, lower - 1);
}

RouteSet RoutingFunction::operator()(TileId tile, TileId target, uint32_t input,
                                     uint32_t channel) const {
  RouteSet set = anyOptions(tile, target, input, channel);
  if (deadPorts.empty())
    return set;
  RouteSet left;
  for (const RouteOption &option : set)
    if (!(deadPorts[tile] >> option.port & 1))
      left.options[left.count++] = option;
  return left;
}

uint32_t RoutingFunction::onlyPort(TileId tile, TileId target) const {
  if (mesh.isBus()) {
    TileId next = mesh.bus().next(tile, target);
    return mesh.y(next) != mesh.y(tile) ? (next > tile ? kSouth : kNorth)
                                        : (next > tile ? kEast : kWest);
  }
  uint32_t level = levels[tile];
  if (uint32_t(xs[target]) >> level != xs[tile] || uint32_t(ys[target]) >> level != ys[tile])
    return upwards(mesh, tile);
  return (xs[target] >> (level - 1)) % 2 + 2 * ((ys[target] >> (level - 1)) % 2);
}

RouteSet RoutingFunction::anyOptions(TileId tile, TileId target, uint32_t input,
                                     uint32_t channel) const {
  RouteSet set;
  uint32_t last = channels - 1;
  if (tile == target) {
    set.add(kLocal, 0, last);
    return set;
  }
  if (!mesh.isGrid()) {
    set.add(onlyPort(tile, target), 0, last);
    return set;
  }
  uint32_t alongX = towards(0, tile, target), alongY = towards(1, tile, target);
  uint32_t xFirst = alongX != kLocal ? alongX : alongY;
  switch (kind) {
  case Routing::XY:
    addDimensionOrder(set, xFirst, tile, target, input, channel);
    break;
  case Routing::YX:
    addDimensionOrder(set, alongY != kLocal ? alongY : alongX, tile, target, input, channel);
    break;
  case Routing::WestFirst:
    if (alongX != kLocal)
      set.add(alongX, 0, last);
    if (alongX != kWest && alongY != kLocal)
      set.add(alongY, 0, last);
    break;
  case Routing::OddEven: {
    bool isOdd = xs[tile] % 2 == 1;
    if (alongX == kLocal) {
      set.add(alongY, 0, last);
    } else if (alongY == kLocal) {
      set.add(alongX, 0, last);
    } else if (alongX == kEast) {
      if (isOdd || input != kWest) // no turn: it did not come from the west
        set.add(alongY, 0, last);
      // In an even target column it could not turn any more.
      if (xs[target] % 2 == 1 || mesh.hopsX(tile, target) != 1)
        set.add(alongX, 0, last);
    } else {
      set.add(alongX, 0, last);
      if (!isOdd)
        set.add(alongY, 0, last);
    }
    break;
  }
  case Routing::MinAdaptive: {
    uint32_t escapes = mesh.wraps() ? 2 : 1;
    bool isFree = input == kLocal || channel >= escapes;
    uint32_t escape = 0;
    if (mesh.wraps())
      escape = !isFree && dimensionOf(input) == dimensionOf(xFirst)
                   ? channel
                   : usesUpperHalf(xFirst, tile, target);
    set.add(xFirst, escape, escape);
    if (isFree)
      set.add(xFirst, escapes, last, 1);
    if (isFree && keepsAll && alongX != kLocal && alongY != kLocal)
      set.add(alongY, escapes, last, 1);
    break;
  }
  case Routing::UpDown:
    if (uint32_t port = upDown->port(tile, target, input); port != kLocal)
      set.add(port, 0, last);
    break;
  case Routing::PlanarAdaptive: {
    uint32_t third = channels / 3;
    set.add(xFirst, 2 * third, last);
    if (keepsAll && alongX != kLocal && alongY != kLocal) {
      uint32_t first = alongX == kEast ? 0 : third;
      set.add(alongY, first, first + third - 1);
    }
    break;
  }
  }
  return set;
}

} // namespace spindle
