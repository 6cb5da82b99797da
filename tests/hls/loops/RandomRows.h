// Random programs over rows whose lengths are data.
#pragma once

#include <cstdint>
#include <string>

namespace spindle::hls {

/// `func.func @kernel` as text, the same for the same seed: a loop over ten rows, and in each of
/// them a loop between two numbers that are read, computed or those of the row. Values come from
/// before the row into it and behind it, sums start from constants, bounds and what was read, or
/// are words of an array. Every access is in range; rows have up to sixteen elements, some none.
/// With `isPlain` the inner loop counts as the loop form has it, else by other steps and orders,
/// too.
std::string randomRows(uint64_t seed, bool isPlain);

} // namespace spindle::hls
