// Between a tile and its router: packets become flits, and flits packets.
#pragma once

#include "core/chip/RouterTiming.h"
#include "sim/chip/BookedNetwork.h"
#include "sim/chip/pins/Link.h"

namespace spindle::pins {

/// Sends one flit per cycle. The packets of the tile leave in order; their virtual channels take
/// turns, and one without a place is passed over. Takes a flit as it comes.
class NetworkInterface : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clock{"clock"};
  OutputPins out;
  InputPins in;

  NetworkInterface(sc_core::sc_module_name name, const spindle::Router &router,
                   PacketBook &packets);

  void queue(PacketId id) { waiting.push_back(id); }
  /// Nothing is under way; packets that are made later may wait.
  bool isQuiet() const;
  /// In which cycle the next packet is made, UINT64_MAX where none waits.
  uint64_t nextMadeCycle() const;

private:
  void tick();
  void takeFlit();
  void sendFlit(uint64_t cycle);
  bool chooseChannel();

  RouterTiming timing;
  PacketBook &book;
  std::deque<PacketId> waiting;
  uint32_t sentFlits = 0;        // of the packet at the front
  uint32_t channel;              // of that packet, or the one before
  uint64_t readyCycle = 0;       // of the link
  uint32_t capacity;             // flits of a buffer of the router
  std::vector<uint32_t> credits; // per channel
  std::vector<Arrival> underWay; // per channel: of the packet that comes in by it
  Registers<FlitWord> flits;
  Registers<uint8_t> freed;
};

} // namespace spindle::pins
