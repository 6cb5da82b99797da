// The five ports of a router, and what is behind them.
#pragma once

#include "core/chip/Mesh.h"

#include <string>
#include <vector>

namespace spindle {

/// In the order in which a fresh arbiter prefers them. kLocal leads to the tile. In a tree the
/// router of a tile has the one above it at kNorth; a router without a tile has those below it at
/// the first four, by the lowest bits of their column and row, and the one above it at the last.
enum Port : uint32_t { kEast, kWest, kSouth, kNorth, kLocal, kPorts };

inline constexpr const char *kPortNames[] = {"east", "west", "south", "north", "local"};

/// In a grid, the port of the neighbour that a port looks at: east ↔ west, south ↔ north.
inline uint32_t opposite(uint32_t port) { return port ^ 1; }

/// 0: along x, 1: along y, 2: the tile's own port.
inline uint32_t dimensionOf(uint32_t port) { return port / 2; }

/// Whether a port leads to a tile, and not to another router.
inline bool leadsToTile(const Mesh &mesh, TileId router, uint32_t port) {
  return port == kLocal && router < mesh.tiles();
}

/// The port of a tree's router that leads to the one above it.
inline uint32_t upwards(const Mesh &mesh, TileId router) {
  return router < mesh.tiles() ? kNorth : kLocal;
}

/// The router behind a port; `router` itself where there is none.
TileId neighbourOf(const Mesh &mesh, TileId router, uint32_t port);

/// The port of the router behind a port by which packets come in there.
uint32_t inputBehind(const Mesh &mesh, TileId router, uint32_t port);

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
