// How often each actor fires in one iteration.
#pragma once

#include "core/chip/sdf/SdfGraph.h"

namespace spindle {

/// The smallest positive integers q with q[source] · produce = q[target] · consume on every
/// channel, smallest for each weakly connected component by itself. Where rates take turns, actors
/// do whole turns: q is the multiple of an actor's phases that balances what turns produce and
/// consume. Exact; O(channels). Errors: a channel that no such q balances, numbers beyond 64 bits.
/// Lee & Messerschmitt, "Static scheduling of synchronous data flow programs for digital signal
/// processing", IEEE Trans. Computers 1987; Bilsen et al. 1996.
llvm::Expected<std::vector<uint64_t>> repetitionVector(const SdfGraph &graph);

} // namespace spindle
