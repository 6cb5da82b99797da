// The five ports of a router.
#pragma once

#include "core/chip/Mesh.h"

#include <string>
#include <vector>

namespace spindle {

/// In the order in which a fresh arbiter prefers them. kLocal leads to the tile.
enum Port : uint32_t { kEast, kWest, kSouth, kNorth, kLocal, kPorts };

inline constexpr const char *kPortNames[] = {"east", "west", "south", "north", "local"};

/// The port of the neighbour that a port looks at: east ↔ west, south ↔ north.
inline uint32_t opposite(uint32_t port) { return port ^ 1; }

/// 0: along x, 1: along y, 2: the tile's own port.
inline uint32_t dimensionOf(uint32_t port) { return port / 2; }

/// The tile behind a port; `tile` itself where the mesh ends.
inline TileId neighbourOf(const Mesh &mesh, TileId tile, uint32_t port) {
  uint32_t x = mesh.x(tile), y = mesh.y(tile);
  uint32_t lastX = mesh.columns - 1, lastY = mesh.rows - 1;
  switch (port) {
  case kEast:
    return x < lastX ? tile + 1 : mesh.wraps ? mesh.at(0, y) : tile;
  case kWest:
    return x > 0 ? tile - 1 : mesh.wraps ? mesh.at(lastX, y) : tile;
  case kSouth:
    return y < lastY ? tile + mesh.columns : mesh.wraps ? mesh.at(x, 0) : tile;
  case kNorth:
    return y > 0 ? tile - mesh.columns : mesh.wraps ? mesh.at(x, lastY) : tile;
  default:
    return tile;
  }
}

/// A virtual channel of the link which leaves `tile` through `port`.
struct LinkChannel {
  TileId tile;
  uint32_t port, channel;
  bool operator==(const LinkChannel &) const = default;
};

/// `0 east, 1 east`; of links with several channels `0 east channel 1, 1 east channel 0`.
inline std::string linkNames(const std::vector<LinkChannel> &links, bool hasChannels) {
  std::string names;
  for (const LinkChannel &link : links) {
    names += (names.empty() ? "" : ", ") + std::to_string(link.tile) + " " + kPortNames[link.port];
    if (hasChannels)
      names += " channel " + std::to_string(link.channel);
  }
  return names;
}

} // namespace spindle
