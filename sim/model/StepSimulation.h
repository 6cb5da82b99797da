// One network step on the chip: neurons spike, packets travel, crossbars read rows, the chip waits
// for all.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/PacketTrace.h"
#include "core/network/Population.h"
#include "sim/model/EnergyAccount.h"
#include "sim/model/MulticastPlan.h"
#include "sim/model/PacketLog.h"
#include "sim/model/SpikeFanOut.h"
#include "sim/model/router/MeshNetwork.h"

namespace spindle {

/// Plays the spikes of step after step. A step takes one slot of hardware time:
///  1. every crossbar updates its columns one after the other; a column's spike or partial sum
///     leaves when its update is done, the host's spikes are there at the start;
///  2. a packet per destination tile travels the mesh, or with multicast one for all of them;
///  within
///     a tile it arrives at once, a crossbar hears its own neurons without a packet;
///  3. every crossbar works its arrivals one after the other, in the order of arrival;
///  4. when columns, mesh and crossbars are done the barrier closes the slot.
/// Layers work side by side as in a pipeline: the spikes of step t share one slot in all layers
/// (docs/rationale/chip.md).
class StepSimulation {
public:
  /// All of them outlive the simulation. Without a plan every packet has one target. The packets of
  /// the mesh are added to `log` where there is one.
  StepSimulation(const Clustering &clustering, const SpikeFanOut &tables, const Chip &chip,
                 const MulticastPlan *plan = nullptr, PacketLog *log = nullptr);

  /// `spikes` of one step, ascending by neuron.
  llvm::Error run(llvm::ArrayRef<Spike> spikes, uint32_t sample, uint32_t step);

  /// Figures of all steps so far; the hops of `counts` are left to linkLoads.
  EventCounts counts;
  uint64_t cycles = 0;
  uint64_t spikePackets = 0, partialSumPackets = 0, localDeliveries = 0;
  uint64_t deliveries = 0;              // packets received from the mesh, once per target
  std::vector<uint64_t> latencyCounts;  // deliveries by latency: packet made → tail received
  uint64_t networkLatencySumCycles = 0; // head injected → tail received
  std::vector<uint64_t> tileSpikes, tileSynapticEvents;
  /// Flits per link, ascending (from, to), loads above zero.
  std::vector<LinkLoad> linkLoads() const;

private:
  /// A packet of this step that crosses the mesh.
  struct Message {
    uint64_t madeCycle;
    uint64_t order = 0; // among those made in the same cycle
    TileId source = 0, target = 0;
    uint32_t flits;
    llvm::ArrayRef<Stop> stops = {};        // all in the target tile
    const PlannedPacket *planned = nullptr; // in the place of target and stops: to several tiles
    NeuronId neuron;
    PacketKind kind;
    uint32_t sums = 0; // partial sums in it
  };
  /// Work for a crossbar.
  struct Work {
    uint64_t cycle;
    ClusterId cluster;
    uint32_t synapses;
    uint32_t sums; // 0: a row
  };

  uint64_t updatedCycle(UnitId unit) const;
  void makeSpikes(llvm::ArrayRef<Spike> spikes);
  void makePartialSums(llvm::ArrayRef<Spike> spikes);
  void make(Message message, ClusterId from, llvm::ArrayRef<Stop> stops);
  void logMessages(uint32_t sample, uint32_t step);
  void sendPartialSums(UnitId last, uint64_t madeCycle, uint32_t sums);
  void arrive(uint64_t cycle, llvm::ArrayRef<Stop> stops, uint32_t sums);
  llvm::Error travel();
  uint64_t workArrivals();

  const Clustering &clustering;
  const Chip &chip;
  const SpikeFanOut &fanOut;
  const MulticastPlan *plan;
  PacketLog *log;
  MeshNetwork network;
  uint64_t neuronUpdateCycles, stepBarrierCycles;
  uint64_t allUpdatesCycles = 0; // until the fullest crossbar has updated its columns
  uint64_t neurons = 0, tilesInUse = 0;
  std::vector<Message> messages; // of this step
  std::vector<Work> arrivals;    // of this step
};

} // namespace spindle
