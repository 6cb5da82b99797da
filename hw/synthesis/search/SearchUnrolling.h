// How many iterations of which loops run side by side, where nobody says so.
#pragma once

#include "hw/synthesis/Attempt.h"

namespace spindle::hls {

/// The circuit with the fewest cycles among those that fit into the budget, or else the part: never
/// more than without unrolling. Factors of up to three loops of a nest together, those that the
/// trip counts suggest, and the innermost loops of the written order as a whole are judged by the
/// estimates of all nests and of the units they need; the best few are scheduled, also without
/// joined nests and without reordered loops. The work is bounded by a number of operations, not by
/// time.
llvm::Expected<Synthesis> searchUnrolling(mlir::ModuleOp program, const Target &target,
                                          const SynthesisOptions &options);

/// The factors of a search, `8`, `8,4`, `8,8,2`, …, for nests with these trip counts (outermost
/// first), fewest lanes first: every number up to `mostAlone` for one loop, and what divides a trip
/// count or a small part of it for one or two; for three only in small nests.
std::vector<std::vector<uint64_t>> candidateFactors(const std::vector<std::vector<uint64_t>> &trips,
                                                    uint64_t mostAlone);

/// The innermost loops of each nest taken whole, one, two, … of them, while they are iterations
/// that may run side by side: 3, 9 and 27 for 28 × 28 × 3 × 3 × 3. At least one loop is left.
std::set<uint64_t> wholeLoops(const std::vector<std::vector<uint64_t>> &trips);

} // namespace spindle::hls
