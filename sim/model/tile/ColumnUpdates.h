// What the columns of a slot do: who is updated, and when each of them is done.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/network/synapses/SpikeReach.h"
#include "sim/model/SlotSchedule.h"
#include "sim/model/SpikeFanOut.h"

namespace spindle {

/// The columns of a crossbar are worked one after the other. On a chip that prices accesses
/// (Chip::countsAccesses) each takes an access, and an update on top where its neuron is not at
/// rest: from the slot after one in which a spike reached it until it spikes, which resets it, or
/// in a restless population to the end of the sample. A neuron that spikes without that is updated,
/// too. Then a spike, and each packet of it, take their
/// time. On other chips every column takes an update.
class ColumnUpdates {
public:
  /// All of them outlive the updates. `packets`: per neuron, those of a spike of it; empty: their
  /// time is not counted. `graph` says which neurons a spike reaches; it is needed where the chip
  /// counts accesses. Clusters with `isLeftOut` have no columns here.
  ColumnUpdates(const Clustering &network, const Chip &target, const SlotSchedule &slots,
                const SpikingGraph *graph, std::vector<uint32_t> packets,
                const std::vector<bool> &isLeftOut);

  /// Begins the next slot, in which these neurons spike.
  void begin(uint64_t slot, llvm::ArrayRef<NeuronId> spikes);

  /// Cycles from the beginning of the slot until a column is updated and has made its spike; its
  /// packets follow, one after the other.
  uint64_t doneCycle(UnitId unit) const { return done[unit]; }
  /// Until the last crossbar is through.
  uint64_t allCycles() const { return longest; }
  /// In how many slots so far a neuron with a column was updated. Only where accesses are counted.
  uint64_t updatesOf(NeuronId neuron) const { return updates[neuron]; }

private:
  void wake(uint64_t slot, llvm::ArrayRef<NeuronId> spikes);
  void workColumns();
  void send(uint64_t slot, llvm::ArrayRef<NeuronId> spikes);

  const Clustering &clustering;
  const SlotSchedule &schedule;
  bool countsAccesses, isSteady; // every slot is as the first
  uint64_t accessCycles, updateCycles, spikeCycles, packetCycles;
  std::vector<uint32_t> packetsOf;          // per neuron
  std::vector<std::vector<UnitId>> columns; // per cluster
  std::vector<NeuronId> membranes;          // neurons with a column
  SpikeReach reach;
  std::vector<bool> isActive, spikesNow, isRestless; // per neuron
  struct Arrival {
    uint32_t list;
    uint32_t sample;
    auto operator<=>(const Arrival &) const = default;
  };
  std::vector<Arrival> arrived;  // in the slot before
  std::vector<uint64_t> done;    // per unit
  std::vector<uint64_t> updates; // per neuron
  uint64_t longest = 0;
};

} // namespace spindle
