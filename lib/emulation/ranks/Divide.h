// An emulation on whatever there is to share it: one rank, ranks, or threads as ranks.
#pragma once

#include "lib/emulation/ranks/Ranks.h"
#include "lib/emulation/ranks/Share.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// Divides samples or neurons as the options say and the network allows; alone without ranks.
/// Without other ranks `divide: neurons` makes ranks of as many threads as the options have.
llvm::Expected<Share> divideEmulation(Ranks *ranks, mlir::ModuleOp snn, const Network &network,
                                      const Samples &samples, const EmulationOptions &options,
                                      const Progress &progress);

} // namespace spindle
