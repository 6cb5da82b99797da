// Intervals and order of spikes: by hand, and by definition over random deliveries.
#include "sim/model/SpikeTiming.h"

#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"

#include <cmath>

using namespace spindle;

namespace {

TEST(SpikeTiming, ByHand) {
  SpikeTiming timing;
  // Neuron 7 spikes at 0, 10 and 20; at tile 1 at 5, 18 and 26: intervals of 13 and 8 for 10.
  timing.add(7, 0, 1, 0, 5);
  timing.add(8, 0, 1, 12, 17); // overtakes the second one
  timing.add(7, 0, 1, 10, 18);
  timing.add(7, 0, 1, 20, 26);
  timing.add(7, 1, 1, 100, 190); // another sample: no interval
  timing.endBatch();
  TrafficStats traffic;
  timing.fill(traffic);
  EXPECT_EQ(traffic.isiDistortionMeanCycles, (3 + 2) / 2.0);
  EXPECT_EQ(traffic.isiDistortionMaxCycles, 3u);
  EXPECT_EQ(traffic.isiWorstMeanCycles, 2.5);
  EXPECT_EQ(traffic.isiWorstNeuron, 7u);
  EXPECT_EQ(traffic.isiWorstTile, 1u);
  EXPECT_EQ(traffic.disorder, 1 / 5.0);
}

TEST(SpikeTiming, ByDefinitionOverRandomDeliveries) {
  struct Delivered {
    NeuronId neuron;
    TileId target;
    uint64_t made, tail;
  };
  for (uint64_t seed = 0; seed < 20; ++seed) {
    CounterRandom draw(seed);
    std::vector<Delivered> all;
    SpikeTiming timing;
    uint64_t made = 0;
    for (uint32_t left = 1 + draw.below(200); left > 0; --left) {
      made += draw.below(4);
      all.push_back({draw.below(5), draw.below(3), made, made + 1 + draw.below(30)});
      timing.add(all.back().neuron, 0, all.back().target, made, all.back().tail);
    }
    timing.endBatch();
    TrafficStats found;
    timing.fill(found);
    double sum = 0, worst = 0, overtaken = 0;
    uint64_t intervals = 0, largest = 0;
    for (NeuronId neuron = 0; neuron < 5; ++neuron)
      for (TileId target = 0; target < 3; ++target) {
        const Delivered *before = nullptr;
        double pairSum = 0, pairIntervals = 0;
        for (const Delivered &one : all) {
          if (one.neuron != neuron || one.target != target)
            continue;
          if (before) {
            double atSource = double(one.made) - double(before->made);
            double atTarget = double(one.tail) - double(before->tail);
            pairSum += std::abs(atTarget - atSource);
            largest = std::max(largest, uint64_t(std::abs(atTarget - atSource)));
            ++pairIntervals;
            ++intervals;
          }
          before = &one;
        }
        sum += pairSum;
        if (pairIntervals > 0)
          worst = std::max(worst, pairSum / pairIntervals);
      }
    for (const Delivered &one : all)
      overtaken += std::any_of(all.begin(), all.end(), [&](const Delivered &other) {
        return other.target == one.target && other.made > one.made && other.tail < one.tail;
      });
    EXPECT_DOUBLE_EQ(found.isiDistortionMeanCycles, intervals ? sum / double(intervals) : 0);
    EXPECT_EQ(found.isiDistortionMaxCycles, largest);
    EXPECT_DOUBLE_EQ(found.isiWorstMeanCycles, worst);
    EXPECT_DOUBLE_EQ(found.disorder, overtaken / double(all.size()));
  }
}

} // namespace
