// Watches a simulation of the chip and makes the time-lapse of its first sample.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/lapse/TimeLapse.h"
#include "sim/model/SlotSchedule.h"
#include "sim/model/energy/EnergyAccount.h"
#include "sim/model/lapse/WayChoice.h"
#include "sim/model/router/PacketNetwork.h"

#include <map>

namespace spindle {

/// Frames are filled by the slot that is worked, or on a free-running chip, whose packets cross the
/// ends of slots, by the cycle in which something happens. Flits are those that the network keeps
/// of watched links: all of them are watched until the first sample is over.
class LapseRecorder {
public:
  /// At most so many frames; fewer on a chip of many tiles, whose figures would fill pages.
  static constexpr uint64_t kMostFrames = 64;
  static constexpr uint64_t kMostTileFigures = 16384;
  /// Links that the ways of spikes may have together.
  static constexpr size_t kMostWayHops = 8000;

  /// A packet that the network has delivered.
  struct Carried {
    PacketId id = 0;
    NeuronId neuron = 0;
    std::optional<uint32_t> step; // of the first sample: its way may be shown
    uint64_t slot = 0;
    llvm::ArrayRef<TileId> targets; // with several: of its tree
  };

  /// All of them outlive the recorder; `mesh` is the new network of the chip. `used`: its tiles
  /// with a crossbar.
  LapseRecorder(const Chip &target, const SlotSchedule &slots,
                const std::vector<Population> &layers, PacketNetwork &mesh,
                std::vector<TileId> used);

  /// Where events in a tile count that happen in this cycle, in the slot that is worked; none after
  /// the end.
  EventCounts *countsAt(TileId tile, uint64_t cycle);
  /// Whether packets that are made in this cycle may be in a frame; if not, none that are made
  /// later are.
  bool wants(uint64_t madeCycle) const { return (isOpen() || isFree()) && madeCycle < madeBefore; }
  /// After the packets that were sent have arrived, before they are forgotten: the first of them,
  /// up to one that is not wanted.
  void take(llvm::ArrayRef<Carried> packets);
  /// The slot that is worked ends. `neurons`: accesses and updates per tile, of all slots so far.
  void endSlot(uint64_t beginCycle, uint64_t endCycle, bool hasBarrier,
               llvm::function_ref<std::vector<EventCounts>()> neurons);
  /// After the last slot, and the last packet.
  TimeLapse finish(uint64_t cycles);

private:
  /// What has been counted up to the end of a frame.
  struct Standing {
    std::vector<EventCounts> neurons; // per tile
    std::vector<GatingUse> routers;
  };

  bool isFree() const { return chip.synchronisation == Synchronisation::Free; }
  bool isOpen() const { return nextSlot < lapse.slots; }
  size_t frameAt(uint64_t cycle) const;
  uint64_t endOf(size_t frame) const;
  void addTime(std::vector<uint64_t> LapseFrame::*figure, TileId router, uint64_t begin,
               uint64_t end);
  void countFlits();
  void addPacket(const Packet &packet, llvm::ArrayRef<WayHop> hops, llvm::ArrayRef<WayEnd> ends);
  PacketWay wayOf(const Packet &packet, llvm::ArrayRef<WayHop> hops, std::vector<WayEnd> ends);
  std::vector<WayEnd> endsOf(const Carried &carried) const;
  void stand(uint64_t cycle, const std::vector<EventCounts> &neurons);
  void addStandings();
  void addRouters(size_t frame, uint64_t cycles);
  void price();
  void warmEmptyFrames();
  void keepUsedLinks();

  const Chip &chip;
  const SlotSchedule &schedule;
  const std::vector<Population> &populations;
  PacketNetwork &network;
  std::vector<TileId> usedTiles;
  TimeLapse lapse;
  bool isWhole;                     // the first sample is the only one
  uint64_t madeBefore = UINT64_MAX; // packets that may be in a frame
  uint64_t nextSlot = 0;
  std::vector<std::vector<EventCounts>> counts; // per frame and tile
  std::vector<uint64_t> barriers;               // per frame
  std::vector<Standing> standings;              // per frame
  std::vector<uint64_t> leaveCycle;             // per router, of the packet that is looked at
  WayChoice choice;
};

} // namespace spindle
