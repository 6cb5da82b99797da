#include "core/chip/routing/UpDownTable.h"

#include <algorithm>
#include <utility>

namespace spindle {

std::vector<uint8_t> deadPortsOf(const Mesh &mesh, const Router &router) {
  std::vector<uint8_t> ports(mesh.routers());
  if (mesh.isBus())
    return ports;
  auto kill = [&](TileId one, TileId other) {
    for (uint32_t port = 0; port < kLocal; ++port)
      if (neighbourOf(mesh, one, port) == other)
        ports[one] |= static_cast<uint8_t>(1u << port);
  };
  for (const DeadLink &link : router.deadLinks) {
    kill(link.one, link.other);
    kill(link.other, link.one);
  }
  for (TileId tile : router.deadTiles)
    for (uint32_t port = 0; port < kLocal; ++port) {
      kill(tile, neighbourOf(mesh, tile, port));
      kill(neighbourOf(mesh, tile, port), tile);
    }
  return ports;
}

/// The tile that works and is nearest to the middle, the first of those that are as near.
static TileId rootOf(const Mesh &mesh, const std::vector<TileId> &deadTiles) {
  TileId middle = mesh.at(mesh.columns / 2, mesh.rows / 2), root = middle;
  auto isDead = [&](TileId tile) {
    return std::find(deadTiles.begin(), deadTiles.end(), tile) != deadTiles.end();
  };
  if (!isDead(middle))
    return middle;
  for (TileId tile = 0; tile < mesh.tiles(); ++tile)
    if (!isDead(tile) && (root == middle || mesh.hops(tile, middle) < mesh.hops(root, middle)))
      root = tile;
  return root;
}

/// Links from the root to each tile; UINT32_MAX where none leads there.
static std::vector<uint32_t> levelsOf(const Mesh &mesh, TileId root,
                                      const std::vector<uint8_t> &dead) {
  std::vector<uint32_t> levels(mesh.tiles(), UINT32_MAX);
  std::vector<TileId> tiles = {root};
  levels[tiles.front()] = 0;
  for (size_t at = 0; at < tiles.size(); ++at)
    for (uint32_t port = 0; port < kLocal; ++port) {
      TileId next = neighbourOf(mesh, tiles[at], port);
      if ((dead[tiles[at]] >> port & 1) || levels[next] != UINT32_MAX)
        continue;
      levels[next] = levels[tiles[at]] + 1;
      tiles.push_back(next);
    }
  return levels;
}

UpDownTable::UpDownTable(const Mesh &mesh, const Router &router)
    : tiles(mesh.tiles()), goesUp(tiles), ports(size_t(tiles) * tiles * 2, kLocal) {
  std::vector<uint8_t> dead = deadPortsOf(mesh, router);
  std::vector<uint32_t> levels = levelsOf(mesh, rootOf(mesh, router.deadTiles), dead);
  for (TileId tile = 0; tile < tiles; ++tile)
    for (uint32_t port = 0; port < kLocal; ++port) {
      TileId next = neighbourOf(mesh, tile, port);
      if (std::pair(levels[next], next) < std::pair(levels[tile], tile))
        goesUp[tile] |= static_cast<uint8_t>(1u << port);
    }
  for (TileId target = 0; target < tiles; ++target)
    addTarget(mesh, dead, target);
}

/// From the target backwards: how far it is from each tile, for a head that may go up still, and
/// for one that has come down.
void UpDownTable::addTarget(const Mesh &mesh, const std::vector<uint8_t> &dead, TileId target) {
  std::vector<uint32_t> far(size_t(tiles) * 2, UINT32_MAX);
  std::vector<uint32_t> states = {2 * target, 2 * target + 1};
  far[states[0]] = far[states[1]] = 0;
  auto add = [&](uint32_t state, uint32_t links) {
    if (far[state] != UINT32_MAX)
      return;
    far[state] = links;
    states.push_back(state);
  };
  for (size_t at = 0; at < states.size(); ++at) {
    TileId tile = states[at] / 2;
    bool isDown = states[at] % 2 == 1;
    for (uint32_t port = 0; port < kLocal; ++port) {
      TileId before = neighbourOf(mesh, tile, port);
      if (before == tile || (dead[tile] >> port & 1))
        continue;
      bool cameDown = goesUp[tile] >> port & 1;
      if (cameDown != isDown)
        continue;
      add(2 * before, far[states[at]] + 1);
      if (cameDown)
        add(2 * before + 1, far[states[at]] + 1);
    }
  }
  for (TileId tile = 0; tile < tiles; ++tile)
    for (uint32_t isDown = 0; isDown < 2; ++isDown) {
      uint32_t here = far[2 * tile + isDown], ways = 0;
      uint8_t next[kLocal] = {};
      for (uint32_t port = 0; port < kLocal && here != 0 && here != UINT32_MAX; ++port) {
        bool isUp = goesUp[tile] >> port & 1;
        TileId behind = neighbourOf(mesh, tile, port);
        if (behind == tile || (dead[tile] >> port & 1) || (isUp && isDown))
          continue;
        if (far[2 * behind + !isUp] + 1 == here)
          next[ways++] = static_cast<uint8_t>(port);
      }
      if (ways > 0)
        ports[(size_t(tile) * tiles + target) * 2 + isDown] = next[target % ways];
    }
}

} // namespace spindle
