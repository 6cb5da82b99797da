#include "lib/sdf/BoundedChannels.h"

#include <cassert>
#include <numeric>

namespace spindle {

SdfGraph withCapacities(const SdfGraph &graph, const std::vector<uint64_t> &capacities) {
  SdfGraph result = graph;
  for (size_t c = 0; c < graph.channels.size(); ++c) {
    const SdfChannel &channel = graph.channels[c];
    if (capacities[c] == kUnbounded)
      continue;
    assert(capacities[c] >= channel.initialTokens);
    result.channels.push_back({channel.target, channel.source, channel.consume, channel.produce,
                               capacities[c] - channel.initialTokens, 0});
  }
  return result;
}

uint64_t capacityStep(const SdfChannel &channel) {
  uint64_t step = 0;
  for (const PerPhase<uint32_t> *rate : {&channel.produce, &channel.consume})
    for (uint32_t tokens : rate->list())
      step = std::gcd(step, uint64_t(tokens));
  return step;
}

uint64_t leastCapacity(const SdfChannel &channel) {
  uint64_t step = capacityStep(channel), rest = channel.initialTokens % step;
  uint64_t produced = channel.produce.largest(), consumed = channel.consume.largest();
  uint64_t least = channel.produce.phases() == 1 && channel.consume.phases() == 1
                       ? produced + consumed - step
                       : std::max(produced, consumed);
  // Both are multiples of the step; what is in the channel differs from them by the rest.
  least = least - least % step + rest;
  return std::max({least, produced, consumed, channel.initialTokens});
}

} // namespace spindle
