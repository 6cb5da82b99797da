// The routers of the model, or its bus, as one module with a pair of sockets for each tile.
#pragma once

#include "sim/chip/transactions/PacketTag.h"
#include "sim/model/router/ClockedNetwork.h"

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace spindle::transactions {

class Mesh : public sc_core::sc_module {
public:
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Mesh>> fromTiles{"from_tile"};
  sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<Mesh>> toTiles{"to_tile"};

  Mesh(sc_core::sc_module_name name, const spindle::Mesh &mesh, const spindle::Router &router);
  ~Mesh() override;

  uint32_t addTree(const MulticastTree &tree);
  /// Requires that all packets are delivered.
  void forgetPackets();

  /// The number, at its interface, of a packet that the network knows by another one.
  PacketId packet(PacketId id) const { return packetOf[id]; }

  ClockedNetwork &network() const { return *model; }

private:
  struct Request {
    uint64_t madeCycle;
    TileId source, target;
    uint32_t flits, tree;
    PacketId packet; // its number at its interface
  };

  void accept(int tile, tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay);
  void advance();
  void deliver(const ClockedNetwork::Reception &reception);

  std::unique_ptr<ClockedNetwork> model;
  std::vector<Request> requests;            // of this quantum
  std::vector<PacketId> packetOf;           // of the network's packets
  std::vector<std::vector<TileId>> targets; // of the trees
  std::vector<ClockedNetwork::Reception> receptions;
  bool areRequestsComplete = false;
  sc_core::sc_event requested;
  tlm::tlm_generic_payload incoming;
  PacketTag tag;
};

} // namespace spindle::transactions
