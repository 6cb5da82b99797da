// Elements of a partial order as few chains.
#pragma once

#include "llvm/ADT/SmallBitVector.h"

#include <cstdint>
#include <vector>

namespace spindle::system {

/// By element, the number of its chain: as few chains as there are elements of which none comes
/// before another, which is the least (Dilworth 1950). `before[b]` holds each a that comes before
/// b, also by way of others; then a < b. Numbers go by the first element of each chain; of several
/// ways, an element is followed by the first one that it can be. Fulkerson 1956: as many elements
/// as possible get a follower, by augmenting paths; cubic in the elements.
std::vector<uint32_t> coverByChains(const std::vector<llvm::SmallBitVector> &before);

} // namespace spindle::system
