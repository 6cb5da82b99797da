#include "sim/model/lapse/WayChoice.h"

#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"

#include <set>

using namespace spindle;

namespace {

TEST(WayChoice, KeepsEveryNthAndTheSlowest) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    CounterRandom draw(seed);
    const uint32_t spikes = draw.below(300);
    const size_t most = 1 + draw.below(400);
    WayChoice choice(most);
    std::vector<size_t> hops;
    std::vector<uint64_t> latencies;
    for (uint32_t i = 0; i < spikes; ++i) {
      hops.push_back(1 + draw.below(9));
      latencies.push_back(draw.below(1000));
      choice.add(latencies.back(), [&] {
        SpikeWay way;
        way.neuron = i;
        way.packets.resize(1);
        way.packets[0].hops.resize(hops[i]);
        return way;
      });
    }
    EXPECT_EQ(choice.spikes(), spikes);
    std::set<uint32_t> expected;
    for (uint32_t stride = 1; stride < 1024; stride *= 2) {
      expected.clear();
      size_t all = 0;
      for (uint32_t i = 0; i < spikes; i += stride) {
        expected.insert(i);
        all += hops[i];
      }
      if (all <= most || expected.size() == 1)
        break;
    }
    if (spikes > 0)
      expected.insert(
          static_cast<uint32_t>(std::ranges::max_element(latencies) - latencies.begin()));
    std::vector<uint32_t> found;
    for (const SpikeWay &way : choice.take())
      found.push_back(way.neuron);
    EXPECT_THAT(found, ::testing::ElementsAreArray(expected)) << seed;
  }
}

} // namespace
