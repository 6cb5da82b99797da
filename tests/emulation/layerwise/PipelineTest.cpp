// Blocks in several threads: stages with state meet them one after the other, each block comes
// once.
#include "lib/emulation/layerwise/Pipeline.h"
#include "lib/support/CounterRandom.h"

#include <gtest/gtest.h>

#include <thread>

using namespace spindle;
using layerwise::Pipeline;

namespace {

constexpr uint32_t kBlocks = 300;
constexpr size_t kStages = 4;

/// What stages leave behind; stage 1 waits for stage 2 of the block before, the others for
/// themselves, but for stage 3, which has no state.
struct Traces {
  std::vector<uint32_t> blocks[kStages];
  std::atomic<uint32_t> free = 0;
};

void work(Pipeline &pipeline, uint64_t seed, Traces &traces) {
  CounterRandom random(seed);
  auto dawdle = [&] {
    for (uint32_t left = random.below(4); left > 0; --left)
      std::this_thread::yield();
  };
  for (uint32_t block = 0; pipeline.take(block);)
    for (size_t stage = 0; stage < kStages; ++stage) {
      if (stage == 3) {
        ++traces.free;
        continue;
      }
      pipeline.await(stage == 1 ? 2 : stage, block);
      dawdle();
      traces.blocks[stage].push_back(block);
      if (stage == 2) {
        EXPECT_EQ(traces.blocks[1].size(), block + 1) << "stage 1 is ahead";
      }
      pipeline.finish(stage, block);
    }
}

void expectAllInOrder(const Traces &traces) {
  for (size_t stage = 0; stage < 3; ++stage) {
    ASSERT_EQ(traces.blocks[stage].size(), kBlocks);
    for (uint32_t block = 0; block < kBlocks; ++block)
      ASSERT_EQ(traces.blocks[stage][block], block);
  }
  EXPECT_EQ(traces.free, kBlocks);
}

TEST(Pipeline, KeepsTheOrderOfState) {
  for (size_t threads : {1, 2, 3, 6}) {
    Pipeline pipeline(kStages, true);
    for (uint64_t again = 0; again < 5; ++again) {
      Traces traces;
      EXPECT_FALSE(pipeline.hasMore());
      pipeline.begin(kBlocks);
      EXPECT_TRUE(pipeline.hasMore());
      std::vector<std::thread> others;
      for (size_t thread = 1; thread < threads; ++thread)
        others.emplace_back([&, thread] { work(pipeline, 10 * again + thread, traces); });
      work(pipeline, 10 * again, traces);
      for (std::thread &other : others)
        other.join();
      expectAllInOrder(traces);
    }
  }
}

TEST(Pipeline, OfOneThreadWaitsForNothing) {
  Pipeline pipeline(kStages, false);
  Traces traces;
  pipeline.begin(kBlocks);
  work(pipeline, 1, traces);
  expectAllInOrder(traces);
  uint32_t block = 0;
  EXPECT_FALSE(pipeline.take(block));
  EXPECT_FALSE(pipeline.hasMore());
}

} // namespace
