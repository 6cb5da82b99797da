#include "sim/model/lapse/WayChoice.h"

#include <algorithm>

namespace spindle {

static size_t hopsOf(const SpikeWay &way) {
  size_t hops = 0;
  for (const PacketWay &packet : way.packets)
    hops += packet.hops.size();
  return hops;
}

void WayChoice::add(uint64_t latencyCycles, llvm::function_ref<SpikeWay()> way) {
  bool isNext = number % stride == 0, isSlowest = !slowest || latencyCycles > slowestCycles;
  if (isSlowest) {
    slowest = {number, way()};
    slowestCycles = latencyCycles;
  }
  if (isNext) {
    kept.push_back({number, isSlowest ? slowest->way : way()});
    hops += hopsOf(kept.back().way);
  }
  ++number;
  while (hops > most && kept.size() > 1)
    thin();
}

void WayChoice::thin() {
  stride *= 2;
  std::erase_if(kept, [&](const Kept &one) { return one.number % stride != 0; });
  hops = 0;
  for (const Kept &one : kept)
    hops += hopsOf(one.way);
}

std::vector<SpikeWay> WayChoice::take() {
  auto at = std::ranges::lower_bound(kept, slowest ? slowest->number : 0, {}, &Kept::number);
  if (slowest && (at == kept.end() || at->number != slowest->number))
    kept.insert(at, *slowest);
  std::vector<SpikeWay> ways;
  for (Kept &one : kept)
    ways.push_back(std::move(one.way));
  return ways;
}

} // namespace spindle
