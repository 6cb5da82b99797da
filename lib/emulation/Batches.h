// Work on many samples, batch by batch, on several threads.
#pragma once

#include "lib/support/Error.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <functional>

namespace spindle {

/// Called after every batch with the samples done so far and all of them; from one thread at a
/// time.
using Progress = std::function<void(uint64_t done, uint64_t all)>;

using BatchWork = llvm::function_ref<llvm::Error(size_t thread, size_t first, size_t count)>;

/// Threads that `forEachBatch` will really use.
size_t threadsFor(size_t samples, size_t batchSize, size_t threads);

/// Calls `work` for every `batchSize` samples, on threads numbered from zero. The error of the
/// lowest failing batch is returned: which one it is does not depend on the threads.
llvm::Error forEachBatch(size_t samples, size_t batchSize, size_t threads, BatchWork work,
                         const Progress &progress);

} // namespace spindle
