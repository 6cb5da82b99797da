// Random programs whose arrays are constants, small local ones, and arguments read at neighbouring
// subscripts.
#pragma once

#include <cstdint>
#include <string>

namespace spindle::hls {

/// `func.func @kernel` with constant arrays beside it, the same for the same seed on every machine.
/// Subscripts are affine, taken modulo extents, or data; element types i8 to i64, f32 and f64;
/// every access is in range.
std::string randomMemories(uint64_t seed);

} // namespace spindle::hls
