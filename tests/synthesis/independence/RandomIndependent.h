// Random programs with loops that are said to be independent, and are.
#pragma once

#include <cstdint>
#include <string>

namespace spindle::hls {

/// `func.func @kernel` as text, the same for the same seed on every machine. Iterations of the loop
/// with `hls.independent` touch words of their own, in arrays of f32, which permutations of its
/// counter by shifts, masks and odd factors choose anew in every run; other arrays are read
/// everywhere, or, where arguments are named, updated in order at words that data choose. Loops are
/// around it, in it and beside it.
std::string randomIndependent(uint64_t seed);

} // namespace spindle::hls
