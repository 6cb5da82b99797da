// Distinct numbers at random.
#pragma once

#include "core/support/CounterRandom.h"

#include <algorithm>
#include <vector>

namespace spindle {

/// Floyd's choice of `count` distinct numbers below a bound (Bentley and Floyd, Communications of
/// the ACM 30, 1987), ascending.
inline std::vector<int64_t> chooseDistinct(int64_t count, int64_t bound, CounterRandom &random) {
  std::vector<bool> taken(static_cast<size_t>(bound), false);
  std::vector<int64_t> chosen;
  for (int64_t last = bound - count; last < bound; ++last) {
    int64_t number = random.below(static_cast<uint32_t>(last + 1));
    if (taken[static_cast<size_t>(number)])
      number = last;
    taken[static_cast<size_t>(number)] = true;
    chosen.push_back(number);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

} // namespace spindle
