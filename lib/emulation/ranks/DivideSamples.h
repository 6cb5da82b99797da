// Samples divided among ranks: data parallel.
#pragma once

#include "lib/emulation/ranks/Ranks.h"
#include "lib/emulation/ranks/Share.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// Every rank emulates a range of the samples, as many as the others or one more; the result is
/// that of one rank. Called by rank 0 while the others serve. The error is that of the lowest
/// range.
llvm::Expected<Share> divideSamples(Ranks &ranks, mlir::ModuleOp snn, const Network &network,
                                    const Samples &samples, const EmulationOptions &options,
                                    const Progress &progress);

/// The samples of a range, and the events they hold, read into memory.
llvm::Expected<Samples> sampleRange(const Samples &all, size_t first, size_t count);

} // namespace spindle
