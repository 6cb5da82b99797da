// Blocks in several threads: stages with state meet them one after the other, each block comes
// once.
#include "lib/emulation/layers/BlockQueue.h"
#include "core/support/CounterRandom.h"

#include <gtest/gtest.h>

#include <thread>

using namespace spindle;
using layers::BlockQueue;

namespace {

constexpr uint32_t kBlocks = 100;
constexpr size_t kStages = 4;

/// What stages leave behind; stage 1 waits for stage 2 of the block before, the others for
/// themselves, but for stage 3, which has no state.
struct Traces {
  std::vector<uint32_t> blocks[kStages];
  std::atomic<uint32_t> free = 0;
};

void work(BlockQueue &queue, uint64_t seed, Traces &traces) {
  CounterRandom random(seed);
  auto dawdle = [&] {
    for (uint32_t left = random.below(4); left > 0; --left)
      std::this_thread::yield();
  };
  for (BlockQueue::Turn turn; queue.take(turn); queue.end(turn, false))
    for (size_t stage = 0; stage < kStages; ++stage) {
      if (stage == 3) {
        ++traces.free;
        continue;
      }
      queue.await(stage == 1 ? 2 : stage, turn);
      dawdle();
      traces.blocks[stage].push_back(turn.block);
      if (stage == 2) {
        EXPECT_EQ(traces.blocks[1].size(), turn.block + 1) << "stage 1 is ahead";
      }
      queue.finish(stage, turn);
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

TEST(BlockQueue, KeepsTheOrderOfState) {
  for (size_t threads : {1, 2, 3, 6}) {
    BlockQueue queue(kStages, true);
    for (uint64_t again = 0; again < 5; ++again) {
      Traces traces;
      EXPECT_FALSE(queue.hasMore());
      queue.begin(kBlocks);
      EXPECT_TRUE(queue.hasMore());
      std::vector<std::thread> others;
      for (size_t thread = 1; thread < threads; ++thread)
        others.emplace_back([&, thread] { work(queue, 10 * again + thread, traces); });
      work(queue, 10 * again, traces);
      for (std::thread &other : others)
        other.join();
      expectAllInOrder(traces);
    }
  }
}

TEST(BlockQueue, OfOneThreadWaitsForNothing) {
  BlockQueue queue(kStages, false);
  Traces traces;
  queue.begin(kBlocks);
  work(queue, 1, traces);
  expectAllInOrder(traces);
  BlockQueue::Turn turn;
  EXPECT_FALSE(queue.take(turn));
  EXPECT_FALSE(queue.hasMore());
}

TEST(BlockQueue, OneHelperGoesWhenThreadsMostlyWait) {
  using namespace std::chrono_literals;
  BlockQueue queue(1, true);
  queue.begin(2);
  BlockQueue::Turn isSlow, waits;
  ASSERT_TRUE(queue.take(isSlow) && queue.take(waits));
  std::thread slow([&] {
    std::this_thread::sleep_for(40ms);
    queue.finish(0, isSlow);
  });
  queue.await(0, waits);
  slow.join();
  BlockQueue::Clock::duration waited = waits.waited;
  EXPECT_GE(waited, 20ms);
  BlockQueue::Turn before; // of a third thread
  before.start = isSlow.start;
  EXPECT_EQ(queue.end(waits, false), 0ms) << "the owner stays";
  EXPECT_EQ(queue.end(isSlow, true), 30 * waited);
  before.waited = waited;
  EXPECT_EQ(queue.end(before, true), 0ms) << "it waited at the same time, one is enough";
}

/// What a helper is told that has waited for some of a time; on top of it comes what the test
/// itself takes.
BlockQueue::Clock::duration restAfter(std::chrono::microseconds waited,
                                      std::chrono::microseconds time) {
  BlockQueue queue(1, true);
  BlockQueue::Turn turn;
  turn.start -= time;
  turn.waited = waited;
  return queue.end(turn, true);
}

TEST(BlockQueue, HelpersStayThatWaitLittle) {
  using namespace std::chrono_literals;
  EXPECT_EQ(restAfter(9000ms, 30000ms), 0ms);
  EXPECT_EQ(restAfter(11000ms, 30000ms), 330000ms);
  // Over many short turns.
  BlockQueue queue(1, true);
  BlockQueue::Turn turn;
  turn.waited = 1h;
  auto rest = queue.end(turn, true);
  if (turn.waited == 1h) { // within a millisecond
    EXPECT_EQ(rest, 0ms);
  }
  std::this_thread::sleep_for(2ms);
  EXPECT_EQ(queue.end(turn, true) + rest, 30h);
}

} // namespace
