// The blocks of some samples on their way through the stages: each block is worked by one thread,
// several of them at the same time, as far as stages with state allow. There is no barrier: a stage
// waits only for one of the block before.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace spindle::layers {

class BlockQueue {
public:
  using Clock = std::chrono::steady_clock;

  /// A block in the hands of a thread, which works all stages of it; so the blocks before are
  /// always in somebody's hands. Then the next one, with how long the thread has waited in all
  /// turns since `start`.
  struct Turn {
    uint32_t block = 0;
    Clock::time_point start = Clock::now();
    Clock::duration waited = {};
  };

  /// One that is not shared belongs to a thread, and none of its calls waits for anything.
  BlockQueue(size_t stages, bool isShared) : shared(isShared), done(stages) {}

  bool isShared() const { return shared; }
  /// Starts again, with blocks numbered from zero. No thread may be in any other call.
  void begin(uint32_t blocks);
  /// Whether there are blocks that no thread has taken.
  bool hasMore() const { return next < count; }
  /// The next block; false where there is none.
  bool take(Turn &turn);
  /// Waits until a stage is done with the blocks before this one: shortly awake, then asleep.
  void await(size_t stage, Turn &turn);
  void finish(size_t stage, const Turn &turn);
  /// The end of a turn. Threads that mostly wait for one another have no processors to themselves:
  /// a helper to whom this gives a time is to stay away as long.
  Clock::duration end(Turn &turn, bool isHelper);

private:
  bool shared;
  uint32_t count = 0;
  std::atomic<uint32_t> next = 0;
  std::vector<std::atomic<uint32_t>> done;                // blocks, by stage
  std::atomic<Clock::duration> lost = Clock::duration(0); // by a wait that no helper has gone for
  std::atomic<Clock::time_point> left = Clock::time_point(); // when the last helper had to go
};

} // namespace spindle::layers
