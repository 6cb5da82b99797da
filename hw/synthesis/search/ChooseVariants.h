// Which of several units of a kind a kernel gets: pipelined or iterated, of DSP blocks or of LUTs.
#pragma once

#include "hw/synthesis/Attempt.h"

namespace spindle::hls {

/// What one circuit is preferred to another by.
enum class Aim {
  Trade,  // the fewest cycles, but of those that are half a percent apart the smallest area
  Cycles, // the fewest cycles, of equals the smallest area
  Area    // the smallest area, whatever the cycles
};

/// The kernel with each kind of unit in the best of its variants, one kind after the other, by the
/// estimates of whole circuits; those `given` stay. What does not fit into the budget, or else the
/// part, is worse than what does. Variants that are neither faster nor have fewer LUTs are tried
/// only where the kernel does not fit. A limit of N units of a kind grants the area of N of its
/// first variant: within that the fewest cycles count.
llvm::Expected<Synthesis> chooseVariants(Synthesis made, mlir::ModuleOp program,
                                         const Target &target, const UnitVariants &given, Aim aim);

/// Whether one circuit is preferred to another; both get their estimates.
llvm::Expected<bool> isBetter(Synthesis &made, Synthesis &best, const Target &target, Aim aim);

/// The variants of the shortest interval, of equals of the least latency, where these are not the
/// first of their kind.
UnitVariants fastestVariants(const std::vector<std::string> &kinds, const Target &target);

} // namespace spindle::hls
