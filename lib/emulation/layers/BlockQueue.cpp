#include "lib/emulation/layers/BlockQueue.h"

namespace spindle::layers {

/// Waits are judged over this time at least, and over a turn.
constexpr std::chrono::milliseconds kWindow{1};
/// The share of it that is too much. Stages with state alone never make two threads wait as long,
/// unless such a stage takes three quarters of a block.
constexpr int kMostWaits = 3; // a third
/// Times a wait that a helper stays away: what is lost by waiting again is a small share of that.
constexpr int kAway = 30;

void BlockQueue::begin(uint32_t blocks) {
  next = 0;
  count = blocks;
  for (std::atomic<uint32_t> &each : done)
    each = 0;
}

bool BlockQueue::take(Turn &turn) {
  if (!shared) {
    turn.block = next.load(std::memory_order_relaxed);
    next.store(turn.block + 1, std::memory_order_relaxed);
    return turn.block < count;
  }
  turn.block = next.load();
  while (turn.block < count && !next.compare_exchange_weak(turn.block, turn.block + 1))
    ;
  return turn.block < count;
}

void BlockQueue::await(size_t stage, Turn &turn) {
  if (!shared || done[stage].load() >= turn.block)
    return;
  Clock::time_point start = Clock::now();
  for (uint32_t before; (before = done[stage].load()) < turn.block;)
    done[stage].wait(before);
  turn.waited += Clock::now() - start;
}

void BlockQueue::finish(size_t stage, const Turn &turn) {
  if (!shared)
    return;
  done[stage] = turn.block + 1;
  done[stage].notify_all();
}

BlockQueue::Clock::duration BlockQueue::end(Turn &turn, bool isHelper) {
  if (!shared)
    return {};
  Clock::time_point now = Clock::now();
  Clock::duration time = now - turn.start;
  // When one thread is kept from its work, all wait for it; one helper that goes is enough.
  if (time >= kWindow && kMostWaits * turn.waited > time && turn.start > left.load())
    lost = turn.waited;
  if (time >= kWindow) {
    turn.start = now;
    turn.waited = {};
  }
  Clock::duration loss = isHelper ? lost.exchange({}) : Clock::duration();
  if (loss.count() > 0)
    left = now;
  return kAway * loss;
}

} // namespace spindle::layers
