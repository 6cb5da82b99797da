// Functions that compiled kernels call: exponentials and powers as the hardware computes them, and
// memory that lives as long as a run.
#pragma once

#include <string>

namespace mlir {
class ExecutionEngine;
}

namespace spindle::hls {

/// The function for `exp` or `pow` on floats of this width.
std::string mathSymbol(const std::string &operation, unsigned bits);

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
