// The blocks of some samples on their way through the stages: each block is worked by one thread,
// several of them at the same time, as far as stages with state allow. There is no barrier: a stage
// waits only for one of the block before.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace spindle::layerwise {

class Pipeline {
public:
  /// One that is not shared belongs to a thread, and none of its calls waits for anything.
  Pipeline(size_t stages, bool isShared) : shared(isShared), done(stages) {}

  bool isShared() const { return shared; }
  /// Starts again, with blocks numbered from zero. No thread may be in any other call.
  void begin(uint32_t blocks);
  /// Whether there are blocks that no thread has taken.
  bool hasMore() const { return next < count; }
  /// The next block; false where there is none. A thread works all stages of a block that it has
  /// taken, so that the blocks before are always worked by some thread.
  bool take(uint32_t &block);
  /// Waits until a stage is done with the blocks before this one: shortly awake, then asleep.
  void await(size_t stage, uint32_t block);
  void finish(size_t stage, uint32_t block);

private:
  bool shared;
  uint32_t count = 0;
  std::atomic<uint32_t> next = 0;
  std::vector<std::atomic<uint32_t>> done; // blocks, by stage
};

} // namespace spindle::layerwise
