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
/// What a thread does when there are no batches left.
using BatchHelp = llvm::function_ref<void(size_t thread)>;

/// Fewer samples than `least` take as long as these.
struct BatchSizes {
  size_t least, most;
};

/// As large as possible, while threads get equally many batches.
size_t batchSizeFor(size_t samples, const BatchSizes &sizes, size_t threads);

/// Threads that `forEachBatch` will really use, if each batch is work for `parts` of them.
size_t threadsFor(size_t samples, size_t batchSize, size_t threads, size_t parts = 1);

/// Calls `work` for every `batchSize` samples, on threads numbered from zero. The error of the
/// lowest failing batch is returned: which one it is does not depend on the threads. Where there is
/// `help`, all threads are used, and each calls it once.
llvm::Error forEachBatch(size_t samples, size_t batchSize, size_t threads, BatchWork work,
                         const Progress &progress, BatchHelp help = nullptr);

} // namespace spindle
