// Between a tile and the mesh: packets go out and come in as transactions.
#pragma once

#include "sim/chip/BookedNetwork.h"
#include "sim/chip/transactions/PacketTag.h"

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace spindle::transactions {

/// Interfaces run ahead of the kernel's time by less than this, the quantum of TLM-2.0's temporal
/// decoupling: what is made until its end is handed over at its beginning, with the delay until
/// then. When a packet is made never depends on one that is received in the same quantum, so the
/// quantum has no influence on any cycle.
inline constexpr uint64_t kQuantumCycles = 4096;

/// The end of the quantum that a cycle lies in.
inline uint64_t quantumEnd(uint64_t cycle) { return (cycle / kQuantumCycles + 1) * kQuantumCycles; }

class NetworkInterface : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<NetworkInterface> toMesh{"to_mesh"};
  tlm_utils::simple_target_socket<NetworkInterface> fromMesh{"from_mesh"};

  NetworkInterface(sc_core::sc_module_name name, PacketBook &packets);
  ~NetworkInterface() override;

  /// A packet of this tile, in ascending order of their cycles.
  void queue(PacketId id);

private:
  void sendQuantum();
  void receive(tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay);

  PacketBook &book;
  /// What is handed over, side by side: a tile's packets lie far from each other in the book.
  struct Waiting {
    uint64_t madeCycle;
    PacketId packet;
    TileId target;
    uint32_t flits, tree;
  };
  std::vector<Waiting> waiting; // first at `sent`
  size_t sent = 0;
  sc_core::sc_event queued;
  tlm::tlm_generic_payload outgoing;
  PacketTag tag;
};

} // namespace spindle::transactions
