#include "sim/chip/transactions/NetworkInterface.h"

#include "sim/chip/Cycles.h"

namespace spindle::transactions {

NetworkInterface::NetworkInterface(sc_core::sc_module_name name, PacketBook &packets)
    : sc_module(name), book(packets) {
  SC_HAS_PROCESS(NetworkInterface);
  SC_METHOD(sendQuantum);
  sensitive << queued;
  dont_initialize();
  fromMesh.register_b_transport(this, &NetworkInterface::receive);
  outgoing.set_command(tlm::TLM_WRITE_COMMAND);
  outgoing.set_extension(&tag);
}

NetworkInterface::~NetworkInterface() { outgoing.clear_extension(&tag); }

void NetworkInterface::queue(PacketId id) {
  if (waiting.empty())
    queued.notify(sc_core::SC_ZERO_TIME);
  const Packet &packet = book.packets[id];
  waiting.push_back({packet.madeCycle, id, packet.target, packet.flits, packet.tree});
}

/// Hands over what is made in this quantum, and sleeps until that of the next packet.
void NetworkInterface::sendQuantum() {
  const uint64_t now = cycleNow(), end = quantumEnd(now);
  for (; sent < waiting.size(); ++sent) {
    const Waiting &packet = waiting[sent];
    if (packet.madeCycle >= end) {
      next_trigger(cycles(quantumEnd(packet.madeCycle) - kQuantumCycles - now));
      return;
    }
    outgoing.set_address(packet.target);
    outgoing.set_data_length(packet.flits);
    outgoing.set_streaming_width(packet.flits);
    outgoing.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    tag.packet = packet.packet;
    tag.tree = packet.tree;
    sc_core::sc_time delay = cycles(packet.madeCycle - now);
    toMesh->b_transport(outgoing, delay);
  }
  waiting.clear();
  sent = 0;
}

/// `delay` lies until the tail is there.
void NetworkInterface::receive(tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay) {
  const auto *received = transaction.get_extension<PacketTag>();
  book.packets[received->packet].injectedCycle = received->injectedCycle;
  book.receive(received->packet, received->target,
               {received->headCycle, cycleNow() + cyclesOf(delay)});
  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
}

} // namespace spindle::transactions
