// What a clustering is expected to take on a chip before it is placed: means over its recorded
// samples and steps, for searches that compare clusterings.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"

namespace spindle {

/// What a step waits for.
enum class StepLimit : uint8_t { ColumnUpdates, RowReads, PacketsOut, HostPackets };
inline constexpr const char *kStepLimitNames[] = {"column updates", "row reads", "packets out",
                                                  "packets of the host"};

struct Forecast {
  double cycles = 0;      // per sample: steps × (barrier + the longest of the limits)
  double slowestWork = 0; // per sample, cycles of the crossbar with most work (CrossbarWork.h)
  StepLimit limit = StepLimit::ColumnUpdates;
  ClusterId cluster = kNone; // that it is about, none for the host
  double packets = 0;        // per sample, from crossbar to crossbar and from the host
  double pj = 0;         // per sample; spikes themselves, the same in every clustering, left out …
  double pjPerCycle = 0; // … of which leakage, whatever is done
};

/// A crossbar, or the host, sends one flit in a cycle: a packet per spike and crossbar that
/// listens, with multicast one per spike. Packets are taken to travel a third of the side of the
/// smallest square of tiles with room for all clusters. Requires at least one sample. O(axons +
/// links).
Forecast forecast(const Clustering &clustering, const Chip &chip);

/// Cycles of a packet from one of so many crossbars to another, where nothing is in its way; none
/// inside a tile.
double meanWayCycles(const Chip &chip, size_t clusters);

/// Energy of the links that a flit passes on its way between two of so many crossbars.
double meanWayPj(const Chip &chip, size_t clusters);

} // namespace spindle
