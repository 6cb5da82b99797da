// Time per iteration around a cycle, exact.
#pragma once

#include "core/chip/sdf/SdfGraph.h"

#include <cassert>
#include <compare>

namespace spindle {

/// Wide enough for a product of a time and a number of iterations.
using Wide = __int128;

/// Execution times on a cycle / iterations that its initial tokens are ahead, in lowest terms.
struct CycleRatio {
  uint64_t time = 0;
  uint64_t iterations = 1;

  static CycleRatio of(Wide time, Wide iterations) {
    Wide common = time, rest = iterations;
    while (rest != 0)
      common = std::exchange(rest, common % rest);
    assert(time / common <= UINT64_MAX && iterations / common <= UINT64_MAX);
    return {static_cast<uint64_t>(time / common), static_cast<uint64_t>(iterations / common)};
  }
  double value() const { return static_cast<double>(time) / static_cast<double>(iterations); }

  bool operator==(const CycleRatio &) const = default;
  std::strong_ordering operator<=>(const CycleRatio &other) const {
    return Wide(time) * other.iterations <=> Wide(other.time) * iterations;
  }
};

} // namespace spindle
