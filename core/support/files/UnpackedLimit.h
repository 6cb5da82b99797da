// How much a packed file may become. Packed zeros shrink a thousandfold, so that a file of a few
// megabytes could fill any memory; data that means something does not. What comes closest is the
// graph of all-to-all connections with one weight, of which a byte holds about 29 values: 32 is not
// to be lowered. Readers that know sooner how many values they need refuse others before.
#pragma once

#include <algorithm>
#include <cstdint>

namespace spindle {

/// Elements (of arrays) or bytes (of other files) for a file of so many bytes: 32 for each byte,
/// at least 32 Mi. Whoever has more of them stores it unpacked, which no limit holds for.
constexpr uint64_t unpackedLimit(uint64_t packedBytes) {
  return std::max<uint64_t>(uint64_t{32} << 20, 32 * std::min(packedBytes, UINT64_MAX / 32));
}

} // namespace spindle
