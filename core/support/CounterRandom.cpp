#include "core/support/CounterRandom.h"

namespace spindle {

void CounterRandom::refill() {
  words = philox({uint32_t(block), uint32_t(block >> 32), stream, item}, key);
  ++block;
  used = 0;
}

} // namespace spindle
