#include "sim/model/Replay.h"

#include "sim/model/MeshNetwork.h"

#include "fmt/format.h"

namespace spindle {

llvm::Expected<std::vector<Delivery>> replay(const PacketTrace &trace, const Chip &chip) {
  MeshNetwork network(chip.mesh, chip.router);
  std::vector<uint32_t> numbers; // in the trace, of the packets that were sent
  for (uint32_t number = 0; number < trace.packets.size(); ++number)
    for (TileId target : trace.packets[number].targets) {
      const TracedPacket &packet = trace.packets[number];
      network.send(packet.source, target, packet.flits, packet.madeCycle);
      numbers.push_back(number);
    }
  network.drain();
  if (network.delivered() != numbers.size())
    return checkError("replay", fmt::format("{} of {} packets delivered, the others are stuck",
                                            network.delivered(), numbers.size()));
  std::vector<Delivery> deliveries;
  deliveries.reserve(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const Packet &packet = network.packets()[i];
    deliveries.push_back({numbers[i], packet.source, packet.target, packet.flits, packet.madeCycle,
                          packet.injectedCycle, packet.headCycle, packet.tailCycle,
                          chip.mesh.hops(packet.source, packet.target)});
  }
  return deliveries;
}

} // namespace spindle
