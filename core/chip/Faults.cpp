#include "core/chip/Faults.h"

#include "core/chip/Chip.h"
#include "core/chip/CrossbarRoom.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

namespace spindle {

namespace {

/// `[1, 0]`: column and row of a tile.
std::optional<TileId> readTile(YamlReader &reader, const char *key, const Mesh &mesh) {
  std::vector<int64_t> at;
  reader.require(key);
  reader.read(key, at);
  if (!reader.has(key))
    return std::nullopt;
  if (at.size() == 2 && at[0] >= 0 && at[1] >= 0 && at[0] < mesh.columns && at[1] < mesh.rows)
    return mesh.at(uint32_t(at[0]), uint32_t(at[1]));
  reader.fail(key, fmt::format("found [{}], expected the column and the row of a tile in a mesh "
                               "of {} columns and {} rows, which count from 0",
                               fmt::join(at, ", "), mesh.columns, mesh.rows));
  return std::nullopt;
}

/// `{from: [0, 0], to: [1, 0]}`
void readDeadLink(YamlReader &link, Router &router, const Mesh &mesh) {
  std::optional<TileId> from = readTile(link, "from", mesh), to = readTile(link, "to", mesh);
  if (!from || !to)
    return;
  if (!mesh.isGrid())
    return link.fail("from", fmt::format("there is one way between two tiles of topology {}, which "
                                         "a dead link cuts; leave links out of faults",
                                         mesh.topologyName()));
  if (mesh.hops(*from, *to) != 1)
    return link.fail("to", "the two tiles are no neighbours, expected the ends of a link");
  router.deadLinks.push_back({*from, *to});
}

/// `{at: [1, 0]}`
void readDeadTile(YamlReader &reader, Router &router, const Mesh &mesh) {
  std::optional<TileId> tile = readTile(reader, "at", mesh);
  if (!tile)
    return;
  std::string name = fmt::format("tile [{}, {}]", mesh.x(*tile), mesh.y(*tile));
  if (llvm::is_contained(mesh.hostTiles, *tile))
    return reader.fail("at", fmt::format("{} is dead, and the host enters there; name another tile "
                                         "in host",
                                         name));
  if (llvm::is_contained(router.deadTiles, *tile))
    return reader.fail("at", fmt::format("{} is named twice; name it once", name));
  router.deadTiles.push_back(*tile);
}

/// Numbers below `limit`, in ascending order afterwards.
void readLines(YamlReader &reader, const char *key, uint32_t limit, std::vector<uint32_t> &lines) {
  std::vector<int64_t> numbers;
  reader.read(key, numbers);
  for (int64_t number : numbers) {
    if (number < 0 || number >= limit)
      return reader.fail(key, fmt::format("found {}, expected 0 to {}: a crossbar has {} {}",
                                          number, limit - 1, limit, key));
    lines.push_back(static_cast<uint32_t>(number));
  }
  llvm::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
}

/// `{tile: [1, 0], crossbar: 0, rows: [5], columns: [], cells: [{row: 3, column: 4}]}`
void readCrossbarFault(YamlReader &reader, Chip &chip) {
  std::optional<TileId> tile = readTile(reader, "tile", chip.mesh);
  int64_t crossbar = 0;
  reader.read("crossbar", crossbar, 0, int64_t(chip.crossbarsPerTile) - 1);
  CrossbarFault fault{tile.value_or(0), static_cast<uint32_t>(crossbar), {}, {}};
  readLines(reader, "rows", chip.crossbar.rows, fault.rows);
  readLines(reader, "columns", chip.crossbar.columns, fault.columns);
  if (reader.has("cells"))
    for (YamlReader &cell : reader.sequence("cells")) {
      int64_t row = 0, column = 0;
      for (const char *key : {"row", "column"})
        cell.require(key);
      cell.read("row", row, 0, int64_t(chip.crossbar.rows) - 1);
      cell.read("column", column, 0, int64_t(chip.crossbar.columns) - 1);
      fault.cells.push_back({static_cast<uint32_t>(row), static_cast<uint32_t>(column)});
    }
  llvm::sort(fault.cells);
  fault.cells.erase(std::unique(fault.cells.begin(), fault.cells.end()), fault.cells.end());
  if (!tile)
    return;
  for (const CrossbarFault &other : chip.crossbarFaults)
    if (other.tile == fault.tile && other.crossbar == fault.crossbar)
      return reader.fail("tile",
                         fmt::format("crossbar {} of tile [{}, {}] is named twice; list what does "
                                     "not work of it together",
                                     fault.crossbar, chip.mesh.x(*tile), chip.mesh.y(*tile)));
  if (!usableSizes(chip.crossbar, fault))
    return reader.fail("cells",
                       fmt::format("more than {} rows and as many columns hang together by dead "
                                   "cells; name whole rows or columns that are not to be used",
                                   kMostTangledLines));
  chip.crossbarFaults.push_back(std::move(fault));
}

} // namespace

void readFaults(YamlReader reader, Chip &chip) {
  if (reader.has("links"))
    for (YamlReader &link : reader.sequence("links"))
      readDeadLink(link, chip.router, chip.mesh);
  if (reader.has("tiles"))
    for (YamlReader &tile : reader.sequence("tiles"))
      readDeadTile(tile, chip.router, chip.mesh);
  if (reader.has("crossbars"))
    for (YamlReader &crossbar : reader.sequence("crossbars"))
      readCrossbarFault(crossbar, chip);
  llvm::sort(chip.router.deadTiles);
}

void checkFaults(YamlReader &reader, const Chip &chip) {
  const Router &router = chip.router;
  bool hasTables = router.routing == Routing::UpDown || router.hasFaults();
  if (!chip.mesh.isGrid())
    return; // one way, on which no dead tile lies
  if (hasTables && chip.mesh.tiles() > kMostTabledTiles)
    return reader.fail(router.hasFaults() ? "faults" : "router",
                       fmt::format("routing up_down, dead links and dead tiles go by tables for up "
                                   "to {} tiles, and the mesh has {}",
                                   kMostTabledTiles, chip.mesh.tiles()));
  if (router.hasFaults() && router.multicast != Multicast::Unicast)
    reader.fail("faults",
                fmt::format("multicast {} goes along dimension order, and not round dead links and "
                            "tiles; use multicast unicast and routing up_down",
                            kMulticastNames[static_cast<size_t>(router.multicast)]));
}

} // namespace spindle
