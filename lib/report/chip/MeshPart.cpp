#include "lib/report/chip/MeshPart.h"

#include <algorithm>

namespace spindle {

MeshPart::MeshPart(const Mesh &of, uint32_t wholeTiles) : mesh(of) {
  if (mesh.tiles() <= wholeTiles) {
    right = mesh.columns - 1;
    bottom = mesh.rows - 1;
    isUsed = true;
    return;
  }
  // Where nothing is in use, a tile of the host is shown.
  left = right = mesh.x(mesh.hostTiles.front());
  top = bottom = mesh.y(mesh.hostTiles.front());
}

void MeshPart::include(TileId router) {
  TileId tile = mesh.tileBelow(router);
  uint32_t x = mesh.x(tile), y = mesh.y(tile);
  left = isUsed ? std::min(left, x) : x;
  right = isUsed ? std::max(right, x) : x;
  top = isUsed ? std::min(top, y) : y;
  bottom = isUsed ? std::max(bottom, y) : y;
  isUsed = true;
}

bool MeshPart::holds(TileId tile) const {
  uint32_t x = mesh.x(tile), y = mesh.y(tile);
  return left <= x && x <= right && top <= y && y <= bottom;
}

uint32_t MeshPart::at(TileId router) {
  if (router >= mesh.tiles())
    return tiles() + routers.try_emplace(router, routers.size()).first->second;
  return (mesh.y(router) - top) * columns() + mesh.x(router) - left;
}

/// Moved into the part, where they are beside it.
Json MeshPart::places() const {
  std::vector<Json> all(routers.size());
  for (auto [router, number] : routers) {
    auto [level, x, y] = mesh.tree().placeOf(router);
    auto middle = [level = level](uint32_t place, uint32_t length, uint32_t first, uint32_t last) {
      uint32_t begin = place << level, end = std::min(begin + (1u << level), length);
      return std::clamp((begin + end) / 2.0 - first, 0.0, last - first + 1.0);
    };
    all[number] = {middle(x, mesh.columns, left, right), middle(y, mesh.rows, top, bottom)};
  }
  return all;
}

Json MeshPart::json() const {
  return {
      {"mesh", {{"columns", mesh.columns}, {"rows", mesh.rows}, {"topology", mesh.topologyName()}}},
      {"columns", columns()},
      {"rows", rows()},
      {"first_column", left},
      {"first_row", top},
      {"routers", places()}};
}

} // namespace spindle
