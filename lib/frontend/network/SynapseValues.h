// Weights and delays of a projection, as its rule allows.
#pragma once

#include "lib/frontend/network/Description.h"
#include "lib/frontend/network/SynapseFile.h"

namespace spindle::network {

/// `listed` holds what a file says of the synapses, which is used up. Errors are left in the
/// reader.
void readDelay(YamlReader &reader, const Description &network, ListedSynapses &listed,
               Projection &projection);
void readWeight(YamlReader &reader, const Description &network, ListedSynapses &listed,
                Projection &projection);

} // namespace spindle::network
