// Random programs of floating-point numbers of all formats.
#pragma once

#include <cstdint>
#include <string>

namespace spindle::hls {

/// `func.func @kernel` as text, the same for the same seed on every machine: scalars and arrays of
/// f16, bf16, f32 and f64 in mixture, all operations that have units or are spelled out,
/// conversions between the formats and from and to integers of all widths, comparisons, choices,
/// constants of all magnitudes, loops of 0, 1 and few iterations in steps of 1 to 3 that may carry
/// values, conditions. `parts` such programs stand one behind the other, each with arrays of its
/// own.
std::string randomFloats(uint64_t seed, unsigned parts = 1);

} // namespace spindle::hls
