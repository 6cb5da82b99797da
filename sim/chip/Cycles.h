// Cycles of the chip as time of the SystemC kernel: a cycle is a nanosecond, as in waveforms.
#pragma once

#include <systemc>

#include <cstdint>

namespace spindle {

/// The kernel's resolution is a picosecond.
inline constexpr uint64_t kTicksPerCycle = 1000;

inline sc_core::sc_time cycles(uint64_t count) {
  return sc_core::sc_time::from_value(count * kTicksPerCycle);
}
/// Cycles of a time, whole ones.
inline uint64_t cyclesOf(const sc_core::sc_time &time) { return time.value() / kTicksPerCycle; }
inline uint64_t cycleNow() { return cyclesOf(sc_core::sc_time_stamp()); }

} // namespace spindle
