// Ranks as threads of one process.
#pragma once

#include "lib/emulation/ranks/Ranks.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace spindle {

/// Runs `lead` as rank 0 on this thread and `serve` as each other rank on threads of their own;
/// returns after all of them.
void runThreadRanks(size_t size, llvm::function_ref<void(Ranks &)> lead,
                    llvm::function_ref<void(Ranks &)> serve);

} // namespace spindle
