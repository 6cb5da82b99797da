#include "lib/sdf/placed/BusOfSteps.h"

#include <algorithm>

namespace spindle {

BusOfSteps::BusOfSteps(const Chip &chip)
    : line(chip.mesh.bus()), timing(chip), transfers(chip.mesh, chip.router),
      sent(chip.mesh.tiles()), received(sent), passed(line.segments()) {}

uint32_t BusOfSteps::addTree(const MulticastTree &tree) {
  trees.push_back(tree.targets);
  return static_cast<uint32_t>(trees.size() - 1);
}

llvm::ArrayRef<TileId> BusOfSteps::targetsOf(const MeshPacket &packet) const {
  if (packet.isTree)
    return trees[packet.target];
  return packet.target;
}

bool BusOfSteps::run(llvm::ArrayRef<MeshPacket> packets,
                     llvm::function_ref<void(uint32_t, uint32_t, uint64_t)> arrived) {
  uint64_t end = start;
  for (const MeshPacket &packet : packets)
    transfers.add(packet.source, line.spanOf(packet.source, targetsOf(packet)), packet.flits,
                  start + packet.madeCycle);
  transfers.runUntil(UINT64_MAX, [&](uint32_t number, uint32_t, uint64_t sentCycle) {
    const MeshPacket &packet = packets[number];
    llvm::ArrayRef<TileId> targets = targetsOf(packet);
    for (uint32_t target = 0; target < targets.size(); ++target) {
      uint64_t tail = sentCycle + transfers.tailCycles(packet.flits) +
                      transfers.headCycles(line.hops(packet.source, targets[target]));
      arrived(number, target, tail - start);
      end = std::max(end, tail);
    }
  });
  transfers.forget();
  countLoad(packets);
  start = end + timing.interval; // every segment is free again
  return true;
}

void BusOfSteps::countLoad(llvm::ArrayRef<MeshPacket> packets) {
  for (std::vector<uint64_t> *counts : {&sent, &received, &passed})
    std::fill(counts->begin(), counts->end(), 0);
  for (const MeshPacket &packet : packets) {
    BusSpan span = line.spanOf(packet.source, targetsOf(packet));
    for (uint32_t segment = span.first; segment < span.last; ++segment)
      passed[segment] += packet.flits;
    sent[packet.source] += packet.flits;
    for (TileId target : targetsOf(packet))
      received[target] += packet.flits;
  }
  auto mostOf = [](const std::vector<uint64_t> &counts) {
    return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
  };
  busiest = {mostOf(sent), mostOf(received), double(mostOf(passed)) * timing.link.busy};
}

} // namespace spindle
