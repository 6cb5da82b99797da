// Random programs whose loops data end.
#pragma once

#include <cstdint>
#include <string>

namespace spindle::hls {

/// `func.func @kernel(%a, %b: memref<16xi32>, %s: i32) -> i32` as text, the same for the same seed:
/// while loops that test first or last, loops between data in steps of one and two, loops of
/// constant bounds, conditions with and without results, inside each other up to `depth` deep.
/// Every access is in range; every loop ends after a few iterations, or none.
std::string randomOpenKernel(uint64_t seed, unsigned depth = 3);

} // namespace spindle::hls
