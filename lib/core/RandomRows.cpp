#include "lib/core/RandomRows.h"

#include "lib/support/ChooseDistinct.h"
#include "lib/support/CounterRandom.h"

#include <bit>
#include <cmath>

namespace spindle {

namespace {

constexpr uint32_t kDraws = 64; // at a time: loops that compilers turn into vectors

/// Numbers of a row and the logarithms of 1 − u of them, in f32.
struct Draws {
  uint32_t words[kDraws];
  float logs[kDraws];
};

/// ln(x / 2^32) for x in [1, 2^32], off by less than 2e-7 · (1 + its size): the polynomial of
/// Cephes' logf (Moshier 1992) between √½ and √2.
inline float logarithm(float x) {
  auto bits = std::bit_cast<uint32_t>(x);
  int32_t exponent = static_cast<int32_t>(bits - 0x3f3504f3u) >> 23;
  float m = std::bit_cast<float>(bits - (static_cast<uint32_t>(exponent) << 23)) - 1.0f;
  constexpr float kFactors[] = {-1.1514610310e-1f, 1.1676998740e-1f,  -1.2420140846e-1f,
                                1.4249322787e-1f,  -1.6668057665e-1f, 2.0000714765e-1f,
                                -2.4999993993e-1f, 3.3333331174e-1f};
  float sum = 7.0376836292e-2f;
  for (float factor : kFactors)
    sum = sum * m + factor;
  float squared = m * m;
  return sum * m * squared - 0.5f * squared + m +
         static_cast<float>(exponent - 32) * 0.693147180559945f;
}

/// The numbers of a row from block `first` of the counter on.
#if defined(__x86_64__) && defined(__gnu_linux__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
void draw(const PhiloxKey &key, uint32_t row, uint32_t first, Draws &draws) {
  for (uint32_t block = 0; block < kDraws / 4; ++block) {
    PhiloxCounter words = philox({first + block, 0, 0, row}, key);
    for (uint32_t k = 0; k < 4; ++k)
      draws.words[4 * block + k] = words[k];
  }
  for (uint32_t k = 0; k < kDraws; ++k) {
    uint32_t less = ~draws.words[k]; // than 2^32 − word by one, in halves that have a sign bit free
    draws.logs[k] = logarithm(static_cast<float>(static_cast<int32_t>(less >> 8)) * 256.0f +
                              static_cast<float>(static_cast<int32_t>(less & 255)) + 1.0f);
  }
}

/// Calls `use` for the connected candidates. P(skip = k) = (1 − p)^k · p, by inversion: Batagelj
/// and Brandes, Efficient generation of large random networks, Physical Review E 71, 2005. A skip
/// is the floor of a quotient in double; where its neighbourhood holds no whole number, a rough one
/// has the same floor.
template <typename Use>
void skip(int64_t count, double probability, const PhiloxKey &key, uint32_t row, Use use) {
  if (probability <= 0)
    return;
  double scale = 1 / std::log1p(-probability);
  Draws draws;
  int64_t at = 0;
  for (uint32_t block = 0;; block += kDraws / 4) {
    draw(key, row, block, draws);
    for (uint32_t k = 0; k < kDraws; ++k, ++at) {
      double rough = draws.logs[k] * scale, error = 1e-6 * (rough - scale);
      if (rough - error > static_cast<double>(count))
        return;
      auto distance = static_cast<int64_t>(rough - error);
      if (rough < error || static_cast<int64_t>(rough + error) != distance)
        distance = static_cast<int64_t>(std::floor(std::log(1 - draws.words[k] * 0x1p-32) * scale));
      at += distance;
      if (at >= count)
        return;
      use(at);
    }
  }
}

} // namespace

void RandomRows::append(int64_t target, std::vector<int32_t> &row) const {
  if (!targets.contains(target))
    return;
  bool leavesOut = avoidsSelf && sources.contains(target);
  auto add = [&](int64_t candidate) {
    int64_t source = sources.begin + candidate;
    row.push_back(static_cast<int32_t>(source + (leavesOut && source >= target)));
  };
  auto number = static_cast<uint32_t>(target);
  if (!fanIn)
    return skip(candidates(target), probability,
                {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)}, number, add);
  CounterRandom random(key, 0, number);
  for (int64_t candidate : chooseDistinct(*fanIn, candidates(target), random))
    add(candidate);
}

} // namespace spindle
