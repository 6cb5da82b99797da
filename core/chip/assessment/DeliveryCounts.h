// Which spikes and partial sums missed their step on a free-running chip.
#pragma once

#include <cstdint>

namespace spindle {

/// Of the spikes (or partial sums) that a population made; each counts once for every crossbar that
/// it goes to. Lost ones are among the late ones.
struct DeliveryCounts {
  uint64_t spikes = 0, lateSpikes = 0, lostSpikes = 0;
  uint64_t sums = 0, lateSums = 0, lostSums = 0; // for neurons of this population
  bool operator==(const DeliveryCounts &) const = default;

  DeliveryCounts &operator+=(const DeliveryCounts &other) {
    spikes += other.spikes;
    lateSpikes += other.lateSpikes;
    lostSpikes += other.lostSpikes;
    sums += other.sums;
    lateSums += other.lateSums;
    lostSums += other.lostSums;
    return *this;
  }
};

/// What becomes of a spike whose row is read after its step: it counts in the update that follows
/// the reading, or never.
enum class LateSpikes : uint8_t { Next, Drop };
inline constexpr const char *kLateSpikesNames[] = {"next", "drop"};

} // namespace spindle
