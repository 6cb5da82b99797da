// A cycle-accurate segmented bus: for each transfer, switches join the segments that it needs.
#pragma once

#include "core/chip/bus/BusTransfers.h"
#include "sim/model/router/ClockedNetwork.h"

namespace spindle {

/// The bus of one chip, whose laws are those of BusTransfers.h. As all cycles of a packet are known
/// when it is sent, it then counts as delivered and its receptions are told.
class SegmentedBus final : public ClockedNetwork {
public:
  SegmentedBus(const Mesh &chipMesh, const Router &router);

  PacketId send(TileId source, TileId target, uint32_t flits, uint64_t madeCycle) override;
  uint32_t addTree(const MulticastTree &tree) override;
  PacketId sendTree(uint32_t tree, uint32_t flits, uint64_t madeCycle) override;
  void watch(const std::vector<WatchedLink> &links, uint64_t madeBefore) override;
  const std::vector<LinkFlit> &watchedFlits() const override { return seenFlits; }
  void drain() override { runUntil(UINT64_MAX); }
  bool runUntil(uint64_t endCycle) override;

  uint64_t delivered() const override { return deliveredPackets; }
  const std::vector<Packet> &packets() const override { return packetTable; }
  const Arrival &arrivalAt(PacketId id, uint32_t target) const override {
    return arrivals[packetTable[id].firstArrival + target];
  }
  void tellReceptions(std::vector<Reception> &list) override { receptions = &list; }
  std::string stuckText() const override;
  void forgetPackets() override;

  /// Of a packet with several targets, flits count once per segment, away from the source.
  uint64_t linkFlits(TileId tile, uint32_t port) const override;
  BufferUse bufferUse() const override { return {}; }
  GatingUse gatingUse(uint64_t) const override { return {}; }
  GatingUse gatingUse(TileId, uint64_t) const override { return {}; }

private:
  struct Tree {
    TileId source;
    std::vector<TileId> targets;
    BusSpan span;
  };

  PacketId queue(Packet packet, BusSpan span);
  llvm::ArrayRef<TileId> targetsOf(const Packet &packet) const;
  BusSpan spanOf(const Packet &packet) const;
  void deliver(PacketId id, uint64_t sentCycle);
  void record(PacketId id, uint32_t lane, uint64_t sentCycle);

  Mesh mesh;
  BusLine line;
  BusTransfers transfers; // by the numbers of packets
  std::vector<Tree> trees;
  std::vector<uint64_t> flitsUp, flitsDown; // per segment: towards higher places, and lower ones
  std::vector<uint64_t> flitsReceived;      // per tile
  std::vector<Packet> packetTable;
  std::vector<Arrival> arrivals; // of multicast packets
  static constexpr uint32_t kUnwatched = UINT32_MAX;
  std::vector<uint32_t> watchedUp, watchedDown; // per segment: which watched link; empty: none
  uint64_t watchedBefore = 0;
  std::vector<LinkFlit> seenFlits;
  std::vector<Reception> *receptions = nullptr;
  uint64_t deliveredPackets = 0;
};

} // namespace spindle
