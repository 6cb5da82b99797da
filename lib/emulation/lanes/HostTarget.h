// The processor that the kernels are compiled for: the one that runs them.
#pragma once

#include "core/support/Error.h"

#include "llvm/Target/TargetMachine.h"

#include <cstdint>
#include <memory>
#include <string>

namespace spindle::lanes {

/// The name of this processor, or of the older one that the environment names in SPINDLE_CPU
/// ("x86-64-v3" has AVX2, "x86-64" neither that nor products and sums in one).
std::string processor();

/// A target of this processor with all its features, at full optimisation. Products and sums are
/// never fused: their rounding is part of the semantics. Errors: a processor that LLVM does not
/// know.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> hostTarget();

/// Whether a vector of kLanes floats is one register, with the operations of AVX-512.
bool isWide();

/// Whether a lane of 32 bits adds four products of bytes at once, in such vectors.
bool hasByteProducts();

/// Vectors of kLanes floats that the registers hold besides the operands, a multiple of four.
/// Results do not depend on it.
int64_t registerSums();

} // namespace spindle::lanes
