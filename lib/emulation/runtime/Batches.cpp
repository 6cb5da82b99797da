#include "lib/emulation/runtime/Batches.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

namespace spindle {

static size_t divideUp(size_t value, size_t divisor) { return (value + divisor - 1) / divisor; }

size_t threadsFor(size_t samples, BatchSizes sizes, size_t threads, size_t parts) {
  size_t batches = divideUp(samples, sizes.least);
  return std::clamp<size_t>(threads, 1, std::max<size_t>(batches * parts, 1));
}

namespace {

/// Hands out batches in ascending order and keeps what came of them.
class Queue {
public:
  Queue(size_t samples, BatchSizes batchSizes, size_t threadCount, const Progress &callback)
      : all(samples), sizes(batchSizes), threads(threadCount), progress(callback) {}

  /// The next batch; none when all are taken or one failed. A batch before the failing one was
  /// taken before it, so its own error would still be seen.
  bool take(size_t &first, size_t &count) {
    std::lock_guard<std::mutex> lock(mutex);
    if (next >= all || failed < all)
      return false;
    first = next;
    count = std::min(nextSize(), all - next);
    next += count;
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
  /// Half of a thread's share of what is left.
  size_t nextSize() const {
    return threads == 1 ? sizes.most
                        : std::clamp(divideUp(all - next, 2 * threads), sizes.least, sizes.most);
  }

  std::mutex mutex;
  size_t all, next = 0, done = 0;
  BatchSizes sizes;
  size_t threads;
  size_t failed = SIZE_MAX; // first sample of the lowest failing batch
  llvm::Error error = llvm::Error::success();
  const Progress &progress;
};

} // namespace

llvm::Error forEachBatch(size_t samples, BatchSizes sizes, size_t threads, BatchWork work,
                         const Progress &progress, BatchHelp help) {
  size_t used = help ? threads : threadsFor(samples, sizes, threads);
  Queue queue(samples, sizes, used, progress);
  auto loop = [&](size_t thread) {
    for (size_t first = 0, count = 0; queue.take(first, count);)
      queue.finish(first, count, work(thread, first, count));
    if (help)
      help(thread);
  };
  std::vector<std::thread> others;
  for (size_t thread = 1; thread < used; ++thread)
    others.emplace_back(loop, thread);
  loop(0);
  for (std::thread &other : others)
    other.join();
  return queue.takeError();
}

} // namespace spindle
