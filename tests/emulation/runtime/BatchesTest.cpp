#include "lib/emulation/runtime/Batches.h"

#include "gmock/gmock.h"

#include <atomic>
#include <vector>

using namespace spindle;
using ::testing::ElementsAre;

namespace {

TEST(ForEachBatch, CoversEverySampleOnce) {
  for (size_t samples : {1, 15, 16, 17, 100})
    for (size_t threads : {1, 2, 5}) {
      std::vector<std::atomic<int>> seen(samples);
      uint64_t last = 0;
      llvm::Error error = forEachBatch(
          samples, 16, threads,
          [&](size_t thread, size_t first, size_t count) {
            EXPECT_LE(count, 16u);
            EXPECT_LT(thread, threadsFor(samples, 16, threads));
            for (size_t index = first; index < first + count; ++index)
              ++seen[index];
            return llvm::Error::success();
          },
          [&](uint64_t done, uint64_t all) {
            EXPECT_GT(done, last);
            EXPECT_EQ(all, samples);
            last = done;
          });
      EXPECT_FALSE(bool(error));
      EXPECT_EQ(last, samples);
      for (const std::atomic<int> &times : seen)
        EXPECT_EQ(times, 1);
    }
}

TEST(ForEachBatch, EveryThreadHelpsOnceWhenNoBatchIsLeft) {
  for (size_t samples : {0, 1, 20}) {
    std::vector<std::atomic<int>> helped(3);
    std::atomic<size_t> taken = 0;
    auto work = [&](size_t thread, size_t, size_t) {
      EXPECT_EQ(helped[thread], 0);
      ++taken;
      return llvm::Error::success();
    };
    auto help = [&](size_t thread) { ++helped[thread]; };
    EXPECT_FALSE(bool(forEachBatch(samples, 1, 3, work, {}, help)));
    EXPECT_EQ(taken, samples);
    for (const std::atomic<int> &times : helped)
      EXPECT_EQ(times, 1);
  }
}

/// Sizes of batches in the order of their samples.
std::vector<size_t> sizesOf(size_t samples, BatchSizes sizes, size_t threads) {
  std::vector<size_t> found(samples);
  auto work = [&](size_t, size_t first, size_t count) {
    found[first] = count;
    return llvm::Error::success();
  };
  EXPECT_FALSE(bool(forEachBatch(samples, sizes, threads, work, {})));
  std::erase(found, 0);
  return found;
}

TEST(ForEachBatch, TakesHalfOfAShareOfWhatIsLeft) {
  EXPECT_THAT(sizesOf(40, {1, 16}, 2), ElementsAre(10, 8, 6, 4, 3, 3, 2, 1, 1, 1, 1));
  EXPECT_THAT(sizesOf(40, {1, 4}, 2), ElementsAre(4, 4, 4, 4, 4, 4, 4, 3, 3, 2, 1, 1, 1, 1));
  EXPECT_THAT(sizesOf(40, {1, 16}, 1), ElementsAre(16, 16, 8)) << "nobody to share with";
  EXPECT_THAT(sizesOf(40, 16, 2), ElementsAre(16, 16, 8));
  EXPECT_THAT(sizesOf(3, {1, 16}, 2), ElementsAre(1, 1, 1));
}

TEST(ThreadsFor, CountsThePartsOfABatch) {
  EXPECT_EQ(threadsFor(3, 16, 8), 1u);
  EXPECT_EQ(threadsFor(3, {1, 16}, 8), 3u);
  EXPECT_EQ(threadsFor(1, {1, 16}, 8, 5), 5u);
  EXPECT_EQ(threadsFor(3, {1, 16}, 8, 5), 8u);
  EXPECT_EQ(threadsFor(0, {1, 16}, 8, 5), 1u);
}

TEST(ForEachBatch, ReportsTheLowestFailingBatch) {
  for (int repetition = 0; repetition < 50; ++repetition) {
    llvm::Error error = forEachBatch(40, 1, 4,
                                     [](size_t, size_t first, size_t) -> llvm::Error {
                                       if (first == 7 || first == 8 || first == 30)
                                         return inputError("batch", std::to_string(first));
                                       return llvm::Error::success();
                                     },
                                     {});
    ASSERT_EQ(toText(std::move(error)), "batch: error: 7");
  }
}

} // namespace
