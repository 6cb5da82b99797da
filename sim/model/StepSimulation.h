// One network step on the chip: neurons spike, packets travel, crossbars read rows, the chip waits
// for all.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/PacketTrace.h"
#include "core/chip/routing/Ways.h"
#include "core/network/Population.h"
#include "sim/model/CircuitTile.h"
#include "sim/model/MulticastPlan.h"
#include "sim/model/PacketLog.h"
#include "sim/model/SlotSchedule.h"
#include "sim/model/SpikeFanOut.h"
#include "sim/model/SpikeTiming.h"
#include "sim/model/StepWaits.h"
#include "sim/model/energy/EnergyAccount.h"
#include "sim/model/lapse/LapseRecorder.h"
#include "sim/model/router/PacketNetwork.h"
#include "sim/model/tile/ColumnUpdates.h"

namespace spindle {

/// Plays the spikes of step after step. A step takes one slot of hardware time:
///  1. every crossbar updates its columns one after the other; a column's spike or partial sum
///     leaves when its update is done, the host's spikes are there at the start;
///  2. a packet per destination tile travels the mesh, or with multicast one for all of them;
///  within
///     a tile it arrives at once, a crossbar hears its own neurons without a packet;
///  3. every crossbar works its arrivals one after the other, in the order of arrival;
///  (a circuit in the place of a crossbar takes a packet per cycle, works what came in the slot
///  before, and sends its spikes in the cycles that it has made them in);
///  4. when columns, mesh and crossbars are done the slot ends, with barriers after their time; or
///     on a free-running chip when its time is over, whatever is still on its way.
/// Layers work side by side; which step each of them works in a slot is the schedule's matter
/// (docs/rationale/chip.md).
class StepSimulation {
public:
  /// All of them outlive the simulation; `mesh` is new, and that of the chip. Without a plan every
  /// packet has one target. The packets of the mesh are added to `log` where there is one. The
  /// graph is needed where the chip counts accesses. A recorder is told what it asks for.
  StepSimulation(const Clustering &clustering, const SpikeFanOut &tables, const Chip &chip,
                 PacketNetwork &mesh, const SlotSchedule &schedule,
                 const MulticastPlan *plan = nullptr, PacketLog *log = nullptr,
                 llvm::MutableArrayRef<CircuitTile> circuits = {},
                 const SpikingGraph *graph = nullptr, LapseRecorder *recorder = nullptr);

  /// Slots in ascending order from 0. Refuses the columns of a free-running chip that are not
  /// updated within a step.
  llvm::Error run(uint64_t slot);
  /// After the last slot: a free-running chip has packets on their way until then.
  llvm::Error finish();

  /// Events of all steps, once `finish` has been called, but for cycles of routers. The same by
  /// tile (a hop counts where its flit comes from), and what a population causes; barriers and
  /// cycles of tiles are caused by none.
  std::vector<EventCounts> tileCounts, layerCounts;
  /// Reads of the rows of axons, in the order of the fan-out's stops.
  std::vector<uint64_t> rowsRead;
  uint64_t cycles = 0;
  uint64_t spikePackets = 0, partialSumPackets = 0, localDeliveries = 0;
  uint64_t deliveries = 0;                    // packets received from the mesh, once per target
  std::vector<uint64_t> latencyCounts;        // deliveries by latency: packet made → tail received
  std::vector<uint64_t> networkLatencyCounts; // likewise: head injected → tail received
  uint64_t hopsSum = 0, flitsReceived = 0;    // of deliveries
  uint64_t spikesOut = 0, spikeTargets = 0, mostSpikeTargets = 0; // of spikes that leave their tile
  uint64_t rowReads = 0, lateRowReads = 0, latenessMaxCycles = 0;
  uint64_t steadySlots = 0, steadyCycles = 0;
  SpikeTiming timing;
  StepWaits waits; // of slots that end when all is done
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
    uint64_t slot = 0;
    uint32_t sums = 0; // partial sums in it
  };
  /// Work for a crossbar.
  struct Work {
    uint64_t cycle;
    ClusterId cluster;
    SynapsesByKind<uint32_t> synapses;
    uint64_t slot;
    uint32_t sums; // 0: a row
    NeuronId neuron;
  };

  bool isFree() const { return chip.synchronisation == Synchronisation::Free; }
  uint64_t updatedCycle(UnitId unit) const;
  void makeSpikes(llvm::ArrayRef<NeuronId> spikes);
  void makePartialSums(llvm::ArrayRef<NeuronId> spikes);
  struct NeuronCounts {
    std::vector<EventCounts> tiles, layers;
  };

  void add(uint64_t EventCounts::*event, TileId tile, NeuronId neuron, uint64_t cycle,
           uint64_t number = 1);
  void addSynapticEvents(const Stop &stop, NeuronId neuron, uint64_t cycle);
  void countHops(const Message &message);
  NeuronCounts neuronCounts() const;
  void countNeurons();
  void count(const Message &message, TileId target, uint64_t injectedCycle, Arrival arrival);
  llvm::ArrayRef<Stop> takePacket(llvm::ArrayRef<Stop> &stops, PacketKind kind) const;
  bool needsPacket(llvm::ArrayRef<Stop> stops, ClusterId from, PacketKind kind) const;
  uint32_t packetsOf(NeuronId neuron) const;
  std::vector<uint32_t> packetCounts() const;
  std::vector<bool> clustersOfCircuits() const;
  void make(Message message, ClusterId from, llvm::ArrayRef<Stop> stops);
  void logMessages(size_t first);
  void sendPartialSums(UnitId last, uint64_t madeCycle, uint32_t sums);
  void arrive(const Message &message, uint64_t cycle, llvm::ArrayRef<Stop> stops);
  llvm::Error beginCircuits();
  llvm::Error timeCircuits(size_t first);
  uint64_t takeArrival(const Work &arrival, uint64_t freeCycle);
  llvm::Error travel();
  std::vector<LapseRecorder::Carried> carried() const;
  uint64_t workArrivals();
  void endSlot(uint64_t endCycle);

  const Clustering &clustering;
  const Chip &chip;
  Ways ways;
  const SpikeFanOut &fanOut;
  const MulticastPlan *plan;
  const SlotSchedule &schedule;
  PacketLog *log;
  LapseRecorder *lapse;
  PacketNetwork &network;
  std::vector<TileId> usedTiles;
  uint64_t tileSteps = 0, tileCycles = 0; // of each tile in use
  std::vector<uint64_t> workedSlots;      // per population
  struct Hops {
    uint64_t alongX = 0, alongY = 0, betweenChips = 0;
  };
  std::vector<Hops> treeHops;    // per tree
  uint64_t now = 0, begin = 0;   // slot, and its first cycle
  std::vector<bool> driven;      // clusters, by the spikes of the slot before
  std::vector<Message> messages; // of this slot; of a free-running chip, of all
  std::vector<Work> arrivals;    // likewise
  llvm::MutableArrayRef<CircuitTile> circuits;
  std::vector<CircuitTile *> circuitOf; // per cluster; none of crossbars
  ColumnUpdates columns;
  std::vector<const CircuitStep *> circuitNow; // per circuit, what it does in this slot, if it does
};

} // namespace spindle
