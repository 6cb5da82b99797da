// Ways through a mesh of which links and tiles are missing.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/routing/Ports.h"

#include <vector>

namespace spindle {

/// Per router, a bit for each port whose link is dead, or leads to a dead tile or from one. The
/// wires of a bus pass dead tiles.
std::vector<uint8_t> deadPortsOf(const Mesh &mesh, const Router &router);

/// The up*/down* routing of Autonet (Schroeder et al., IEEE JSAC 1991). Links go up towards the
/// tile in the middle of the mesh (or the nearest one that works), by the number of links to it,
/// then by the number of the tile; a way goes up as often as it wants, then down, so no links wait
/// for each other in a circle, whichever are missing. Of such ways a shortest is taken; of several
/// next ports one by the target's number.
class UpDownTable {
public:
  UpDownTable(const Mesh &mesh, const Router &router);

  /// Where a head goes on that came into `tile` by `input`; kLocal where no way is left.
  uint32_t port(TileId tile, TileId target, uint32_t input) const {
    bool isDown = input != kLocal && (goesUp[tile] >> input & 1);
    return ports[(size_t(tile) * tiles + target) * 2 + isDown];
  }

private:
  void addTarget(const Mesh &mesh, const std::vector<uint8_t> &dead, TileId target);

  uint32_t tiles;
  std::vector<uint8_t> goesUp; // per tile, bits of ports: what comes in by them comes down
  std::vector<uint8_t> ports;  // per tile, target, and whether the head has come down
};

} // namespace spindle
