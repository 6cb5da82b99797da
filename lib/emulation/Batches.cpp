#include "lib/emulation/Batches.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

namespace spindle {

static size_t divideUp(size_t value, size_t divisor) { return (value + divisor - 1) / divisor; }

size_t batchSizeFor(size_t samples, const BatchSizes &sizes, size_t threads) {
  size_t batches = divideUp(divideUp(samples, sizes.most), threads) * threads;
  return std::clamp(divideUp(samples, std::max<size_t>(batches, 1)), sizes.least, sizes.most);
}

size_t threadsFor(size_t samples, size_t batchSize, size_t threads, size_t parts) {
  size_t batches = divideUp(samples, batchSize);
  return std::clamp<size_t>(threads, 1, std::max<size_t>(batches * parts, 1));
}

namespace {

/// Hands out batches in ascending order and keeps what came of them.
class Queue {
public:
  Queue(size_t samples, size_t batchSize, const Progress &callback)
      : all(samples), size(batchSize), progress(callback) {}

  /// The first sample of the next batch; none when all are taken or one failed. A batch before the
  /// failing one was taken before it, so its own error would still be seen.
  bool take(size_t &first) {
    std::lock_guard<std::mutex> lock(mutex);
    if (next >= all || failed < all)
      return false;
    first = next;
    next += size;
    return true;
  }

  void finish(size_t first, size_t count, llvm::Error result) {
    std::lock_guard<std::mutex> lock(mutex);
    if (result) {
      llvm::Error &loser = first < failed ? error : result;
      llvm::consumeError(std::move(loser));
      if (first < failed) {
        error = std::move(result);
        failed = first;
      }
      return;
    }
    done += count;
    if (progress)
      progress(done, all);
  }

  llvm::Error takeError() { return std::move(error); }

private:
  std::mutex mutex;
  size_t all, size, next = 0, done = 0;
  size_t failed = SIZE_MAX; // first sample of the lowest failing batch
  llvm::Error error = llvm::Error::success();
  const Progress &progress;
};

} // namespace

llvm::Error forEachBatch(size_t samples, size_t batchSize, size_t threads, BatchWork work,
                         const Progress &progress, BatchHelp help) {
  Queue queue(samples, batchSize, progress);
  auto loop = [&](size_t thread) {
    for (size_t first = 0; queue.take(first);) {
      size_t count = std::min(batchSize, samples - first);
      queue.finish(first, count, work(thread, first, count));
    }
    if (help)
      help(thread);
  };
  size_t used = help ? threads : threadsFor(samples, batchSize, threads);
  std::vector<std::thread> others;
  for (size_t thread = 1; thread < used; ++thread)
    others.emplace_back(loop, thread);
  loop(0);
  for (std::thread &other : others)
    other.join();
  return queue.takeError();
}

} // namespace spindle
