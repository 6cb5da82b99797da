// Functions that compiled kernels call: exponentials and powers as the hardware computes them,
// memory that lives as long as a run, and the report of an access outside its array.
#pragma once

#include <string>

namespace mlir {
class ExecutionEngine;
}

namespace spindle::hls {

/// The function for `exp` or `pow` on floats of this width.
std::string mathSymbol(const std::string &operation, unsigned bits);

/// Whether compiled code may call a function of this name that it does not define: one of ours, or
/// one of the C library's mathematical functions, which operations of `math` become.
bool isMathSymbol(const std::string &name);

/// Makes all functions known to compiled code.
void registerMathSymbols(mlir::ExecutionEngine &engine);

/// Memory of compiled code, all of which is freed with the object. One at a time in a thread.
class GoldenMemory {
public:
  GoldenMemory();
  ~GoldenMemory();
  GoldenMemory(const GoldenMemory &) = delete;
};

} // namespace spindle::hls
