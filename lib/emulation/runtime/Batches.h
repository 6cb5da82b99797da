// Work on many samples, batch by batch, on several threads.
#pragma once

#include "core/run/Progress.h"
#include "core/support/Error.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace spindle {

using BatchWork = llvm::function_ref<llvm::Error(size_t thread, size_t first, size_t count)>;
/// What a thread does when there are no batches left.
using BatchHelp = llvm::function_ref<void(size_t thread)>;

/// Samples of a batch; fewer than `least` take as long as these. Batches become smaller towards the
/// end, for threads to end together, however fast each of them is.
struct BatchSizes {
  BatchSizes(size_t always) : least(always), most(always) {}
  BatchSizes(size_t fewest, size_t largest) : least(fewest), most(largest) {}
  size_t least, most;
};

/// Threads that `forEachBatch` will really use, if each batch is work for `parts` of them.
size_t threadsFor(size_t samples, BatchSizes sizes, size_t threads, size_t parts = 1);

/// Calls `work` for all samples, batch by batch, on threads numbered from zero. The error of the
/// lowest failing batch is returned: which one it is does not depend on the threads. Where there is
/// `help`, all threads are used, and each calls it once.
llvm::Error forEachBatch(size_t samples, BatchSizes sizes, size_t threads, BatchWork work,
                         const Progress &progress, BatchHelp help = nullptr);

} // namespace spindle
