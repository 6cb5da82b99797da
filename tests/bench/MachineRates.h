// How fast one core works on vectors of f32 at best, measured by small kernels: the bounds of the
// workloads are made of these rates.
#pragma once

#include <cstddef>
#include <string>

namespace spindle::bench {

struct MachineRates {
  size_t lanes = 4;     // of a vector of f32
  double additions = 0; // vectors per second, one operand read from the first cache
  double updates = 0;   // multiplied in place, read from the second cache and written back to it
  double products = 0;  // multiplied and added, rounded twice, sums in registers
  double clock = 0;     // cycles per second: a chain of additions of one cycle each
};

/// The best of several short runs; takes half a second.
MachineRates measureRates();

/// Keeps the better of two measurements: others may use the machine, or its clock rise, for a
/// while.
void keepBest(MachineRates &rates, const MachineRates &other);

/// Numbers of whole vectors, and of cycles for what no vector does.
struct VectorWork {
  double additions = 0, updates = 0, products = 0, cycles = 0;

  double seconds(const MachineRates &rates) const;
  /// `1.6e+08 additions from L1 / 4e+09 per s + …`
  std::string formula(const MachineRates &rates) const;
};

/// Share of the processors' time that nobody used in the last `milliseconds`; 0 where unknown.
double idleShare(int milliseconds);

} // namespace spindle::bench
