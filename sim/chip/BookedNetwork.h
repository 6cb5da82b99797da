// What the engines of SystemC know of packets: a book of them, in the order in which they were
// sent.
#pragma once

#include "core/chip/Mesh.h"
#include "sim/model/router/PacketNetwork.h"

#include <cassert>

namespace spindle {

/// Modules are handed packets by their number and write down when they arrive.
struct PacketBook {
  std::vector<Packet> packets;
  std::vector<Arrival> arrivals; // of multicast packets
  uint64_t delivered = 0;

  /// The tail of a packet was received by a target, which has this place among those of its tree.
  void receive(PacketId id, uint32_t target, Arrival arrival) {
    Packet &packet = packets[id];
    packet.headCycle = std::max(packet.headCycle, arrival.headCycle);
    packet.tailCycle = std::max(packet.tailCycle, arrival.tailCycle);
    if (packet.tree != Packet::kNoTree)
      arrivals[packet.firstArrival + target] = arrival;
    delivered += --packet.missing == 0;
  }
};

/// The part of an engine that has nothing to do with SystemC.
class BookedNetwork : public PacketNetwork {
public:
  PacketId send(TileId source, TileId target, uint32_t flits, uint64_t madeCycle) override {
    return add({source, target, flits, madeCycle});
  }
  uint64_t delivered() const override { return book.delivered; }
  const std::vector<Packet> &packets() const override { return book.packets; }
  const Arrival &arrivalAt(PacketId id, uint32_t target) const override {
    return book.arrivals[book.packets[id].firstArrival + target];
  }
  void forgetPackets() override {
    assert(book.delivered == book.packets.size());
    book.packets.clear(); // room is kept for the next ones
    book.arrivals.clear();
    book.delivered = 0;
  }

protected:
  PacketId add(Packet packet) {
    assert(book.packets.empty() || packet.madeCycle >= book.packets.back().madeCycle);
    auto id = static_cast<PacketId>(book.packets.size());
    book.packets.push_back(packet);
    queue(id);
    return id;
  }
  /// Hands a packet to the interface of its source.
  virtual void queue(PacketId id) = 0;

  PacketBook book;
};

} // namespace spindle
