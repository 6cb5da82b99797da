#include "lib/conversion/trials/PairedLoss.h"

#include <cmath>

namespace spindle {

PairedLoss PairedLoss::of(uint64_t lost, uint64_t gained, uint64_t samples) {
  double loss = double(lost) - double(gained);
  double variance = double(lost) + double(gained) - loss * loss / double(samples);
  return {loss, std::sqrt(variance + 1)};
}

} // namespace spindle
