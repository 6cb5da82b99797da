// Random functions of the vector dialect.
#pragma once

#include <cstdint>
#include <string>

namespace spindle::vectors {

/// Arrays of the type: 8×8 inputs, then one of `kOutputs` elements that takes all that is computed.
inline constexpr const char *kArrayTypes[] = {"i8", "i16", "i32", "i64", "f32", "f64"};
inline constexpr int64_t kInputs = 8, kOutputs = 16384;

/// @f with two arrays of each type and an index below 8. All floats are integers so small that
/// every sum and product is exact, in any order.
std::string randomVectorProgram(uint64_t seed);

} // namespace spindle::vectors
