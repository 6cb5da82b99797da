// How many cycles of random operations a unit is tested for.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace spindle::rtl {

/// 200,000 operations of a pipeline, or what SPINDLE_UNIT_CYCLES says.
inline uint64_t longRun() {
  const char *cycles = std::getenv("SPINDLE_UNIT_CYCLES");
  return cycles ? std::strtoull(cycles, nullptr, 10) : 200'100;
}

} // namespace spindle::rtl
