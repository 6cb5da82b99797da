// Packets for tests of segmented buses.
#pragma once

#include "core/support/CounterRandom.h"
#include "sim/model/bus/SegmentedBus.h"
#include "tests/sim/bus/SteppedBus.h"

namespace spindle {

inline Mesh busOf(uint32_t columns, uint32_t rows) {
  return {.columns = columns, .rows = rows, .topology = Topology::SegmentedBus};
}

inline Router busRouter(uint32_t lanes, uint32_t segmentsPerCycle = 0,
                        uint32_t intervalCycles = 1) {
  return {.endCycles = 3,
          .linkIntervalCycles = intervalCycles,
          .bus = {.lanes = lanes, .segmentsPerCycle = segmentsPerCycle}};
}

/// A random bus, and packets for it to random sets of tiles: most of them to one, in bursts.
struct BusTraffic {
  Mesh mesh;
  Router router;
  std::vector<SteppedBusPacket> packets;
};

inline BusTraffic randomBusTraffic(uint64_t seed, uint32_t count = 150) {
  CounterRandom random(seed);
  constexpr std::pair<uint32_t, uint32_t> kShapes[] = {{1, 1}, {2, 1}, {1, 5}, {9, 1}, {4, 3},
                                                       {2, 6}, {3, 3}, {6, 5}, {1, 16}};
  auto [columns, rows] = kShapes[seed % std::size(kShapes)];
  BusTraffic traffic{busOf(columns, rows),
                     busRouter(1 + random.below(4), random.below(6), 1 + random.below(4)),
                     {}};
  traffic.router.endCycles = random.below(4);
  const uint32_t tiles = traffic.mesh.tiles(), longestGap = 2 + random.below(12);
  for (uint64_t madeCycle = random.below(9); traffic.packets.size() < count;) {
    std::vector<TileId> targets{random.below(tiles)};
    if (random.below(4) == 0)
      for (uint32_t more = random.below(5); more > 0; --more)
        targets.push_back(random.below(tiles));
    std::ranges::sort(targets);
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    traffic.packets.push_back({random.below(tiles), targets, 1 + random.below(6), madeCycle});
    if (random.below(2) == 0)
      madeCycle += random.below(random.below(40) == 0 ? 300 : longestGap);
  }
  return traffic;
}

/// A single target goes either way.
inline void sendOverBus(SegmentedBus &bus, const SteppedBusPacket &packet) {
  if (packet.targets.size() == 1 && packet.flits % 2 == 0) {
    bus.send(packet.source, packet.targets[0], packet.flits, packet.madeCycle);
    return;
  }
  MulticastTree tree{{TreeNode{.tile = packet.source}}, packet.targets};
  bus.sendTree(bus.addTree(tree), packet.flits, packet.madeCycle);
}

} // namespace spindle
