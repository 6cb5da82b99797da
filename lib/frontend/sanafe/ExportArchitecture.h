// A chip as an architecture of SANA-FE. Private to this folder.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Mapping.h"

#include <string>
#include <vector>

namespace spindle::sanafe {

/// What the cores of a run have besides neurons that compute.
struct ExtraUnits {
  uint32_t inputs = 0;            // in a core of the host's tile, without a price
  std::vector<uint32_t> replayed; // per crossbar of the chip: neurons whose spikes are given
};

/// Of synapses of a kind that has prices of its own.
std::string synapseUnit(SynapseKind kind);

/// As decimal digits that read back as the same number, never as a whole number's.
std::string digits(double value);

/// Its tiles are numbered column by column.
inline uint32_t tileNumber(const Mesh &mesh, TileId tile) {
  return mesh.x(tile) * mesh.rows + mesh.y(tile);
}

/// The text, and in `notes` what it cannot say. Refuses chips with other ways between tiles.
llvm::Expected<std::string> architectureText(const Chip &chip, const Mapping &mapping,
                                             const ExtraUnits &extra,
                                             std::vector<std::string> &notes);

} // namespace spindle::sanafe
