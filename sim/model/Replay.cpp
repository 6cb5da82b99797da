#include "sim/model/Replay.h"

#include "core/chip/routing/ChannelDependences.h"
#include "core/chip/routing/Ways.h"
#include "sim/model/router/ClockedNetwork.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <optional>

namespace spindle {

namespace {

/// The packets of the network that one of the trace becomes.
class Sender {
public:
  Sender(const Chip &target, PacketNetwork &mesh) : network(mesh), chip(target), ways(target) {}

  void send(uint32_t number, const TracedPacket &packet) {
    if (packet.targets.size() == 1 || chip.router.multicast == Multicast::Unicast) {
      for (TileId target : packet.targets) {
        network.send(packet.source, target, packet.flits, packet.madeCycle);
        sent.push_back({number, {target}});
      }
      return;
    }
    std::vector<std::vector<TileId>> groups = {{packet.targets.begin(), packet.targets.end()}};
    if (chip.router.multicast == Multicast::Path)
      groups = multicastPaths(chip.mesh, chip.router.routing, packet.source, packet.targets);
    for (std::vector<TileId> &group : groups) {
      auto [tree, isNew] = trees.try_emplace({packet.source, group}, 0);
      if (isNew)
        tree->second =
            network.addTree(multicastTree(chip.mesh, chip.router.routing, packet.source, group));
      network.sendTree(tree->second, packet.flits, packet.madeCycle);
      sent.push_back({number, std::move(group)});
    }
  }

  void watch(const std::vector<WatchedLink> &links) { network.watch(links, UINT64_MAX); }
  std::vector<LinkFlit> watchedFlits() const {
    std::vector<LinkFlit> flits = network.watchedFlits();
    for (LinkFlit &flit : flits)
      flit.packet = sent[flit.packet].number;
    return flits;
  }

  std::vector<Delivery> deliveries() const {
    std::vector<Delivery> all;
    for (PacketId id = 0; id < sent.size(); ++id) {
      const Packet &packet = network.packets()[id];
      for (uint32_t i = 0; i < sent[id].targets.size(); ++i) {
        TileId target = sent[id].targets[i];
        Arrival arrival{packet.headCycle, packet.tailCycle};
        if (packet.tree != Packet::kNoTree)
          arrival = network.arrivalAt(id, i);
        all.push_back({sent[id].number, packet.source, target, packet.flits, packet.madeCycle,
                       packet.injectedCycle, arrival.headCycle, arrival.tailCycle,
                       ways.hops(packet.source, target)});
      }
    }
    return all;
  }

  bool isDrained() {
    network.drain();
    return network.delivered() == sent.size();
  }
  std::string stuckText() const { return network.stuckText(); }

private:
  struct Sent {
    uint32_t number; // in the trace
    std::vector<TileId> targets;
  };
  PacketNetwork &network;
  const Chip &chip;
  Ways ways;
  std::map<std::pair<TileId, std::vector<TileId>>, uint32_t> trees;
  std::vector<Sent> sent;
};

llvm::Error checkEnds(const PacketTrace &trace, const Chip &chip) {
  auto isDead = [&](TileId tile) { return llvm::is_contained(chip.router.deadTiles, tile); };
  for (size_t number = 0; number < trace.packets.size(); ++number) {
    const TracedPacket &packet = trace.packets[number];
    const auto *target = llvm::find_if(packet.targets, isDead);
    if (isDead(packet.source) || target != packet.targets.end())
      return inputError(chip.path,
                        fmt::format("packet {} {} tile {}, which is dead (faults.tiles)", number,
                                    isDead(packet.source) ? "begins at" : "goes to",
                                    isDead(packet.source) ? packet.source : *target));
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::vector<Delivery>> replay(const PacketTrace &trace, const Chip &chip,
                                             const std::vector<WatchedLink> &watched,
                                             std::vector<LinkFlit> *flits, PacketNetwork *network) {
  SPINDLE_RETURN_IF_ERROR(checkDeadlockFree(chip));
  if (!chip.router.deadTiles.empty())
    SPINDLE_RETURN_IF_ERROR(checkEnds(trace, chip));
  std::unique_ptr<PacketNetwork> model;
  if (!network) {
    model = makeModel(chip.mesh, chip.router);
    network = model.get();
  }
  Sender sender(chip, *network);
  if (!watched.empty())
    sender.watch(watched);
  for (uint32_t number = 0; number < trace.packets.size(); ++number) {
    const TracedPacket &packet = trace.packets[number];
    if (!chip.mesh.isBus() && packet.targets.size() > 1 && packet.flits > chip.router.bufferFlits &&
        chip.router.multicast != Multicast::Unicast)
      return inputError(chip.path,
                        fmt::format("multicast {} needs buffers that hold a packet with several "
                                    "targets, and packet {} has {} flits, but buffer_flits is {}; "
                                    "set buffer_flits: {}",
                                    kMulticastNames[static_cast<size_t>(chip.router.multicast)],
                                    number, packet.flits, chip.router.bufferFlits, packet.flits));
    sender.send(number, packet);
  }
  if (!sender.isDrained())
    return checkError("replay", sender.stuckText());
  if (flits)
    *flits = sender.watchedFlits();
  return sender.deliveries();
}

OfferedLoad offeredLoad(const std::vector<Delivery> &deliveries, const Mesh &mesh) {
  OfferedLoad load;
  if (deliveries.empty())
    return load;
  auto byMade = [](const Delivery &a, const Delivery &b) { return a.madeCycle < b.madeCycle; };
  auto [first, last] = std::minmax_element(deliveries.begin(), deliveries.end(), byMade);
  uint64_t end = last->madeCycle + 1, half = first->madeCycle + (end - first->madeCycle) / 2;
  for (const Delivery &delivery : deliveries) {
    bool isMade = delivery.madeCycle >= half;
    load.packets += isMade;
    load.made += isMade ? delivery.flits : 0;
    load.received += delivery.tailCycle >= half && delivery.tailCycle < end ? delivery.flits : 0;
  }
  load.cycles = end - half;
  load.made /= double(load.cycles) * mesh.tiles();
  load.received /= double(load.cycles) * mesh.tiles();
  return load;
}

} // namespace spindle
