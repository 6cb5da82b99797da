// What a crossbar with faults has room for, and which clusters fit where.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"

#include <optional>

namespace spindle {

/// Rows and columns that can be used together: all of their cells work.
struct CrossbarSize {
  uint32_t rows = 0, columns = 0;
  bool operator==(const CrossbarSize &) const = default;
};

/// Of rows and columns that dead cells join, this many on the shorter side, at most.
inline constexpr uint32_t kMostTangledLines = 16;

/// The largest sizes of a crossbar with a fault: none fits into another, ascending rows. A dead
/// cell is avoided by leaving out its row or its column, and so the sizes are those of the minimal
/// covers of the dead cells by lines, as in the repair of memories (Kuo & Fuchs, "Efficient spare
/// allocation in reconfigurable arrays", DAC 1986), all of them. Lines that no dead cells join are
/// looked at apart. None where more than kMostTangledLines rows and columns hang together.
std::optional<std::vector<CrossbarSize>> usableSizes(const Crossbar &crossbar,
                                                     const CrossbarFault &fault);

/// What a cluster takes.
inline CrossbarSize sizeOf(const Cluster &cluster) {
  return {static_cast<uint32_t>(cluster.axons.size()), cluster.units};
}

/// The room of every crossbar of a chip. Which of the usable rows an axon takes, and which column a
/// unit, does not matter to a mapping.
class CrossbarRoom {
public:
  CrossbarRoom() = default;
  explicit CrossbarRoom(const Chip &chip);

  /// Whether any crossbar has less room than the others.
  bool hasFaults() const { return !sizes.empty(); }
  /// `slot`: tile · crossbarsPerTile + crossbar within the tile. Without faults everything fits
  /// that a clustering for this chip holds.
  bool fits(CrossbarSize need, uint32_t slot) const;

private:
  std::vector<std::vector<CrossbarSize>> sizes; // per slot; empty: no faults
};

} // namespace spindle
