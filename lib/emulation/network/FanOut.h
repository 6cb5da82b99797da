// How many synapses the neurons of a network have: counted where they are, without composing them.
#pragma once

#include "lib/emulation/network/Network.h"

namespace spindle {

struct FanOut {
  std::vector<uint64_t> synapses; // of each neuron, as composeSynapses would list them
  uint64_t total = 0;
};

/// Memory grows with the neurons where each projection is one dense, listed or drawn operation
/// between two populations (sums, delays and feedback aside), with the lists of `forEachDrive`
/// elsewhere.
FanOut countSynapses(const Network &network);

} // namespace spindle
