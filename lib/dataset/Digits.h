// Handwritten-style digits drawn from a seed: data for networks where no files are at hand.
#pragma once

#include "core/network/Samples.h"

#include <cstdint>

namespace spindle {

constexpr int digitSide = 28; // pixels

/// Draws digit `index` of the set `seed` into 28 × 28 grey values 0..255, white on black. A pure
/// function; its class is index mod 10.
void drawDigit(uint64_t seed, uint32_t index, float *pixels);

/// The first `count` digits of a set, 1 × 28 × 28.
Samples drawDigits(uint64_t seed, size_t count);

} // namespace spindle
