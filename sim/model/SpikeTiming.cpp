#include "sim/model/SpikeTiming.h"

#include <algorithm>
#include <tuple>

namespace spindle {

void SpikeTiming::add(NeuronId neuron, uint32_t sample, TileId target, uint64_t madeCycle,
                      uint64_t tailCycle) {
  batch.push_back({target, tailCycle, madeCycle});
  auto [found, isFirst] =
      streams.try_emplace(uint64_t(neuron) << 32 | target, Stream{sample, madeCycle, tailCycle});
  Stream &stream = found->second;
  if (!isFirst && stream.sample == sample) {
    auto before = static_cast<int64_t>(stream.tailCycle - stream.madeCycle);
    auto now = static_cast<int64_t>(tailCycle - madeCycle);
    auto distortion = static_cast<uint64_t>(std::abs(now - before));
    ++stream.intervals;
    stream.distortionSum += distortion;
    ++intervals;
    distortionSum += distortion;
    distortionMax = std::max(distortionMax, distortion);
  }
  stream.sample = sample;
  stream.madeCycle = madeCycle;
  stream.tailCycle = tailCycle;
}

/// Tile by tile in the order of arrival: a spike was overtaken when one that was made later has
/// come before it.
void SpikeTiming::endBatch() {
  std::sort(batch.begin(), batch.end(), [](const Arrived &a, const Arrived &b) {
    return std::tie(a.target, a.tailCycle, a.madeCycle) <
           std::tie(b.target, b.tailCycle, b.madeCycle);
  });
  uint64_t latestMade = 0;    // of those that came in an earlier cycle …
  uint64_t latestInCycle = 0; // … and in this one, too
  for (size_t i = 0; i < batch.size(); ++i) {
    if (i == 0 || batch[i].target != batch[i - 1].target)
      latestMade = latestInCycle = 0;
    else if (batch[i].tailCycle != batch[i - 1].tailCycle)
      latestMade = latestInCycle;
    overtaken += batch[i].madeCycle < latestMade;
    latestInCycle = std::max(latestInCycle, batch[i].madeCycle);
  }
  deliveries += batch.size();
  batch.clear();
}

void SpikeTiming::fill(TrafficStats &traffic) const {
  if (deliveries > 0)
    traffic.disorder = double(overtaken) / double(deliveries);
  if (intervals > 0)
    traffic.isiDistortionMeanCycles = double(distortionSum) / double(intervals);
  traffic.isiDistortionMaxCycles = distortionMax;
  uint64_t worst = UINT64_MAX;
  for (const auto &[pair, stream] : streams) {
    if (stream.distortionSum == 0)
      continue;
    double mean = double(stream.distortionSum) / double(stream.intervals);
    bool isWorse =
        mean > traffic.isiWorstMeanCycles || (mean == traffic.isiWorstMeanCycles && pair < worst);
    if (!isWorse)
      continue;
    worst = pair;
    traffic.isiWorstMeanCycles = mean;
    traffic.isiWorstNeuron = static_cast<NeuronId>(pair >> 32);
    traffic.isiWorstTile = static_cast<TileId>(pair);
  }
}

} // namespace spindle
