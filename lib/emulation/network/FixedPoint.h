// What fixed-point populations need of the network around them.
#pragma once

#include "lib/emulation/network/Network.h"

namespace spindle {

/// Checks that the currents of fixed-point populations are sums of integer weights of spikes or of
/// quantised activations, and that no sum can exceed 2^24, up to which f32 holds every integer:
/// then the order of sums does not matter and nothing is rounded. Errors name the layer.
llvm::Error checkFixedPoint(const Network &network);

} // namespace spindle
