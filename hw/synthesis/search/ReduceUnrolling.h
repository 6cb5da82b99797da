// Iterations side by side that make a kernel larger and hardly faster are given back.
#pragma once

#include "hw/synthesis/Attempt.h"

namespace spindle::hls {

/// The smallest of the kernel and those with fewer of its factors of unrolling, or with half of
/// one, that take at most one percent more cycles than the kernel. A limited unit is as busy with
/// fewer iterations side by side: what comes in front of it is smaller.
llvm::Expected<Synthesis> reduceUnrolling(Synthesis made, mlir::ModuleOp program,
                                          const Target &target);

} // namespace spindle::hls
