// Functions that compiled kernels call: exponentials, logarithms and the like as the hardware
// computes them, memory that lives as long as a run, streams, and the report of an access outside
// its array.
#pragma once

#include "dialects/jit/Jit.h"

namespace spindle::hls {

/// The function for `erf`, `exp`, `exp2`, `log`, `log2`, `pow` or `tanh` on floats of this width,
/// for `sin` or `cos` on floats of this width.
std::string mathSymbol(const std::string &operation, unsigned bits);

/// Whether compiled code may call a function of this name that it does not define: one of ours, or
/// one of the C library's mathematical functions, which operations of `math` become.
bool isMathSymbol(const std::string &name);

/// All functions of ours.
std::vector<jit::Callee> mathCallees();

/// Memory of compiled code, all of which is freed with the object. One at a time in a thread.
class GoldenMemory {
public:
  GoldenMemory();
  ~GoldenMemory();
  GoldenMemory(const GoldenMemory &) = delete;
};

} // namespace spindle::hls
