// From a network to its kernels.
#pragma once

#include "lib/emulation/lanes/KernelModule.h"
#include "lib/emulation/network/Network.h"

namespace spindle::lanes {

/// Emits every operation into the kernel of its phase, in program order; a step may be asked for
/// the first operations alone. Signals that only rename others (reshape, direct encoding, decoded
/// membranes) share their buffers.
KernelModule buildKernels(const Network &network, mlir::MLIRContext &context);

} // namespace spindle::lanes
