// Random programs of several nests.
#pragma once

#include <cstdint>
#include <string>

namespace spindle::hls {

/// `func.func @kernel` as text, the same for the same seed: four to nine nests over arrays of 4 × 4
/// i32, arguments and local ones: sums along a dimension, cross products, prefix sums, conditions,
/// updates in place, nests that write a part, fills in front of them, values handed from one nest
/// to the next. Few forms, so that some nests are equal but for their arrays. What is read has been
/// written before. No products, so that a circuit has no units. With `hasInputs` one loop over five
/// inputs is around them: some arguments have a slice for each input, some local arrays keep what
/// the last input left.
std::string randomSystem(uint64_t seed, bool hasInputs);

/// The same with inputs, for streams: arguments 0 and 2 are only read, argument 3 is written as a
/// whole, by one nest or two, before it is read, each with a slice for each input; argument 1 has
/// none. Some nests read elements whose place is data.
std::string randomStreams(uint64_t seed);

} // namespace spindle::hls
