// Random programs whose loops data end.
#pragma once

#include <cstdint>
#include <string>

namespace spindle::hls {

/// `func.func @kernel(%a, %b: memref<16xi32>, %s: i32, %w: memref<16xi64>) -> i32` as text, the
/// same for the same seed: while loops that test first or last, loops between data, signed and
/// unsigned, in steps of one and more, affine loops between quotients, nests that carry values
/// through empty rows, conditions with and without results, inside each other up to `depth` deep;
/// indices of 64 bits that are shifted, cut to the least, compared and stored. Every access is in
/// range; every loop ends after a few iterations, or none.
std::string randomOpenKernel(uint64_t seed, unsigned depth = 3);

} // namespace spindle::hls
