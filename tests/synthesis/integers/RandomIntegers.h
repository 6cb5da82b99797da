// Random programs of integers of all widths.
#pragma once

#include <cstdint>
#include <string>

namespace spindle::hls {

/// `func.func @kernel` as text, the same for the same seed on every machine: scalars of i1 to i64
/// and index in mixture, casts, all integer operations of arith and those of math, products with
/// constants, masks, shifts, quotients also by zero, loops of 0, 1 and few iterations that may
/// carry values, conditions, arrays read and written in order or where data say. Every access is in
/// range. `parts` such programs stand one behind the other, each with arrays of its own.
std::string randomIntegers(uint64_t seed, unsigned parts = 1);

} // namespace spindle::hls
