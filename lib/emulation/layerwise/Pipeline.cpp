#include "lib/emulation/layerwise/Pipeline.h"

namespace spindle::layerwise {

void Pipeline::begin(uint32_t blocks) {
  next = 0;
  count = blocks;
  for (std::atomic<uint32_t> &each : done)
    each = 0;
}

bool Pipeline::take(uint32_t &block) {
  if (shared) {
    block = next.load();
    while (block < count && !next.compare_exchange_weak(block, block + 1))
      ;
  } else {
    block = next.load(std::memory_order_relaxed);
    next.store(block + 1, std::memory_order_relaxed);
  }
  return block < count;
}

void Pipeline::await(size_t stage, uint32_t block) {
  if (!shared)
    return;
  for (uint32_t before; (before = done[stage].load()) < block;)
    done[stage].wait(before);
}

void Pipeline::finish(size_t stage, uint32_t block) {
  if (!shared)
    return;
  done[stage] = block + 1;
  done[stage].notify_all();
}

} // namespace spindle::layerwise
