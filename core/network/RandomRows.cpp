#include "core/network/RandomRows.h"

#include "core/support/ChooseDistinct.h"
#include "core/support/CounterRandom.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace spindle {

namespace {

/// Numbers that are drawn together, in loops that compilers turn into vectors (their counters have
/// a sign, so that they do not wrap around).
constexpr int kGroup = 64, kMost = 8 * kGroup;

/// Numbers of a row and the distances they stand for: `below` where that is `above`, too; else one
/// of the two, or between them.
struct Draws {
  uint32_t words[kMost];
  int32_t below[kMost], above[kMost];
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

/// `blocks` times four numbers of a row, from block `first` of the counter on: as `philox` makes
/// them, but in words of 64 bits, in which the loop becomes vectors (a fifth of the time). A
/// distance is the logarithm of 1 − u, times `scale`.
#if defined(__x86_64__) && defined(__gnu_linux__)
__attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#endif
void draw(const PhiloxKey &key, uint32_t row, uint32_t first, int blocks, float scale,
          Draws &draws) {
  uint32_t left = key[0], right = key[1];
  for (int block = 0; block < blocks; ++block) {
    uint64_t a = first + static_cast<uint32_t>(block), b = 0, c = 0, d = row;
    for (uint32_t round = 0; round < 10; ++round) {
      uint64_t p = 0xD2511F53ull * a, q = 0xCD9E8D57ull * c;
      a = (q >> 32) ^ b ^ (left + round * 0x9E3779B9u);
      b = static_cast<uint32_t>(q);
      c = (p >> 32) ^ d ^ (right + round * 0xBB67AE85u);
      d = static_cast<uint32_t>(p);
    }
    draws.words[4 * block] = static_cast<uint32_t>(a);
    draws.words[4 * block + 1] = static_cast<uint32_t>(b);
    draws.words[4 * block + 2] = static_cast<uint32_t>(c);
    draws.words[4 * block + 3] = static_cast<uint32_t>(d);
  }
  for (int k = 0; k < 4 * blocks; ++k) {
    // 2^32 − word in two parts that floats hold.
    auto upper = static_cast<float>((1 << 24) - static_cast<int32_t>(draws.words[k] >> 8)),
         lower = static_cast<float>(static_cast<int32_t>(draws.words[k] & 255));
    float rough = scale * logarithm(upper * 256.0f - lower);
    float error = 1e-6f * (rough - scale);
    draws.below[k] = static_cast<int32_t>(rough - error); // the quotient is not below zero
    draws.above[k] = static_cast<int32_t>(rough + error);
  }
}

/// Appends the connected ones of `count` candidates. P(skip = k) = (1 − p)^k · p, by inversion:
/// Batagelj and Brandes, Efficient generation of large random networks, Physical Review E 71, 2005.
/// A skip is the floor of a quotient in double; where its neighbourhood holds no whole number, a
/// rough one has the same floor.
void skip(int64_t count, double probability, const PhiloxKey &key, uint32_t row,
          std::vector<int32_t> &found) {
  if (probability <= 0)
    return;
  double scale = 1 / std::log1p(-probability);
  // Of larger ones no rough distance is certain, and none leaves the 32 bits.
  auto rough = static_cast<float>(std::max(scale, -0x1p26));
  auto exact = [&](uint32_t word) {
    return static_cast<int64_t>(
        std::min(std::floor(std::log(1 - word * 0x1p-32) * scale), static_cast<double>(count)));
  };
  Draws draws;
  uint32_t block = 0;
  for (int64_t at = 0; at < count;) {
    double expected = static_cast<double>(count - at) * probability;
    int numbers =
        kGroup + static_cast<int>(std::min<double>(expected, kMost - kGroup)) / kGroup * kGroup;
    draw(key, row, block, numbers / 4, rough, draws);
    block += static_cast<uint32_t>(numbers / 4);
    int k = 0;
    for (; k < numbers; ++k, ++at) {
      at += draws.below[k] == draws.above[k] ? draws.below[k] : exact(draws.words[k]);
      if (at >= count)
        break;
      draws.below[k] = static_cast<int32_t>(at);
    }
    found.insert(found.end(), draws.below, draws.below + k);
  }
}

} // namespace

void RandomRows::append(int64_t target, std::vector<int32_t> &row) const {
  if (!targets.contains(target))
    return;
  auto number = static_cast<uint32_t>(target);
  size_t before = row.size();
  if (fanIn) {
    CounterRandom random(key, 0, number);
    std::vector<int64_t> chosen = chooseDistinct(*fanIn, candidates(target), random);
    row.insert(row.end(), chosen.begin(), chosen.end());
  } else {
    skip(candidates(target), probability,
         {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)}, number, row);
  }
  // From candidates to sources: after the one that is left out they are one further.
  bool leavesOut = avoidsSelf && sources.contains(target);
  auto first = static_cast<int32_t>(sources.begin),
       behind = static_cast<int32_t>(leavesOut ? target - first : sources.size());
  for (int32_t &each : std::span(row).subspan(before))
    each += first + (each >= behind);
}

} // namespace spindle
