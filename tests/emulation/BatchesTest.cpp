#include "lib/emulation/Batches.h"

#include "gmock/gmock.h"

#include <atomic>
#include <vector>

using namespace spindle;

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
