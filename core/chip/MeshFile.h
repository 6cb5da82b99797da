// A mesh inside of other files: {"columns": 4, "rows": 2}, another topology by name, a host that
// enters elsewhere than at tile 0 with "host": [3, 7], of joined chips with the size of each.
#pragma once

#include "core/chip/Mesh.h"
#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"

#include <string>

namespace spindle {

/// What is wrong with a mesh of a file, empty when nothing.
inline std::string faultOf(const Mesh &mesh) {
  auto isSide = [](uint32_t side) { return side >= 1 && side <= kLongestMeshSide; };
  if (!isSide(mesh.columns) || !isSide(mesh.rows))
    return fmt::format("a mesh of {}x{} tiles, expected 1 to {} on a side", mesh.columns, mesh.rows,
                       kLongestMeshSide);
  if (mesh.hostTiles.empty())
    return "a host without a tile";
  for (TileId tile : mesh.hostTiles)
    if (tile >= mesh.tiles())
      return fmt::format("the host is at tile {} of a mesh of {}", tile, mesh.tiles());
  auto divides = [](uint32_t side, uint32_t whole) { return side != 0 && whole % side == 0; };
  bool hasChips = mesh.chipColumns != 0 || mesh.chipRows != 0;
  if (hasChips && (mesh.topology != Topology::Mesh || !divides(mesh.chipColumns, mesh.columns) ||
                   !divides(mesh.chipRows, mesh.rows)))
    return fmt::format("chips of {}x{} tiles do not make a {} of {}x{}", mesh.chipColumns,
                       mesh.chipRows, mesh.topologyName(), mesh.columns, mesh.rows);
  return "";
}

void describe(auto &file, MaybeConst<Mesh> auto &mesh) {
  file.field("columns", mesh.columns);
  file.field("rows", mesh.rows);
  bool isOldTorus = false; // as files before the trees say it
  if (file.has("wraps", false))
    file.field("wraps", isOldTorus);
  if (file.has("topology", mesh.topology != Topology::Mesh))
    file.field("topology",
               wordOf(mesh.topology, kTopologyNames, "mesh, torus, tree or segmented_bus"));
  else
    file.assume(mesh.topology, isOldTorus ? Topology::Torus : Topology::Mesh);
  file.fieldUnless("host", mesh.hostTiles, {0});
  file.fieldUnless("chip_columns", mesh.chipColumns, 0u);
  file.fieldUnless("chip_rows", mesh.chipRows, 0u);
}

} // namespace spindle
