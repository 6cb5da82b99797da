#include "sim/chip/transactions/Mesh.h"

#include "sim/chip/Cycles.h"
#include "sim/chip/transactions/NetworkInterface.h"

#include <algorithm>

namespace spindle::transactions {

Mesh::Mesh(sc_core::sc_module_name name, const spindle::Mesh &mesh, const spindle::Router &router)
    : sc_module(name), model(makeModel(mesh, router)) {
  fromTiles.init(mesh.tiles());
  toTiles.init(mesh.tiles());
  for (TileId tile = 0; tile < mesh.tiles(); ++tile)
    fromTiles[tile].register_b_transport(this, &Mesh::accept, static_cast<int>(tile));
  SC_HAS_PROCESS(Mesh);
  SC_METHOD(advance);
  sensitive << requested;
  dont_initialize();
  incoming.set_command(tlm::TLM_WRITE_COMMAND);
  incoming.set_extension(&tag);
  model->tellReceptions(receptions);
}

Mesh::~Mesh() { incoming.clear_extension(&tag); }

uint32_t Mesh::addTree(const MulticastTree &tree) {
  targets.push_back(tree.targets);
  return model->addTree(tree);
}

void Mesh::forgetPackets() {
  model->forgetPackets();
  packetOf.clear();
}

void Mesh::accept(int tile, tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay) {
  const auto *sent = transaction.get_extension<PacketTag>();
  requests.push_back({cycleNow() + cyclesOf(delay), static_cast<TileId>(tile),
                      static_cast<TileId>(transaction.get_address()), transaction.get_data_length(),
                      sent->tree, sent->packet});
  requested.notify(sc_core::SC_ZERO_TIME);
  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// Runs the network to the end of the quantum, after all interfaces have handed their packets over.
void Mesh::advance() {
  if (!areRequestsComplete) {
    areRequestsComplete = true;
    next_trigger(sc_core::SC_ZERO_TIME);
    return;
  }
  areRequestsComplete = false;
  std::sort(requests.begin(), requests.end(), [](const Request &a, const Request &b) {
    return a.madeCycle != b.madeCycle ? a.madeCycle < b.madeCycle : a.packet < b.packet;
  });
  for (const Request &request : requests) {
    packetOf.push_back(request.packet);
    if (request.tree == Packet::kNoTree)
      model->send(request.source, request.target, request.flits, request.madeCycle);
    else
      model->sendTree(request.tree, request.flits, request.madeCycle);
  }
  requests.clear();
  const uint64_t now = cycleNow(), end = quantumEnd(now);
  bool isMoving = model->runUntil(end);
  for (const ClockedNetwork::Reception &reception : receptions)
    deliver(reception);
  receptions.clear();
  if (isMoving && model->delivered() < packetOf.size())
    next_trigger(cycles(end - now));
}

void Mesh::deliver(const ClockedNetwork::Reception &reception) {
  const Packet &packet = model->packets()[reception.packet];
  tag.packet = packetOf[reception.packet];
  tag.tree = packet.tree;
  tag.target = reception.target;
  tag.injectedCycle = packet.injectedCycle;
  tag.headCycle = packet.headCycle;
  TileId target = packet.target;
  if (packet.tree != Packet::kNoTree) {
    tag.headCycle = model->arrivalAt(reception.packet, reception.target).headCycle;
    target = targets[packet.tree][reception.target];
  }
  incoming.set_address(target);
  incoming.set_data_length(packet.flits);
  incoming.set_streaming_width(packet.flits);
  incoming.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = cycles(reception.cycle - cycleNow());
  toTiles[target]->b_transport(incoming, delay);
}

} // namespace spindle::transactions
