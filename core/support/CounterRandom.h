// Random numbers that are a pure function of a key and a counter: no state, no order, no threads.
// Philox4x32-10, Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once

#include <array>
#include <cstdint>

namespace spindle {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

/// Four independent 32-bit words for each (counter, key).
constexpr PhiloxCounter philox(PhiloxCounter c, PhiloxKey k) {
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = 0xD2511F53ull * c[0], p1 = 0xCD9E8D57ull * c[2];
    c = {uint32_t(p1 >> 32) ^ c[1] ^ k[0], uint32_t(p1), uint32_t(p0 >> 32) ^ c[3] ^ k[1],
         uint32_t(p0)};
    k[0] += 0x9E3779B9u;
    k[1] += 0xBB67AE85u;
  }
  return c;
}

/// Uniform in [0, 1), 24 bits, exact in float.
constexpr float uniformFloat(uint32_t word) { return float(word >> 8) * 0x1p-24f; }

/// A sequential generator over one key, for searches and shuffles. Satisfies
/// std::uniform_random_bit_generator; use `below` and `uniform` for results that are the same with
/// every standard library.
class CounterRandom {
public:
  using result_type = uint32_t;
  explicit CounterRandom(uint64_t seed, uint32_t substream = 0, uint32_t subitem = 0)
      : key{uint32_t(seed), uint32_t(seed >> 32)}, stream(substream), item(subitem) {}
  static constexpr uint32_t min() { return 0; }
  static constexpr uint32_t max() { return UINT32_MAX; }
  uint32_t operator()() {
    if (used == 4)
      refill();
    return words[used++];
  }
  /// Uniform integer in [0, bound), bound > 0.
  uint32_t below(uint32_t bound) { return uint32_t((uint64_t((*this)()) * bound) >> 32); }
  /// Uniform in [0, 1).
  double uniform() { return (*this)() * 0x1p-32; }

private:
  void refill(); // apart, so that the other calls are inlined

  PhiloxKey key;
  uint32_t stream, item;
  uint64_t block = 0;
  PhiloxCounter words{};
  unsigned used = 4;
};

} // namespace spindle
