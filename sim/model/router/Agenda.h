// Which tiles have something to do in which of the next cycles.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace spindle {

/// A wheel of bit sets, one per cycle ahead: adding is idempotent, a cycle's tiles come in
/// ascending order, and tiles at rest cost nothing.
class Agenda {
public:
  Agenda(uint32_t tiles, uint32_t horizon)
      : words((tiles + 63) / 64), mask(std::bit_ceil(horizon + 1) - 1),
        bits(std::size_t(words) * (mask + 1)) {}

  /// `cycle` lies at most `horizon` after the cycle taken last.
  void add(uint32_t tile, uint64_t cycle) {
    bits[(cycle & mask) * words + tile / 64] |= uint64_t(1) << (tile % 64);
    if (cycle > lastCycle)
      lastCycle = cycle;
  }
  /// The latest cycle ever added: after it the agenda is empty.
  uint64_t last() const { return lastCycle; }

  /// Calls visit(tile) for the tiles of `cycle` and strikes them out. `visit` may add later cycles.
  template <typename Visit> void take(uint64_t cycle, Visit visit) {
    uint64_t *today = bits.data() + (cycle & mask) * words;
    for (uint32_t word = 0; word < words; ++word)
      for (uint64_t left = std::exchange(today[word], 0); left != 0; left &= left - 1)
        visit(word * 64 + static_cast<uint32_t>(std::countr_zero(left)));
  }

private:
  uint32_t words;
  uint64_t mask;
  std::vector<uint64_t> bits;
  uint64_t lastCycle = 0;
};

} // namespace spindle
