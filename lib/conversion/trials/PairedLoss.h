// How much accuracy a network loses against another one on the same samples.
#pragma once

#include <cstdint>
#include <vector>

namespace spindle {

/// How a spiking network did on the samples that judge, when stopped after step 1, 2, …: the right
/// answers among those that the ANN answers right, and among the others.
struct ConversionScore {
  std::vector<uint64_t> keptByStep, gainedByStep;
  double spikesPerSample = 0; // over all steps
};

/// The loss of accuracy in samples, and its standard deviation. Both networks answer the same
/// samples, so that only those count on which one is right and the other wrong (McNemar 1947):
/// `lost` and `gained` of `samples` differ by lost − gained, with the variance
/// lost + gained − (lost − gained)² / samples. One is added to it, since no difference on few
/// samples does not prove that there is none.
struct PairedLoss {
  double samples, deviation;
  static PairedLoss of(uint64_t lost, uint64_t gained, uint64_t samples);
};

} // namespace spindle
