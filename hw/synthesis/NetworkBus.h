// A spiking network behind AXI: what its streams carry.
#pragma once

#include "core/kernel/HostDriver.h"
#include "core/network/HardwareNetwork.h"
#include "hw/hls/axi/AxiWrapper.h"

namespace spindle::hls {

/// Each stream of the network's circuit has a packet for each sample: all words of all its steps.
/// With channels they lie in memory, sample after sample.
AxiOptions busOptions(const HardwareNetwork &network, AxiData data, unsigned channels = 0);

/// What its arguments are, in letters that may stand in a comment of C.
ArgumentMeanings meaningsOf(const HardwareNetwork &network);

} // namespace spindle::hls
