// The processor that the kernels are compiled for: the one that runs them.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdint>
#include <memory>

namespace spindle::engine {

/// A target of this processor with all its features, at full optimisation. Products and sums are
/// never fused: their rounding is part of the semantics.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> hostTarget();

/// Vectors of kLanes floats that the registers hold besides the operands, a multiple of four.
/// Results do not depend on it.
int64_t registerSums();

} // namespace spindle::engine
