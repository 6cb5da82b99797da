// What of a chip does not work: the section `faults` of its file (docs/formats/chip.md).
#pragma once

#include "core/chip/Mesh.h"
#include "core/support/formats/Yaml.h"

namespace spindle {

struct Chip;

/// A link that carries nothing, in both directions.
struct DeadLink {
  TileId one, other; // neighbours
  bool operator==(const DeadLink &) const = default;
};

struct CrossbarCell {
  uint32_t row, column;
  auto operator<=>(const CrossbarCell &) const = default;
};

/// What of a crossbar must not be used; the whole of it where nothing is listed.
struct CrossbarFault {
  TileId tile;
  uint32_t crossbar;                    // within the tile
  std::vector<uint32_t> rows, columns;  // ascending
  std::vector<CrossbarCell> cells = {}; // ascending
  bool isWhole() const { return rows.empty() && columns.empty() && cells.empty(); }
  bool operator==(const CrossbarFault &) const = default;
};

/// Reads the section into a chip whose mesh, host, crossbars and router are there, and refuses
/// faults outside of them, named twice, or in a tile of the host.
void readFaults(YamlReader reader, Chip &chip);

/// Refuses routers that cannot go round faults whichever they are: multicast, and meshes too large
/// for tables. Which other routings go round them is found where packets are sent
/// (ChannelDependences.h).
void checkFaults(YamlReader &reader, const Chip &chip);

} // namespace spindle
