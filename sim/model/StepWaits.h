// What the steps of a simulation wait for: the part of the chip that is busy longest.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/ChipStats.h"
#include "core/chip/Clustering.h"
#include "core/chip/RouterTiming.h"
#include "sim/model/router/PacketNetwork.h"

#include <array>

namespace spindle {

/// Adds up what each part of the chip does in a slot of hardware time, in cycles. A link that
/// carries n flits is busy for n times what it needs for one (RouterTiming.h).
class StepWaits {
public:
  StepWaits(const Chip &chip, size_t clusters);

  void updateColumns(uint64_t cycles) { columnCycles = cycles; } // of the fullest crossbar
  void compute(uint64_t cycles) { circuitCycles = cycles; }      // of the slowest circuit in a tile
  void read(ClusterId cluster, uint64_t cycles) { readCycles[cluster] += cycles; }
  void send(TileId source, uint32_t flits) { sentFlits[source] += flits; }
  /// The packets of the slot have arrived by `network`, the crossbars have read them.
  void endSlot(const PacketNetwork &network);

  /// Slots by the part that was busy longest, in the order of the names; parts that were never are
  /// left out. Of two that are busy alike the first counts.
  std::vector<WaitCount> counts() const;

private:
  double busyOnLink(TileId router, uint32_t port) const;

  Mesh mesh;
  RouterTiming timing;
  uint64_t columnCycles = 0, circuitCycles = 0;
  std::vector<uint64_t> readCycles, sentFlits; // per cluster, per tile; of this slot
  std::vector<uint64_t> flitsBefore;           // (router, port)
  std::array<uint64_t, 5> slots{};             // by name
};

} // namespace spindle
